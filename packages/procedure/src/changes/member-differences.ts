import type { JsonValue } from "@procedo/contract";
import { canonicalText } from "../schemas/json-equality.ts";
import { isList, isObject } from "./node-references.ts";

/** A place at which two values differ. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/**
 * The innermost places at which two values differ, in the order of the later one. Lists are compared item by item if
 * they have as many items and all of them are objects of the same `name`; any other list differs as a whole.
 *
 * @param expected `before` with the references to renamed nodes replaced, which is compared with `after`
 */
export function memberDifferences(
  before: JsonValue | undefined,
  expected: JsonValue | undefined,
  after: JsonValue | undefined,
  path: readonly (string | number)[] = [],
): readonly Difference[] {
  if (isObject(expected) && isObject(after) && isObject(before)) {
    const gone = Object.keys(expected).filter((name) => !Object.hasOwn(after, name));
    return [...Object.keys(after), ...gone].flatMap((name) =>
      memberDifferences(own(before, name), own(expected, name), own(after, name), [...path, name]),
    );
  }
  if (isList(expected) && isList(after) && isList(before) && areAlike(expected, after)) {
    return after.flatMap((item, index) => memberDifferences(before[index], expected[index], item, [...path, index]));
  }
  if (isSame(expected, after)) return [];
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

function own(object: Readonly<Record<string, JsonValue>>, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function areAlike(one: readonly JsonValue[], other: readonly JsonValue[]): boolean {
  if (one.length !== other.length) return false;
  return one.every((item, index) => {
    const its = other[index];
    return isObject(item) && isObject(its) && own(item, "name") === own(its, "name");
  });
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || canonicalText(one, () => undefined) === canonicalText(other, () => undefined);
}
