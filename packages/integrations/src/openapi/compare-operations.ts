import { isDeepStrictEqual } from "node:util";
import type { ImportedOperation } from "./imported-api.ts";

/**
 * Names of actions. Each action of `after` is in at most one list, except that `changed` and `deprecated` may both
 * contain it.
 */
export interface OperationChanges {
  /** Actions that `before` does not have. */
  readonly added: readonly string[];
  /** The call differs: arguments, their places and encoding, method, path, body or effect. */
  readonly changed: readonly string[];
  /** Newly marked as deprecated. */
  readonly deprecated: readonly string[];
  /** The same method and path under another name. */
  readonly renamed: readonly {
    /** The former name. */
    readonly from: string;
    /** The new name. */
    readonly to: string;
  }[];
  /** Actions that `after` does not have. */
  readonly removed: readonly string[];
}

/** Compares two versions of a document from the view of a caller. Outputs and descriptions are ignored. */
export function compareOperations(
  before: readonly ImportedOperation[],
  after: readonly ImportedOperation[],
): OperationChanges {
  const old = new Map(before.map((operation) => [operation.name, operation]));
  const now = new Map(after.map((operation) => [operation.name, operation]));
  const gone = new Map(before.filter(({ name }) => !now.has(name)).map((operation) => [placeOf(operation), operation]));
  const added: string[] = [];
  const changed: string[] = [];
  const deprecated: string[] = [];
  const renamed: { from: string; to: string }[] = [];
  for (const operation of after) {
    const { name } = operation;
    const same = old.get(name) ?? gone.get(placeOf(operation));
    if (same === undefined) {
      added.push(name);
      continue;
    }
    if (same.name !== name) {
      renamed.push({ from: same.name, to: name });
      gone.delete(placeOf(operation));
    }
    if (!isDeepStrictEqual(callOf(same), callOf(operation))) changed.push(name);
    if (operation.deprecated && !same.deprecated) deprecated.push(name);
  }
  const moved = new Set(renamed.map(({ from }) => from));
  const removed = before.map(({ name }) => name).filter((name) => !now.has(name) && !moved.has(name));
  return { added, changed, deprecated, renamed, removed };
}

const placeOf = ({ method, path }: ImportedOperation): string => `${method} ${path}`;

/** The parts of an operation that affect a call, independent of their order in the document. */
function callOf({ method, path, effect, input, inputs, body }: ImportedOperation): unknown {
  const byName = inputs.toSorted((a, b) => (a.input < b.input ? -1 : 1));
  return { method, path, effect, input: asCalled(input, "schema"), inputs: byName, body };
}

/** A schema without its texts, and with lists that are sets sorted. */
function asCalled(value: unknown, kind: "schema" | "map" | "data"): unknown {
  if (kind === "data" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => asCalled(item, "schema"));
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (kind === "map") return [[name, asCalled(member, "schema")]];
    if (name === "description" || name === "title" || name === "deprecated") return [];
    if (name === "required" && Array.isArray(member)) return [[name, member.toSorted()]];
    if (name === "properties" || name === "$defs" || name === "patternProperties")
      return [[name, asCalled(member, "map")]];
    return [[name, asCalled(member, name === "enum" || name === "const" || name === "default" ? "data" : "schema")]];
  });
  return Object.fromEntries(entries);
}
