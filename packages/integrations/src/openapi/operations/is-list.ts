import type { JsonValue } from "@procedo/contract";

/** `Array.isArray` forgets what a readonly list holds. */
export const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);
