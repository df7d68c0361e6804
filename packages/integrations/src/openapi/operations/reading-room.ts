import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "../schema/json-object.ts";
import type { SchemaBounds } from "../schema/schema-translator.ts";
import { isList } from "./is-list.ts";

/** Steps that a document may take beyond those that its own length takes. GitHub's takes 150,000. */
const maxSteps = 5_000_000;
/** What an input costs: it is kept. */
export const stepsOfInput = 20;
/** Entries of all schemas' `$defs`, which share what they name. The largest documents that are published take 20,000. */
const maxDefinitions = 200_000;
/** What a schema may hold when they are used up. */
const scarce: SchemaBounds = { values: 100 };

/**
 * Keeps a document made of references within bounds: 25,000 operations that share a body of a thousand members are
 * 25,000,000 inputs.
 */
export interface ReadingRoom {
  /** Whether nothing more can be read. */
  readonly isFull: boolean;
  charge(steps: number): void;
  /** Charges for reading a shared part once more. */
  chargeFor(pointer: string, value: JsonObject): void;
  /** @param bounds - while there is room; `undefined`: the default */
  boundsOf(bounds?: SchemaBounds): SchemaBounds;
  /** Counts an assembled schema, and answers it. */
  keep(schema: JsonObject): JsonObject;
}

export function createReadingRoom(): ReadingRoom {
  let steps = maxSteps;
  let definitions = maxDefinitions;
  const sizes = new Map<string, number>();
  return {
    get isFull() {
      return steps <= 0;
    },
    charge(amount) {
      steps -= amount;
    },
    chargeFor(pointer, value) {
      const size = sizes.get(pointer) ?? sizeOf(value, steps);
      sizes.set(pointer, size);
      steps -= size;
    },
    boundsOf: (bounds = {}) => (definitions > 0 ? bounds : scarce),
    keep(schema) {
      definitions -= Object.keys(schema["$defs"] ?? {}).length;
      return schema;
    },
  };
}

/** How many values there are in it, counted to `most` and no further. */
function sizeOf(value: JsonValue, most: number): number {
  const uncounted: JsonValue[] = [value];
  let size = 0;
  for (let at = uncounted.pop(); at !== undefined && size <= most; at = uncounted.pop()) {
    size += 1;
    const inside = isList(at) ? at : isObject(at) ? Object.values(at) : [];
    for (const inner of inside) uncounted.push(inner);
  }
  return size;
}
