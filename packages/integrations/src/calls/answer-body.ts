import type { JsonObject, JsonValue } from "@procedo/contract";
import { parseKeepingExact } from "@procedo/procedure";
import { kindOf } from "../openapi/operations/media-types.ts";
import { isList, isObject } from "./plain-value.ts";
import { textOf } from "./recorded-body.ts";

/**
 * What an answer's body says, as JSON can carry it: JSON as its value without losing a digit, text as text, other bytes
 * in base64, nothing as null. JSON that cannot be read is text: what was done is not undone by how it is told.
 */
export function answerBody(bytes: Uint8Array, contentType: string | null): JsonValue {
  if (bytes.byteLength === 0) return null;
  const mediaType = (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (mediaType === "" || kindOf(mediaType) === "json") {
    const text = textOf(bytes);
    const parsed = text === undefined ? undefined : parseKeepingExact(text);
    if (parsed?.ok === true) return withoutReserved(parsed.value, text ?? "");
    return text ?? inBase64(bytes, contentType);
  }
  if (!isTextType(mediaType)) return inBase64(bytes, contentType);
  return decoded(bytes, contentType) ?? inBase64(bytes, contentType);
}

function inBase64(bytes: Uint8Array, contentType: string | null): JsonObject {
  return { base64: Buffer.from(bytes).toString("base64"), contentType: contentType ?? "application/octet-stream" };
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

/** As deep as the engine takes a value; what nests deeper is refused there. */
const maxDepth = 64;

/** A member named `__proto__` is one that no record can hold. Without it the rest of the answer is of use. */
function withoutReserved(value: JsonValue, text: string): JsonValue {
  // The name may be written with escapes.
  return /__proto__|\\u005f/i.test(text) ? cleaned(value, maxDepth) : value;
}

function cleaned(value: JsonValue, depthLeft: number): JsonValue {
  if (depthLeft === 0) return value;
  if (isList(value)) return value.map((item) => cleaned(item, depthLeft - 1));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== "__proto__");
  return Object.fromEntries(members.map(([name, member]) => [name, cleaned(member, depthLeft - 1)]));
}
