/* The fields of a JSON Schema as a list, to be read. */
import { plainHint } from "./plain-hint.ts";

type Schema = Readonly<Record<string, unknown>>;

export interface SchemaRow {
  /** Path of property names; `[]` stands for an item of a list. */
  readonly path: string;
  /** Title of the schema, else the last name of the path. */
  readonly label: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

const maxDepth = 5;

export function schemaRows(schema: unknown): readonly SchemaRow[] {
  return isSchema(schema) ? membersOf(schema, "", schema, 0) : [];
}

function membersOf(schema: Schema, path: string, root: Schema, depth: number): readonly SchemaRow[] {
  const { properties, required } = schema;
  if (!isSchema(properties) || depth === maxDepth) return [];
  const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
  return Object.entries(properties).flatMap(([name, given]) => {
    const member = resolved(given, root);
    const at = path === "" ? name : `${path}.${name}`;
    const { title, description, items } = member;
    const field: SchemaRow = {
      path: at,
      label: typeof title === "string" && title !== "" ? title : name,
      type: typeWords(member, root),
      isRequired: needed.includes(name),
      description: typeof description === "string" && description !== "" ? plainHint(description) : undefined,
    };
    const below = isSchema(items)
      ? membersOf(resolved(items, root), `${at}[]`, root, depth + 1)
      : membersOf(member, at, root, depth + 1);
    return [field, ...below];
  });
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "yes or no",
  object: "object",
  array: "list",
  null: "null",
};

const bounds: readonly (readonly [keyword: string, words: string])[] = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
];

/** The limits of a value, such as `1 to 22 characters`. */
function limitWords(schema: Schema): readonly string[] {
  const given = ([keyword, words]: (typeof bounds)[number]): readonly string[] => {
    const limit = schema[keyword];
    // Those of every number that JavaScript counts with tell a reader nothing.
    const isUsual = typeof limit === "number" && Math.abs(limit) === Number.MAX_SAFE_INTEGER;
    return limit === undefined || isUsual ? [] : [`${words} ${JSON.stringify(limit)}`];
  };
  return [
    ...bounds.flatMap(given),
    ...countWords(schema["minLength"], schema["maxLength"], "character"),
    ...countWords(schema["minItems"], schema["maxItems"], "item"),
    ...given(["pattern", "pattern"]),
    ...given(["default", "default"]),
  ];
}

function countWords(least: unknown, most: unknown, noun: string): readonly string[] {
  const count = (limit: number): string => `${limit} ${noun}${limit === 1 ? "" : "s"}`;
  const isLeast = typeof least === "number" && least > 0;
  if (typeof most !== "number") return isLeast ? [`at least ${count(least)}`] : [];
  if (!isLeast) return [`at most ${count(most)}`];
  return [least === most ? count(most) : `${least} to ${count(most)}`];
}

function typeWords(schema: Schema, root: Schema): string {
  const { type, format, items } = schema;
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  const limits = limitWords(schema);
  if (Array.isArray(values)) {
    return [`one of ${values.map((value) => JSON.stringify(value)).join(", ")}`, ...limits].join(", ");
  }
  const names = (Array.isArray(type) ? type : [type]).map((name) => typeNames[String(name)] ?? "any value");
  const base =
    isSchema(items) && type === "array"
      ? `list of ${typeWords(resolved(items, root), root)}`
      : typeof format === "string"
        ? format
        : names.join(" or ");
  return [base, ...limits].join(", ");
}

/** Follows references within the document. */
function resolved(given: unknown, root: Schema): Schema {
  let schema = given;
  for (let steps = 0; steps < 10 && isSchema(schema); steps++) {
    const { $ref } = schema;
    if (typeof $ref !== "string" || !$ref.startsWith("#")) return schema;
    schema = $ref
      .slice(1)
      .split("/")
      .slice(1)
      .reduce<unknown>(
        (value, token) => (isSchema(value) ? value[token.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
        root,
      );
  }
  return isSchema(schema) ? schema : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
