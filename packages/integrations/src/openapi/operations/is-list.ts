import type { JsonValue } from "@procedo/contract";

/** `Array.isArray` loses the element type of a readonly list. */
export const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);
