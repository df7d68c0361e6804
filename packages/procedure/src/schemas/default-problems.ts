import type { ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import { defaultSource, hasDefault, withDefaults } from "./input-defaults.ts";
import { allSchemas, isObject, sameValueSchemas } from "./schema-walk.ts";
import { compileValidation } from "./validation.ts";
import { violationOf } from "./violation.ts";

export interface DefaultProblems {
  /** Defaults that violate their own schemas: a start without such a member would be refused. */
  readonly wrong: readonly ErrorDetail[];
  /** Defaults that never apply, because of their position. */
  readonly unused: readonly ErrorDetail[];
}

/** A default and the JSON pointer of the schema that has it. */
interface Place {
  readonly path: string;
  readonly schema: JsonObject;
}

/** The problems of the defaults in an input's schema, with JSON pointers into the schema. */
export function defaultProblems(root: JsonObject): DefaultProblems {
  const places = [...allSchemas(root)].filter(({ schema }) => hasDefault(schema));
  if (places.length === 0) return { wrong: [], unused: [] };
  const members = memberSchemas(root);
  const unused = places.flatMap(({ path, schema }) => {
    const message = members.has(schema) ? noDefault(schema, root) : misplaced;
    return message === undefined ? [] : [{ path: `${path}/default`, message }];
  });
  const applied = places.filter(({ schema }) => members.has(schema) && noDefault(schema, root) === undefined);
  return { wrong: wrongDefaults(root, applied), unused };
}

const misplaced =
  "is not applied: only defaults of members under properties are, if reached through objects, lists, $ref and allOf. Move it there, or remove it.";

/** The reason why a member's default does not apply; `undefined` if it applies. */
function noDefault(schema: JsonObject, root: JsonObject): string | undefined {
  const counts = defaultSource(sameValueSchemas(schema, root), root) !== undefined;
  return counts
    ? undefined
    : "is not applied: its schema does not accept null. Let it accept null, or remove the default.";
}

/** Schemas of members that receive their defaults when they are left out. */
function memberSchemas(root: JsonObject): ReadonlySet<JsonObject> {
  const members = new Set<JsonObject>();
  const seen = new Set<JsonObject>();
  const open: JsonValue[] = [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const schema of sameValueSchemas(at, root)) {
      if (seen.has(schema)) continue;
      seen.add(schema);
      const { properties, items, prefixItems } = schema;
      for (const member of isObject(properties) ? Object.values(properties) : []) {
        if (member === undefined) continue;
        for (const one of sameValueSchemas(member, root)) members.add(one);
        open.push(member);
      }
      open.push(...partsOf(items), ...partsOf(prefixItems));
    }
  }
  return members;
}

function partsOf(items: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(items)) return items as readonly JsonValue[];
  return items === undefined ? [] : [items];
}

/** Compiles the schema once more for all defaults: each default is a member that has to fit the schema at its place. */
function wrongDefaults(root: JsonObject, places: readonly Place[]): readonly ErrorDetail[] {
  const completed = places.map(({ schema }) => completedDefault(schema, root));
  const endless = places.filter((_place, index) => completed[index] === undefined);
  const { $schema: dialect, ...input } = root;
  const properties = Object.fromEntries(places.map(({ path }, index) => [index, { $ref: `#/$defs/input${path}` }]));
  const schema = { ...(dialect !== undefined && { $schema: dialect }), properties, $defs: { input: moved(input) } };
  const compiled = compileValidation(schema, { unsupportedPatterns: "ignore" });
  const values = Object.fromEntries(completed.flatMap((value, index) => (value === undefined ? [] : [[index, value]])));
  // A schema that reaches the limits by itself is left to the start of a run.
  const errors = compiled.ok ? compiled.validation.check(values) : [];
  return [
    ...endless.map(({ path }) => ({ path: `${path}/default`, message: "contains itself without end." })),
    ...(typeof errors === "string" ? [] : errors).map(violationOf).map(({ path, message }) => {
      const [, index = "", ...inside] = path.split("/");
      const at = ["", ...inside].join("/");
      return {
        path: `${places[Number(index)]?.path ?? ""}/default${at}`,
        message: at === "" ? message : `does not fit: ${at} ${message}`,
      };
    }),
  ];
}

/** A default as a run receives it; `undefined` if completing it never ends. */
function completedDefault(schema: JsonObject, root: JsonObject): JsonValue | undefined {
  const once = withDefaults(schema["default"] ?? null, schema, root);
  const twice = once.ok ? withDefaults(once.value, schema, root) : once;
  return once.ok && twice.ok && twice.value === once.value ? once.value : undefined;
}

/** A schema whose references still resolve after it became the definition `input` of another schema. */
function moved(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(moved);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([keyword, part]) => {
      if (keyword !== "$ref" || typeof part !== "string") return [keyword, moved(part ?? null)];
      return [keyword, part === "#" || part.startsWith("#/") ? `#/$defs/input${part.slice(1)}` : part];
    }),
  );
}
