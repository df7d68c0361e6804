import type { JsonValue } from "@procedo/contract";
import { pointerTo } from "./pointer.ts";

export interface JsonBounds {
  /** How deep arrays and objects may nest; a scalar has depth 0. */
  readonly depth: number;
  /** How many values there may be in all, containers included. */
  readonly values: number;
}

export interface OutOfBounds {
  /** JSON pointer to the first place that does not fit. */
  readonly path: string;
  readonly message: string;
}

/**
 * The first reason why a value is not plain JSON within bounds, or `undefined`. What passes can be walked recursively,
 * printed, and copied key by key without meeting a cycle, a getter's surprise or a `__proto__` key.
 */
export function outOfBounds(value: unknown, bounds: JsonBounds): OutOfBounds | undefined {
  let left = bounds.values;

  function visit(at: unknown, path: readonly (string | number)[]): OutOfBounds | undefined {
    left -= 1;
    if (left < 0) return refuse([], `holds more than ${bounds.values} values; make it smaller.`);
    switch (typeof at) {
      case "string":
      case "boolean":
        return undefined;
      case "number":
        return Number.isFinite(at) ? undefined : refuse(path, `is ${at}, which JSON cannot hold.`);
      case "object":
        break;
      default:
        return refuse(path, `is ${at === undefined ? "undefined; leave the field out" : `a ${typeof at}`}, not JSON.`);
    }
    if (at === null) return undefined;
    if (path.length >= bounds.depth) return refuse(path, `nests deeper than ${bounds.depth} levels; make it flatter.`);
    if (Array.isArray(at)) {
      for (const [index, item] of (at as readonly unknown[]).entries()) {
        const refused = visit(item, [...path, index]);
        if (refused !== undefined) return refused;
      }
      return undefined;
    }
    const prototype: unknown = Object.getPrototypeOf(at);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      return refuse(path, "is an instance of a class, not a plain JSON object.");
    }
    for (const [key, item] of Object.entries(at)) {
      if (key === "__proto__") return refuse([...path, key], "is a reserved name; choose another one.");
      const refused = visit(item, [...path, key]);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  return visit(value, []);
}

function refuse(path: readonly (string | number)[], message: string): OutOfBounds {
  return { path: pointerTo(...path), message };
}

/** Whether a value nests at most `limit` levels of arrays and objects; a scalar has depth 0. Never recurses deeper than that. */
export function fitsDepth(value: JsonValue, limit: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (limit <= 0) return false;
  for (const item of Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value)) {
    if (!fitsDepth(item, limit - 1)) return false;
  }
  return true;
}
