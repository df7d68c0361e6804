import { essenceOf } from "./media-type-essence.ts";
import { bestFirst, kindOf, readMediaType } from "./media-types.ts";

/** Where a document says nothing of what is answered: most services answer JSON, and anything else is taken as well. */
export const anyAnswer = "application/json, */*;q=0.5";

/** More would not be read, and headers have an end. */
const maxListed = 8;
const maxListedChars = 2_048;

/** Media types of an operation's answers, as the document writes them. */
export interface AnswerTypes {
  /** Of the answers of status 2xx; the one whose schema is the output's first. */
  readonly success: readonly string[];
  /** Of all others. */
  readonly failure: readonly string[];
}

/**
 * The header `Accept` (RFC 9110, 12.5.1) of an operation: the media type that its output is read from, then the others of its
 * 2xx answers, then JSON of its errors, each with its parameters, and anything at last. Where a 2xx answer is JSON, no other
 * format is named: some services send the last that they know, in spite of its weight.
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
    // Charsets make no two formats.
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
