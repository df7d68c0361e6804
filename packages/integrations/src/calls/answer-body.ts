import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Redactor } from "@procedo/engine";
import { parseKeepingExact } from "@procedo/procedure";
import { essenceOf } from "../openapi/operations/media-type-essence.ts";
import { kindOf } from "../openapi/operations/media-types.ts";
import { charsetOf, declaredByXml, decodeText } from "./decode-text.ts";
import { base64Of } from "./recorded-body.ts";

export interface AnswerBody {
  readonly value: JsonValue;
  /** The text from which the value was read, if it was text. */
  readonly text?: string;
  /** The reason why the body contradicts its type: `is not valid JSON at character 6.` */
  readonly problem?: string;
}

/**
 * Converts a response body to a JSON value in any charset: JSON with all digits, text as text, other bytes in base64,
 * an empty body as null. Unreadable JSON becomes text. A plain word under a JSON type, such as the `OK` of many
 * services, is text without a problem.
 *
 * @param saysJson whether the document describes the response as JSON. An object, a list or a quoted text is then JSON
 *   under any label
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

/**
 * Truncated JSON starts like an object, a list or a text; a proxy's page starts with a tag. Words contain no zero
 * bytes.
 */
function isPlainWords(text: string): boolean {
  return !/^\s*[{["<]/.test(text) && !text.includes("\0");
}

/** Numbers and words are read by their label: under `text/plain`, `007` is text. */
function beginsAsJson(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*[{["]/.test(beginning);
}

function inBase64(bytes: Uint8Array, contentType: string | null, redactor: Redactor): JsonObject {
  return { base64: base64Of(bytes, redactor), contentType: contentType ?? "application/octet-stream" };
}

/** Whether bytes of this type are readable text. */
function isTextType(mediaType: string): boolean {
  return (
    mediaType.startsWith("text/") ||
    /[+.]xml$|[+.]yaml$/.test(mediaType) ||
    /^application\/(xml|yaml|x-yaml|javascript|graphql|x-ndjson|ndjson|stream\+json|x-www-form-urlencoded)$/.test(
      mediaType,
    )
  );
}
