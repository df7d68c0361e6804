import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Redactor } from "@procedo/engine";
import { parseKeepingExact } from "@procedo/procedure";
import { essenceOf } from "../openapi/operations/media-type-essence.ts";
import { kindOf } from "../openapi/operations/media-types.ts";
import { charsetOf, declaredByXml, decodeText } from "./decode-text.ts";
import { base64Of } from "./recorded-body.ts";

export interface AnswerBody {
  readonly value: JsonValue;
  /** What the value was read from, where that was text. */
  readonly text?: string;
  /** Why it is not what its type says: `is not valid JSON at character 6.` */
  readonly problem?: string;
}

/**
 * What an answer's body says, as JSON can carry it: JSON as its value without losing a digit, text as text, other bytes
 * in base64, nothing as null, each in whichever charset it is. JSON that cannot be read is told as text. A plain word under
 * the type of JSON, such as the `OK` of many services, is text and no problem.
 *
 * @param saysJson whether the document describes the answer as JSON: an object, a list or a quoted text is then JSON under
 * any label
 */
export function answerBody(
  bytes: Uint8Array,
  contentType: string | null,
  redactor: Redactor,
  saysJson = false,
): AnswerBody {
  if (bytes.byteLength === 0) return { value: null };
  const mediaType = essenceOf(contentType ?? "");
  const isUntyped = !mediaType.includes("/");
  if (isUntyped || kindOf(mediaType) === "json") {
    const decoded = decodeText(bytes, charsetOf(contentType));
    const parsed = parseKeepingExact(decoded.text);
    if (parsed.ok) return { value: parsed.value, text: decoded.text };
    const value = decoded.certain ? decoded.text : inBase64(bytes, contentType, redactor);
    if (isUntyped || (decoded.certain && isPlainWords(decoded.text))) return { value };
    return {
      value,
      problem: decoded.certain ? parsed.message : "is not valid JSON: it is not UTF-8, and no other charset is named.",
    };
  }
  if (saysJson && beginsAsJson(bytes)) {
    const { text } = decodeText(bytes, charsetOf(contentType));
    const parsed = parseKeepingExact(text);
    if (parsed.ok) return { value: parsed.value, text };
  }
  if (!isTextType(mediaType)) return { value: inBase64(bytes, contentType, redactor) };
  const declared = mediaType.endsWith("xml") ? declaredByXml(bytes) : undefined;
  return { value: decodeText(bytes, charsetOf(contentType) ?? declared).text };
}

/** JSON that was cut off begins as an object, a list or a text does; a page of a proxy begins with a tag. Words have no zeros. */
function isPlainWords(text: string): boolean {
  return !/^\s*[{["<]/.test(text) && !text.includes("\0");
}

/** Numbers and words are left to their label: under `text/plain`, `007` is a text. */
function beginsAsJson(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*[{["]/.test(beginning);
}

function inBase64(bytes: Uint8Array, contentType: string | null, redactor: Redactor): JsonObject {
  return { base64: base64Of(bytes, redactor), contentType: contentType ?? "application/octet-stream" };
}

/** Whether bytes of this type are text to people. */
function isTextType(mediaType: string): boolean {
  return (
    mediaType.startsWith("text/") ||
    /[+.]xml$|[+.]yaml$/.test(mediaType) ||
    /^application\/(xml|yaml|x-yaml|javascript|graphql|x-ndjson|ndjson|stream\+json|x-www-form-urlencoded)$/.test(
      mediaType,
    )
  );
}
