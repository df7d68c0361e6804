import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "../schema/json-object.ts";
import type { SchemaBounds } from "../schema/schema-translator.ts";
import { isList } from "./is-list.ts";

/** Steps that a document may cost in addition to its own length. GitHub's costs 150,000. */
const maxSteps = 5_000_000;
/** Cost of an input, which is kept in memory. */
export const stepsOfInput = 20;
/** Limit of the entries in all `$defs`, whose definitions are shared. The largest published documents need 20,000. */
const maxDefinitions = 200_000;
/** Limit of a schema after the definitions are used up. */
const scarce: SchemaBounds = { values: 100 };

/**
 * Limits the cost of a document with many references: 25,000 operations with a shared body of a thousand members have
 * 25,000,000 inputs.
 */
export interface ReadingRoom {
  /** Whether the budget is exhausted. */
  readonly isFull: boolean;
  charge(steps: number): void;
  /** Charges for reading a shared part again. */
  chargeFor(pointer: string, value: JsonObject): void;
  /** @param bounds - used while definitions remain; `undefined` for the default */
  boundsOf(bounds?: SchemaBounds): SchemaBounds;
  /** Counts an assembled schema and returns it. */
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

/** The number of nested values, counted up to `most`. */
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
