import type { JsonObject, JsonValue } from "@procedo/contract";
import { resolvePointer } from "@procedo/procedure";

/** The target of a schema's `$ref` within the root schema; `undefined` without a `$ref` or for an external target. */
export function targetOf({ $ref: ref }: JsonObject, root: JsonObject): JsonObject | undefined {
  const target: JsonValue | undefined = typeof ref === "string" ? resolvePointer(root, ref) : undefined;
  return typeof target === "object" && target !== null && !Array.isArray(target) ? (target as JsonObject) : undefined;
}
