import type { JsonObject, JsonValue } from "@procedo/contract";
import { resolvePointer } from "@procedo/procedure";

/** The schema that a `$ref` leads to within the whole; `undefined` where there is none, or another place is named. */
export function targetOf({ $ref: ref }: JsonObject, root: JsonObject): JsonObject | undefined {
  const target: JsonValue | undefined = typeof ref === "string" ? resolvePointer(root, ref) : undefined;
  return typeof target === "object" && target !== null && !Array.isArray(target) ? (target as JsonObject) : undefined;
}
