import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { asWarning, errorAt, shown, warningAt } from "../problem-list.ts";
import { isObject } from "../schema/json-object.ts";
import { token as pointerToken } from "../json-pointer.ts";
import { mediaTypeInFull } from "./media-type-names.ts";
import { essenceOf } from "./media-type-essence.ts";

export type MediaKind = "json" | "form" | "multipart" | "text" | "binary" | "raw";

export interface ChosenMediaType {
  /** As {@link readMediaType} gives it. */
  readonly mediaType: string;
  /** As it stands in the document; a short name in full. */
  readonly written: string;
  readonly kind: MediaKind;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The best of a `content`; `undefined`: there is none that can be used, which is a problem unless it is empty. */
export function chooseMediaType(
  content: JsonValue,
  pointer: string,
  problems: ImportProblem[],
): ChosenMediaType | undefined {
  if (!isObject(content)) {
    problems.push(errorAt(pointer, `must be an object with a member for each media type, not ${shown(content)}.`));
    return undefined;
  }
  let best: { readonly ranked: Ranked; readonly chosen: ChosenMediaType } | undefined;
  let fault: ImportProblem | undefined;
  for (const [written, value] of Object.entries(content)) {
    const full = mediaTypeInFull(written);
    if (full.startsWith("x-") && !full.includes("/")) continue;
    const at = pointer + pointerToken(written);
    const mediaType = readMediaType(full);
    if (mediaType === undefined) fault ??= errorAt(at, `${shown(written)} is no media type; write "type/subtype".`);
    else if (value !== null && !isObject(value)) {
      fault ??= errorAt(at, `must be an object with a "schema", not ${shown(value)}.`);
    } else {
      if (full !== written) problems.push(warningAt(at, `${shown(written)} is taken as ${shown(full)}.`));
      const ranked = { written: full, rank: rank(full) };
      if (best !== undefined && compare(best.ranked, ranked) <= 0) continue;
      best = { ranked, chosen: { mediaType, written: full, kind: kindOf(mediaType), value: value ?? {}, pointer: at } };
    }
  }
  // One that is right makes the others dispensable.
  if (fault !== undefined) problems.push(best === undefined ? fault : asWarning(fault));
  return best?.chosen;
}

/** The best of a list, as it is sent; `undefined`: there is none. */
export function bestMediaType(list: readonly string[]): string | undefined {
  const [best] = bestFirst(mediaTypesOf(list));
  return best === undefined ? undefined : readMediaType(best);
}

/** Of one list; those of the document are read for each of its operations. */
export const maxMediaTypes = 32;

/** The media types in a list, as they are written; short names in full. */
export function mediaTypesOf(list: readonly string[]): readonly string[] {
  return list
    .slice(0, maxMediaTypes)
    .map(mediaTypeInFull)
    .filter((entry) => readMediaType(entry) !== undefined);
}

/** Media types as they are written, the best first: by rank, and not by the order of the document, which may change. */
export function bestFirst(list: readonly string[]): readonly string[] {
  const ranked = list.map((written) => ({ written, rank: rank(written) }));
  return ranked.toSorted(compare).map(({ written }) => written);
}

type Ranked = { readonly written: string; readonly rank: number };

const compare = (a: Ranked, b: Ranked): number => a.rank - b.rank || (a.written < b.written ? -1 : 1);

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const wholeType = new RegExp(`^${token}/${token}$`);
const value = `(?:${token}|"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*")`;
const parameter = new RegExp(`\\s*;\\s*(${token})=${value}`, "gy");
const exactType = `${token}/${token}(?:[\\t ]*;[\\t ]*${token}=${value})*`;
const exactTypes = new RegExp(`^[\\t ]*${exactType}(?:[\\t ]*,[\\t ]*${exactType})*[\\t ]*$`);
const oneExactType = new RegExp(`^[\\t ]*${exactType}[\\t ]*$`);

/** Whether a text is one media type and nothing else, so that it can be sent as it is. */
export function isMediaType(text: string): boolean {
  return oneExactType.test(text);
}

/** Whether a text is one or several media types with commas between them, as the header `Accept` takes them. */
export function isMediaTypeList(text: string): boolean {
  return exactTypes.test(text);
}

/** Of both names together (RFC 6838, section 4.2). */
const maxEssenceLength = 255;
/** Of all parameters together; servers refuse larger heads. */
const maxParametersLength = 1_024;

/**
 * A media type (RFC 9110, section 8.3.1) as it can be sent: its essence in lower case, its parameters as they are written.
 * A range stands for what is sent in its place. `boundary` is left out, because each body has its own, and so is the weight
 * `q`; what follows something that is no parameter is left out as well.
 */
export function readMediaType(written: string): string | undefined {
  const essence = essenceOf(written);
  if (essence.length > maxEssenceLength || !wholeType.test(essence)) return undefined;
  return concreteType(essence) + parametersOf(written);
}

function parametersOf(written: string): string {
  const at = written.indexOf(";");
  if (at === -1) return "";
  let kept = "";
  for (const [text, name] of written.slice(at).matchAll(parameter)) {
    if (kept.length + text.length > maxParametersLength) break;
    if (!["boundary", "q"].includes(name?.toLowerCase() ?? "")) kept += text;
  }
  return kept;
}

/** What is sent where a document names a range. `application/*+json` is none of RFC 9110, but of many documents. */
function concreteType(essence: string): string {
  if (!essence.includes("*")) return essence;
  if (/[*+.]json$/.test(essence)) return "application/json";
  if (/[*+.]xml$/.test(essence)) return "application/xml";
  if (/^(?:\*|application)\//.test(essence)) return "application/json";
  if (essence.startsWith("text/")) return "text/plain";
  return essence.startsWith("multipart/") ? "multipart/form-data" : "application/octet-stream";
}

/** By the name of a media type, whose parameters do not matter. */
export function kindOf(mediaType: string): MediaKind {
  const essence = essenceOf(mediaType);
  if (isJsonType(essence)) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (essence === "application/xml" || essence === "text/xml" || essence.endsWith("+xml")) return "raw";
  if (essence.startsWith("text/")) return "text";
  return essence === "application/octet-stream" ? "binary" : "raw";
}

/** Formats that are named after JSON and are not: binary ones, and several values one after another. */
const besideJson = new Set(["smile", "protobuf", "cbor", "seq", "lines"]);
const streamsOfJson = new Set(["application/stream+json", "application/x-json-stream"]);

/** JSON is named in many ways: `application/problem+json`, `application/vnd.acme.v1.json`, `application/x-amz-json-1.1`. */
function isJsonType(essence: string): boolean {
  const words = (essence.split("/")[1] ?? "").split(/[+._-]/);
  return words.includes("json") && !words.some((word) => besideJson.has(word)) && !streamsOfJson.has(essence);
}

const otherFormats =
  /\b(?:x-)?(?:xml|yaml|yml|toml|csv|msgpack|messagepack|protobuf|proto|cbor|bson|avro|smile|thrift|ion|arrow|parquet|ndjson|jsonl|seq|pdf|zip|gzip|tar|jwt|jose|javascript|graphql|sparql|octet|text|plain)\b/;

/**
 * Whether an object or a list under this type is JSON, although the type does not say so: a vendor's own type, such as
 * `application/hal` and `application/vnd.github.object`, that names no other format.
 */
export function mayBeJson(mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  return kindOf(essence) === "raw" && essence.startsWith("application/") && !otherFormats.test(essence);
}

/** What is sent best comes first, and a range behind the types of its kind that are named. */
function rank(written: string): number {
  const essence = concreteType(essenceOf(written));
  return rankOf(essence) + (essence === essenceOf(written) ? 0 : 1.5);
}

function rankOf(essence: string): number {
  if (essence === "application/json") return 0;
  // A list of steps (RFC 6902), which whoever describes an object does not mean.
  if (essence === "application/json-patch+json") return 2;
  if (essence === "text/plain") return 5;
  return { json: 1, form: 3, multipart: 4, text: 6, binary: 7, raw: 8 }[kindOf(essence)];
}
