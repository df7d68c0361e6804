import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";

/** One translated schema of the document: the target of a `$ref`, or a schema within an operation. */
export interface SchemaUnit {
  /** Its place in the document. */
  readonly pointer: string;
  /** Its name under `$defs`; `""` when no `$ref` refers to it. */
  readonly name: string;
  schema: JsonObject;
  readonly problems: ImportProblem[];
  /** Whether it contains a `oneOf` or `anyOf`. */
  hasAlternatives: boolean;
  /** Its references, without duplicates. */
  uses: Set<SchemaUnit>;
  /**
   * Its subschemas, grouped by the value to which they apply. The first group applies to the unit's own value, the
   * others to its parts.
   */
  readonly groups: SchemaGroup[];
}

export interface SchemaGroup {
  /** Number of its subschemas. */
  applied: number;
  references: Reference[];
}

export interface Reference {
  /** `{ $ref }` in the translated schema; emptied when the reference is removed. */
  readonly node: Record<string, JsonValue>;
  readonly target: SchemaUnit;
  /** Path from the unit to the reference. */
  readonly path: readonly (string | number)[];
}

export function createUnit(pointer: string, name: string): SchemaUnit {
  return { pointer, name, schema: {}, problems: [], hasAlternatives: false, uses: new Set(), groups: [] };
}

/** The units to which a translated schema refers, without duplicates. */
export function referredTo(schema: JsonValue, unitNamed: (name: string) => SchemaUnit | undefined): Set<SchemaUnit> {
  const units = new Set<SchemaUnit>();
  const unread: JsonValue[] = [schema];
  for (let at = unread.pop(); at !== undefined; at = unread.pop()) {
    if (typeof at !== "object" || at === null) continue;
    const { $ref } = at as JsonObject;
    const unit = typeof $ref === "string" ? unitNamed($ref.slice("#/$defs/".length)) : undefined;
    if (unit !== undefined) units.add(unit);
    for (const inner of Object.values(at)) unread.push(inner);
  }
  return units;
}

/** Replaces a schema that was cut; accepts any value. */
export const cutSchema: JsonObject = { description: "Not described further: the schema exceeds the limit." };
