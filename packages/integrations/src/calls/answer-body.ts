import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Redactor } from "@procedo/engine";
import { parseKeepingExact } from "@procedo/procedure";
import { kindOf } from "../openapi/operations/media-types.ts";
import { base64Of, textOf } from "./recorded-body.ts";

export interface AnswerBody {
  readonly value: JsonValue;
  /** Why it is not what its type says: `is not valid JSON at character 6.` */
  readonly problem?: string;
}

/**
 * What an answer's body says, as JSON can carry it: JSON as its value without losing a digit, text as text, other bytes
 * in base64, nothing as null. JSON that cannot be read is told as text. A plain word under the type of JSON, such as the
 * `OK` of many services, is text and no problem.
 */
export function answerBody(bytes: Uint8Array, contentType: string | null, redactor: Redactor): AnswerBody {
  if (bytes.byteLength === 0) return { value: null };
  const mediaType = (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (mediaType === "" || kindOf(mediaType) === "json") {
    const text = textOf(bytes);
    const parsed = text === undefined ? undefined : parseKeepingExact(text);
    if (parsed?.ok === true) return { value: parsed.value };
    const value = text ?? inBase64(bytes, contentType, redactor);
    if (mediaType === "" || (text !== undefined && isPlainWords(text))) return { value };
    return { value, problem: parsed?.message ?? "is not valid JSON: it is not UTF-8." };
  }
  if (!isTextType(mediaType)) return { value: inBase64(bytes, contentType, redactor) };
  return { value: decoded(bytes, contentType) ?? inBase64(bytes, contentType, redactor) };
}

/** JSON that was cut off begins as an object, a list or a text does; a page of a proxy begins with a tag. */
function isPlainWords(text: string): boolean {
  return !/^\s*[{["<]/.test(text);
}

function inBase64(bytes: Uint8Array, contentType: string | null, redactor: Redactor): JsonObject {
  return { base64: base64Of(bytes, redactor), contentType: contentType ?? "application/octet-stream" };
}

/** By the charset that the answer names. */
function decoded(bytes: Uint8Array, contentType: string | null): string | undefined {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return textOf(bytes);
  }
}

/** Whether bytes of this type are text to people. */
function isTextType(mediaType: string): boolean {
  return (
    mediaType.startsWith("text/") ||
    mediaType.endsWith("+xml") ||
    mediaType.endsWith("+yaml") ||
    /^application\/(xml|yaml|x-yaml|javascript|graphql|x-ndjson|ndjson|x-www-form-urlencoded)$/.test(mediaType)
  );
}
