import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";

/** One place at which two JSON values differ. */
export interface JsonDifference {
  /** JSON pointer (RFC 6901); `""` is the whole value. */
  readonly path: string;
  /** `undefined` when the member is new. */
  readonly before: JsonValue | undefined;
  /** `undefined` when the member was removed. */
  readonly after: JsonValue | undefined;
}

/**
 * The differences between two JSON values, each at its deepest path. The order of an object's members is ignored. Pure.
 */
export function jsonDifferences(before: JsonValue, after: JsonValue): readonly JsonDifference[] {
  const found: JsonDifference[] = [];
  collect(before, after, "", found);
  return found;
}

function collect(before: JsonValue, after: JsonValue, path: string, found: JsonDifference[]): void {
  if (before === after) return;
  const beforeMembers = membersOf(before);
  const afterMembers = membersOf(after);
  if (beforeMembers === undefined || afterMembers === undefined || Array.isArray(before) !== Array.isArray(after)) {
    found.push({ path, before, after });
    return;
  }
  for (const name of new Set([...Object.keys(beforeMembers), ...Object.keys(afterMembers)])) {
    const place = path + jsonPointer([name]);
    const was = Object.hasOwn(beforeMembers, name) ? beforeMembers[name] : undefined;
    const is = Object.hasOwn(afterMembers, name) ? afterMembers[name] : undefined;
    if (was === undefined || is === undefined) found.push({ path: place, before: was, after: is });
    else collect(was, is, place, found);
  }
}

function membersOf(value: JsonValue): JsonObject | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Array.isArray(value) ? ({ ...value } as unknown as JsonObject) : (value as JsonObject);
}

/** Longer values are shortened; of a text, the part around the first difference is shown. */
const longestShown = 120;

/** A difference as one line for people: `/amount: 5 became 6`. Pure. */
export function describeDifference({ path, before, after }: JsonDifference): string {
  const place = path === "" ? "the whole" : path;
  if (before === undefined) return `${place}: ${shown(after ?? null, 0)} is new`;
  if (after === undefined) return `${place}: ${shown(before, 0)} is gone`;
  const bothText = typeof before === "string" && typeof after === "string";
  const at = bothText ? firstDifference(before, after) : 0;
  return `${place}: ${shown(before, at)} became ${shown(after, at)}`;
}

function shown(value: JsonValue, at: number): string {
  if (typeof value === "string") {
    if (value.length <= longestShown) return JSON.stringify(value);
    const from = Math.max(0, at - longestShown / 2);
    const part = value.slice(from, from + longestShown).toWellFormed();
    return `${from > 0 ? "…" : ""}${JSON.stringify(part)}${from + longestShown < value.length ? "…" : ""}`;
  }
  const text = JSON.stringify(value);
  return text.length <= longestShown ? text : `${text.slice(0, longestShown).toWellFormed()}…`;
}

function firstDifference(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return at;
}
