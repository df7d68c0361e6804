import type { JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";

/** Limits on depth and size of a JSON value. */
export interface JsonBounds {
  /** Maximum nesting depth of arrays and objects; a scalar has depth 0. */
  readonly depth: number;
  /** Maximum number of values, including containers. */
  readonly values: number;
}

/** The place at which a JSON value exceeds its limits. */
export interface OutOfBounds {
  /** JSON pointer of the first value that exceeds the limits. */
  readonly path: string;
  /** The reason, which continues a sentence that begins with the value. */
  readonly message: string;
}

/**
 * The first reason why a value is not plain JSON within bounds, or `undefined`. An accepted value can be traversed
 * recursively, serialized, and copied key by key without a cycle, a getter or a `__proto__` key.
 */
export function outOfBounds(value: unknown, bounds: JsonBounds): OutOfBounds | undefined {
  let left = bounds.values;
  // Only a refusal has a path, collected from the inside out, so that an accepted value costs no allocation.
  const path: (string | number)[] = [];

  /** The reason why `at`, inside `depth` containers, is refused. */
  function refusal(at: unknown, depth: number): string | undefined {
    left -= 1;
    if (left < 0) return tooMany;
    switch (typeof at) {
      case "string":
      case "boolean":
        return undefined;
      case "number":
        return Number.isFinite(at) ? undefined : `is ${at}, which JSON cannot hold.`;
      case "undefined":
        return "is undefined, not JSON; leave the field out.";
      case "object":
        break;
      default:
        return `is a ${typeof at}, not JSON.`;
    }
    if (at === null) return undefined;
    if (depth >= bounds.depth) return `nests deeper than ${bounds.depth} levels; make it flatter.`;
    return Array.isArray(at) ? refusalInList(at as readonly unknown[], depth) : refusalInObject(at, depth);
  }

  function refusalInList(list: readonly unknown[], depth: number): string | undefined {
    for (let index = 0; index < list.length; index += 1) {
      const refused = refusal(list[index], depth + 1);
      if (refused === undefined) continue;
      path.push(index);
      return refused;
    }
    return undefined;
  }

  function refusalInObject(object: object, depth: number): string | undefined {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      return "is an instance of a class, not a plain JSON object.";
    }
    for (const key of Object.keys(object)) {
      const refused =
        key === "__proto__"
          ? "is a reserved name; choose another one."
          : refusal((object as Readonly<Record<string, unknown>>)[key], depth + 1);
      if (refused === undefined) continue;
      path.push(key);
      return refused;
    }
    return undefined;
  }

  const tooMany = `holds more than ${bounds.values} values; make it smaller.`;
  const message = refusal(value, 0);
  if (message === undefined) return undefined;
  return { path: message === tooMany ? "" : jsonPointer(path.reverse()), message };
}

/**
 * Whether a value nests at most `limit` levels of arrays and objects; a scalar has depth 0. The recursion never exceeds
 * that depth.
 */
export function fitsDepth(value: JsonValue, limit: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (limit <= 0) return false;
  for (const item of Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value)) {
    if (!fitsDepth(item, limit - 1)) return false;
  }
  return true;
}
