import type { JsonObject, JsonValue } from "@procedo/contract";
import { parseExact } from "@procedo/procedure";

/** A JSON text that a person typed: its value, or why it has none. */
export type TypedJson = { readonly value: JsonValue } | { readonly problem: string };

export function readTypedJson(text: string): TypedJson {
  const parsed = parseExact(text);
  if (parsed.ok) return { value: parsed.value };
  if (parsed.reason === "inexact_number")
    return { problem: `The number at ${parsed.path || "the top"} ${parsed.message}` };
  return { problem: `This is not JSON yet: ${parsed.message}` };
}

/** A JSON text that has to be an object. */
export function readTypedObject(text: string): { readonly value: JsonObject } | { readonly problem: string } {
  const read = readTypedJson(text);
  if ("problem" in read) return read;
  const { value } = read;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { problem: "This has to be an object: { … }." };
  }
  return { value: value as JsonObject };
}
