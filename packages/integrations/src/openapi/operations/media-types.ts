import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { asWarning, errorAt, shown, warningAt } from "../problem-list.ts";
import { isObject } from "../schema/json-object.ts";
import { jsonPointer } from "@procedo/contract/syntax";
import { mediaTypeInFull } from "./media-type-names.ts";
import { essenceOf } from "./media-type-essence.ts";

export type MediaKind = "json" | "form" | "multipart" | "text" | "binary" | "raw";

export interface ChosenMediaType {
  /** As returned by {@link readMediaType}. */
  readonly mediaType: string;
  /** In the document's notation, with short names expanded. */
  readonly written: string;
  readonly kind: MediaKind;
  readonly value: JsonObject;
  readonly pointer: string;
}

/**
 * The preferred entry of a `content`; `undefined` when no entry is usable, which is a problem unless `content` is
 * empty.
 */
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
    const at = pointer + jsonPointer([written]);
    const mediaType = readMediaType(full);
    if (mediaType === undefined) fault ??= errorAt(at, `${shown(written)} is not a media type; write "type/subtype".`);
    else if (value !== null && !isObject(value)) {
      fault ??= errorAt(at, `must be an object with a "schema", not ${shown(value)}.`);
    } else {
      if (full !== written) problems.push(warningAt(at, `${shown(written)} is read as ${shown(full)}.`));
      const ranked = { written: full, rank: rank(full) };
      if (best !== undefined && compare(best.ranked, ranked) <= 0) continue;
      best = { ranked, chosen: { mediaType, written: full, kind: kindOf(mediaType), value: value ?? {}, pointer: at } };
    }
  }
  // With one valid entry, the others are not needed.
  if (fault !== undefined) problems.push(best === undefined ? fault : asWarning(fault));
  return best?.chosen;
}

/** The preferred media type of a list; `undefined` when there is none. */
export function bestMediaType(list: readonly string[]): string | undefined {
  const [best] = bestFirst(mediaTypesOf(list));
  return best === undefined ? undefined : readMediaType(best);
}

/** Cached per list, because the document's lists apply to each of its operations. */
export const maxMediaTypes = 32;

/** The media types in a list, in their notation, with short names expanded. */
export function mediaTypesOf(list: readonly string[]): readonly string[] {
  return list
    .slice(0, maxMediaTypes)
    .map(mediaTypeInFull)
    .filter((entry) => readMediaType(entry) !== undefined);
}

/** Sorts media types by preference, not by the document's order, which may change. */
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

/** Whether a text is exactly one media type, so that it can be sent unchanged. */
export function isMediaType(text: string): boolean {
  return oneExactType.test(text);
}

/** Whether a text is a comma-separated list of media types, as in the header `Accept`. */
export function isMediaTypeList(text: string): boolean {
  return exactTypes.test(text);
}

/** Limit of type and subtype together (RFC 6838, section 4.2). */
const maxEssenceLength = 255;
/** Limit of all parameters together. Servers reject larger headers. */
const maxParametersLength = 1_024;

/**
 * A media type (RFC 9110, section 8.3.1) in the form that is sent: the essence in lower case, the parameters unchanged.
 * A range is replaced by a concrete type. `boundary` is left out because each body has its own, and so are the weight
 * `q` and everything after an invalid parameter.
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

/** The concrete type for a range. `application/*+json` is not in RFC 9110, but in many documents. */
function concreteType(essence: string): string {
  if (!essence.includes("*")) return essence;
  if (/[*+.]json$/.test(essence)) return "application/json";
  if (/[*+.]xml$/.test(essence)) return "application/xml";
  if (/^(?:\*|application)\//.test(essence)) return "application/json";
  if (essence.startsWith("text/")) return "text/plain";
  return essence.startsWith("multipart/") ? "multipart/form-data" : "application/octet-stream";
}

/** The kind of a media type. Parameters are ignored. */
export function kindOf(mediaType: string): MediaKind {
  const essence = essenceOf(mediaType);
  if (isJsonType(essence)) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (essence === "application/xml" || essence === "text/xml" || essence.endsWith("+xml")) return "raw";
  if (essence.startsWith("text/")) return "text";
  return essence === "application/octet-stream" ? "binary" : "raw";
}

/** Formats named after JSON that are not JSON: binary ones, and sequences of values. */
const besideJson = new Set(["smile", "protobuf", "cbor", "seq", "lines"]);
const streamsOfJson = new Set(["application/stream+json", "application/x-json-stream"]);

/** The names of JSON vary: `application/problem+json`, `application/vnd.acme.v1.json`, `application/x-amz-json-1.1`. */
function isJsonType(essence: string): boolean {
  const words = (essence.split("/")[1] ?? "").split(/[+._-]/);
  return words.includes("json") && !words.some((word) => besideJson.has(word)) && !streamsOfJson.has(essence);
}

const otherFormats =
  /\b(?:x-)?(?:xml|yaml|yml|toml|csv|msgpack|messagepack|protobuf|proto|cbor|bson|avro|smile|thrift|ion|arrow|parquet|ndjson|jsonl|seq|pdf|zip|gzip|tar|jwt|jose|javascript|graphql|sparql|octet|text|plain)\b/;

/**
 * Whether an object or a list under this type is JSON, although the type does not say so. This applies to vendor types
 * without a format, such as `application/hal` and `application/vnd.github.object`.
 */
export function mayBeJson(mediaType: string): boolean {
  const essence = essenceOf(mediaType);
  return kindOf(essence) === "raw" && essence.startsWith("application/") && !otherFormats.test(essence);
}

/** Lower ranks are preferred. A range comes after the concrete types of its kind. */
function rank(written: string): number {
  const essence = concreteType(essenceOf(written));
  return rankOf(essence) + (essence === essenceOf(written) ? 0 : 1.5);
}

function rankOf(essence: string): number {
  if (essence === "application/json") return 0;
  // A list of patch steps (RFC 6902), which a document with an object schema does not mean.
  if (essence === "application/json-patch+json") return 2;
  if (essence === "text/plain") return 5;
  return { json: 1, form: 3, multipart: 4, text: 6, binary: 7, raw: 8 }[kindOf(essence)];
}
