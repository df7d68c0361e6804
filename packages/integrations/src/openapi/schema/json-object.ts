import type { JsonObject, JsonValue } from "@procedo/contract";

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object's own member; inherited ones such as `constructor` are ignored. */
export const own = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
