import type { JsonObject, JsonValue } from "@procedo/contract";

const milliseconds = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;

/**
 * The answer with the dates of Xero as ISO 8601: `/Date(1518685950940+0000)/` is `2018-02-15T09:12:30.940Z`. They are
 * milliseconds since the epoch; the offset, which is always that of UTC, changes nothing. A date without a time is at
 * midnight. Members without `Date` in their name keep their text.
 */
export function withIsoDates(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(withIsoDates);
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name.includes("Date") && typeof member === "string" ? isoOf(member) : withIsoDates(member),
  ]);
  return Object.fromEntries(members) as JsonObject;
}

function isoOf(text: string): string {
  const date = new Date(Number(milliseconds.exec(text)?.[1]));
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
