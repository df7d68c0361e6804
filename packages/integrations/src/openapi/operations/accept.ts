import { essenceOf } from "./media-type-essence.ts";
import { bestFirst, kindOf, readMediaType } from "./media-types.ts";

/** The default for a document without response types: most services answer JSON, and any other type is accepted. */
export const anyAnswer = "application/json, */*;q=0.5";

/** Maximum number of listed types. Servers limit the length of headers. */
const maxListed = 8;
const maxListedChars = 2_048;

/** Media types of an operation's responses, in the document's notation. */
export interface AnswerTypes {
  /** Types of the 2xx responses, starting with the response that defines the output. */
  readonly success: readonly string[];
  /** Types of all other responses. */
  readonly failure: readonly string[];
}

/**
 * The header `Accept` (RFC 9110, 12.5.1) of an operation: the media type of its output, the types of its other 2xx
 * responses, the JSON types of its errors, each with parameters, and finally any type. If a 2xx response is JSON, no
 * other format is listed: some services ignore weights and send the last format that they support.
 */
export function acceptOf({ success, failure }: AnswerTypes): string {
  const isJson = (mediaType: string): boolean => kindOf(mediaType) === "json";
  const [first = "application/json"] = success;
  const others = bestFirst([...new Set(success.slice(1))]);
  const wanted = isJson(first) ? others.filter(isJson) : others;
  const errors = bestFirst([...new Set(failure)].filter(isJson));
  const listed = distinct([
    [first, ""],
    ...wanted.map((mediaType) => [mediaType, ";q=0.9"] as const),
    ...errors.map((mediaType) => [mediaType, ";q=0.8"] as const),
  ]);
  const kept: string[] = [];
  let chars = 0;
  for (const [mediaType, weight] of listed.slice(0, maxListed)) {
    chars += mediaType.length + weight.length;
    if (kept.length > 0 && chars > maxListedChars) break;
    kept.push(mediaType + weight);
  }
  return [...kept, "*/*;q=0.5"].join(", ");
}

type Weighted = readonly [mediaType: string, weight: string];

function distinct(list: readonly Weighted[]): readonly Weighted[] {
  const known = new Map<string, Weighted>();
  for (const [written, weight] of list) {
    const mediaType = acceptable(written);
    // A charset does not distinguish formats.
    const format = mediaType.replace(/;\s*charset=[^;]*/i, "");
    if (!known.has(format)) known.set(format, [mediaType, weight]);
  }
  return [...known.values()];
}

/** `image/*` is a range to a server as well; one that JSON fits is JSON. */
function acceptable(written: string): string {
  const essence = essenceOf(written);
  return /^(?!application\/)[^*]+\/\*$/.test(essence) ? essence : (readMediaType(written) ?? essence);
}
