import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { ApiDocument } from "../document/api-document.ts";
import type { ImportProblem } from "../imported-api.ts";
import { createAlternativeLoosener } from "./alternatives.ts";
import { assembleSchema, referenceAlone } from "./assemble-schema.ts";
import { createDefinitionNames, schemasAt } from "./definition-names.ts";
import { alternativeRule } from "./discriminator.ts";
import { createEndlessReferences } from "./endless-references.ts";
import { isObject, own } from "./json-object.ts";
import { createLeftOutMembers } from "./left-out-members.ts";
import { removeLostNegations } from "./lost-negations.ts";
import { anyValueHere, lostSchema, resolveSchema } from "./lost-schema.ts";
import { membersOfSchema, type Members } from "./members.ts";
import { findNeededReferences, type NeededReference } from "./needed-references.ts";
import { createPatternReader } from "./patterns.ts";
import { createReachedErrors } from "./reached-errors.ts";
import type { NodeContext } from "./node-context.ts";
import type { References } from "./references.ts";
import { defaultSchemaWeight } from "./schema-bounds.ts";
import { createSatisfiableSchemas } from "./satisfiable-schemas.ts";
import { createUnit, referredTo, type SchemaGroup, type SchemaUnit } from "./schema-unit.ts";
import { translateUnit } from "./translate-node.ts";
import type { SchemaPurpose } from "./schema-purpose.ts";

/**
 * Translates the document's schemas to JSON Schema (2020-12) for one purpose. Each referenced schema is translated once
 * and shared. Results refer to `#/$defs/Name`, and are complete only after {@link assemble}.
 */
export interface SchemaTranslator {
  /**
   * Translates the schema at `pointer`. For a Swagger 2.0 parameter or header, `schema` is the object without its
   * boolean `required`, which schemas lack; other members of parameters are ignored.
   */
  translate(schema: JsonValue, pointer: string): TranslatedSchema;
  /** The members of a translated schema; `undefined` when its values are not, or not only, objects. */
  membersOf(schema: JsonObject): Members | undefined;
  /** The references without a target on which every value of a translated schema depends. */
  neededReferences(schema: JsonObject): readonly NeededReference[];
  /** The target of a `$ref` in a translated schema, before {@link assemble}. */
  definition(ref: JsonValue): JsonObject | undefined;
  /**
   * Adds the `$defs` that a schema reaches, so that the result is self-contained. When it exceeds the limits, the parts
   * farthest from the root accept any value and say so in a description. The result is shared and must not be changed.
   */
  assemble(schema: JsonObject, bounds?: SchemaBounds): JsonObject;
}

export interface SchemaBounds {
  /** Maximum number of values, where a text counts once more per 200 characters. `@defaultValue 9000` */
  readonly values?: number;
}

export interface TranslatedSchema {
  readonly schema: JsonObject;
  /**
   * Problems of the schema and of referenced schemas that were not reported before; each problem is reported once. If
   * all errors were reported before, one of them is repeated.
   */
  readonly problems: readonly ImportProblem[];
}

export function createSchemaTranslator(
  { dialect }: Pick<ApiDocument, "dialect">,
  references: References,
  purpose: SchemaPurpose,
): SchemaTranslator {
  const nameOf = createDefinitionNames(dialect);
  const leftOutMembers = createLeftOutMembers(references, purpose);
  const endless = createEndlessReferences();
  const components = new Map<string, SchemaUnit>();
  const byName = new Map<string, SchemaUnit>();
  const definition = (name: string): JsonObject | undefined => byName.get(name)?.schema;
  const loosener = createAlternativeLoosener(definition);
  const satisfiable = createSatisfiableSchemas(definition);
  const errors = createReachedErrors();
  const members = new Map<string, { readonly found: Members | undefined }>();
  const assembled = new Map<string, JsonObject>();
  const needed = new Map<string, readonly NeededReference[]>();
  let hasLostReferences = false;
  let waiting: { readonly unit: SchemaUnit; readonly schema: JsonValue }[] = [];

  /** The unit of a `$ref` target. It is translated later, because chains of references could exhaust the stack. */
  function component(pointer: string, schema: JsonValue, variant = ""): SchemaUnit {
    const key = pointer + variant;
    let unit = components.get(key);
    if (unit === undefined) {
      unit = createUnit(pointer, nameOf(key));
      components.set(key, unit);
      byName.set(unit.name, unit);
      waiting.push({ unit, schema });
    }
    return unit;
  }

  /** The queue of units to translate. */
  let current = createUnit("", "");
  const path: (string | number)[] = [];
  const report: NodeContext["report"] = (severity, message, ...at) => {
    current.problems.push({ severity, pointer: current.pointer + jsonPointer([...path, ...at]), message });
  };
  function lose(keyword: string, message: string): JsonObject {
    report("warning", anyValueHere(message), keyword);
    hasLostReferences = true;
    return lostSchema({ pointer: current.pointer + jsonPointer([...path, keyword]), message }, purpose);
  }
  const context: NodeContext = {
    dialect,
    lose,
    purpose,
    path,
    report,
    readPattern: createPatternReader(),
    ...leftOutMembers,
    openGroup() {
      const group: SchemaGroup = { applied: 0, references: [] };
      current.groups.push(group);
      return group;
    },
    refer(ref, group, asPart) {
      const found = resolveSchema(references, ref);
      if (!found.ok) return lose("$ref", found.message);
      const base =
        asPart && listsAsAlternative(found.value, current.pointer) ? withoutAlternatives(found.value) : undefined;
      const target =
        base === undefined
          ? component(found.pointer, found.value)
          : component(found.pointer, base, "/without alternatives");
      const node: Record<string, JsonValue> = { $ref: `#/$defs/${target.name}` };
      current.uses.add(target);
      group.references.push({ node, target, path: [...path] });
      return node;
    },
    alternativeRule(schema) {
      current.hasAlternatives = true;
      return alternativeRule(schema, (ref) => references.resolve(ref), schemasAt[dialect]);
    },
  };

  /**
   * A parent that lists its children in `oneOf` and is part of each child. The child refers to the parent's own
   * members.
   */
  function listsAsAlternative(parent: JsonValue, child: string): parent is JsonObject {
    if (!isObject(parent)) return false;
    return ["oneOf", "anyOf"].some((keyword) => {
      const list = own(parent, keyword);
      return (
        Array.isArray(list) &&
        (list as readonly JsonValue[]).some((alternative) => {
          const found = references.follow(alternative, "");
          return found.ok && found.pointer === child;
        })
      );
    });
  }

  function translateAll(first: SchemaUnit, schema: JsonValue): readonly SchemaUnit[] {
    const translated: SchemaUnit[] = [];
    waiting.push({ unit: first, schema });
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      current = next.unit;
      current.schema = translateUnit(context, next.schema);
      translated.push(next.unit);
    }
    waiting = [];
    endless.settle(translated);
    if (hasLostReferences) for (const { schema: made } of translated) removeLostNegations(made, definition);
    errors.settle(translated);
    mend(translated);
    if (purpose === "request") {
      for (const { schema: made, hasAlternatives } of translated) if (hasAlternatives) loosener.loosen(made);
    }
    return translated;
  }

  function mend(units: readonly SchemaUnit[]): void {
    let changed = false;
    for (const unit of units) {
      const warn = (pointer: string, message: string) =>
        unit.problems.push({ severity: "warning", pointer: unit.pointer + pointer, message });
      changed = satisfiable.mend(unit.schema, warn) || changed;
    }
    // A schema with merged members also has the references of their source.
    if (changed) for (const unit of units) unit.uses = referredTo(unit.schema, (name) => byName.get(name));
  }

  function problemsOf(unit: SchemaUnit, translated: readonly SchemaUnit[]): readonly ImportProblem[] {
    const problems: ImportProblem[] = [];
    for (const each of translated) for (const problem of each.problems) problems.push(problem);
    const error = errors.of(unit);
    if (error !== undefined && !problems.some(({ severity }) => severity === "error")) problems.push(error);
    return problems;
  }

  /**
   * A member that several parts describe becomes an `allOf` here. The parts themselves were already corrected and
   * reported.
   */
  function mendedMembers(schema: JsonObject): Members | undefined {
    const found = membersOfSchema(schema, definition);
    for (const member of found?.properties.values() ?? []) satisfiable.mend(member, () => undefined);
    return found;
  }

  return {
    translate(schema, pointer) {
      const unit = createUnit(pointer, "");
      const translated = translateAll(unit, schema);
      return { schema: unit.schema, problems: problemsOf(unit, translated) };
    },
    membersOf(schema) {
      const name = referenceAlone(schema);
      if (name === undefined) return mendedMembers(schema);
      // Cached, because many operations share their schemas.
      const known = members.get(name) ?? { found: mendedMembers(schema) };
      members.set(name, known);
      return known.found;
    },
    neededReferences(schema) {
      if (!hasLostReferences) return [];
      const name = referenceAlone(schema);
      if (name === undefined) return findNeededReferences(schema, definition);
      const known = needed.get(name) ?? findNeededReferences(schema, definition);
      needed.set(name, known);
      return known;
    },
    definition: (ref) => (typeof ref === "string" ? definition(ref.slice("#/$defs/".length)) : undefined),
    assemble(schema, { values = defaultSchemaWeight } = {}) {
      const name = referenceAlone(schema);
      if (name === undefined) return assembleSchema(schema, values, (each) => byName.get(each));
      const key = `${values} ${name}`;
      const known = assembled.get(key) ?? assembleSchema(schema, values, (each) => byName.get(each));
      assembled.set(key, known);
      return known;
    },
  };
}

function withoutAlternatives(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !["oneOf", "anyOf", "discriminator"].includes(keyword)),
  );
}
