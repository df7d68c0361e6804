import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";

/** One schema of the document as it is translated: what a `$ref` names, or what stands in an operation. */
export interface SchemaUnit {
  /** Where it stands in the document. */
  readonly pointer: string;
  /** Under `$defs`; `""` for what no `$ref` names. */
  readonly name: string;
  schema: JsonObject;
  readonly problems: ImportProblem[];
  /** Whether there is a `oneOf` or `anyOf` in it. */
  hasAlternatives: boolean;
  /** What it refers to, each once. */
  uses: Set<SchemaUnit>;
  /** Its schemas that apply to one and the same value; the first group is the unit's own value, the others are parts of it. */
  readonly groups: SchemaGroup[];
}

export interface SchemaGroup {
  /** How many schemas there are in it. */
  applied: number;
  references: Reference[];
}

export interface Reference {
  /** `{ $ref }` in the translated schema; emptied when the reference has to go. */
  readonly node: Record<string, JsonValue>;
  readonly target: SchemaUnit;
  /** From the unit's own place to the schema that is the reference. */
  readonly path: readonly (string | number)[];
}

export function createUnit(pointer: string, name: string): SchemaUnit {
  return { pointer, name, schema: {}, problems: [], hasAlternatives: false, uses: new Set(), groups: [] };
}

/** The units that a translated schema refers to, each once. */
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

/** Stands where a schema was cut: any value is taken. */
export const cutSchema: JsonObject = { description: "Not described further: the schema goes on beyond what is kept." };
