import type { JsonValue } from "@procedo/contract";
import { exactOfSymbol } from "./number-keyword.ts";

/** Counts the work of a comparison; throws to abort it. */
export type Spend = (steps: number) => void;

const charactersPerStep = 8;

/** Whether a value is one of `values`, in time that depends on the value, not on their number. */
export function membershipOf(values: readonly JsonValue[]): (value: JsonValue, spend: Spend) => boolean {
  const scalars = new Set<JsonValue>();
  const containers = new Set<string>();
  let longest = 0;
  for (const value of values) {
    if (isContainer(value)) containers.add(canonicalText(value, free));
    else scalars.add(value);
    if (typeof value === "string") longest = Math.max(longest, value.length);
  }
  return (value, spend) => {
    if (isContainer(value)) return containers.size > 0 && containers.has(canonicalText(value, spend));
    return (typeof value !== "string" || value.length <= longest) && scalars.has(value);
  };
}

/** Two equal items: `i` is the first that repeats an earlier one, `j`. */
export interface EqualItems {
  readonly i: number;
  readonly j: number;
}

/** The first item that equals an earlier one, in time linear in the size of the list. */
export function firstEqualItems(items: readonly JsonValue[], spend: Spend): EqualItems | undefined {
  const scalars = new Map<JsonValue, number>();
  const containers = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    let j: number | undefined;
    if (isContainer(item)) {
      const text = canonicalText(item, spend);
      j = containers.get(text);
      containers.set(text, i);
    } else {
      spend(scalarSteps(item));
      j = scalars.get(item);
      scalars.set(item, i);
    }
    if (j !== undefined) return { i, j };
  }
  return undefined;
}

/**
 * A text that two values share if and only if they are equal in JSON Schema: 1.0 equals 1, and the order of members
 * does not matter.
 */
export function canonicalText(value: JsonValue | symbol, spend: Spend): string {
  // A number beyond a double; see number-keyword.ts.
  if (typeof value === "symbol") return exactOfSymbol(value).key;
  if (!isContainer(value)) {
    spend(scalarSteps(value));
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    spend(10);
    return `[${(value as readonly JsonValue[]).map((item) => canonicalText(item, spend)).join()}]`;
  }
  const names = Object.keys(value).sort();
  spend(10 + 2 * names.length);
  const members = names.map((name) => {
    spend(scalarSteps(name));
    return `${JSON.stringify(name)}:${canonicalText((value as Record<string, JsonValue>)[name] ?? null, spend)}`;
  });
  return `{${members.join()}}`;
}

function scalarSteps(value: JsonValue): number {
  return typeof value === "string" ? 10 + Math.floor(value.length / charactersPerStep) : 10;
}

function isContainer(value: JsonValue): value is Extract<JsonValue, object> {
  return typeof value === "object" && value !== null;
}

const free: Spend = () => undefined;
