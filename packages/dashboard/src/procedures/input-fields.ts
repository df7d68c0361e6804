/* The input of a procedure as a list of fields, from its JSON Schema. */

type Schema = Readonly<Record<string, unknown>>;

export interface InputField {
  /** Path of property names; `[]` stands for an item of a list. */
  readonly path: string;
  /** Title of the schema, else the last name of the path. */
  readonly label: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

const maxDepth = 5;

export function inputFields(schema: unknown): readonly InputField[] {
  return isSchema(schema) ? membersOf(schema, "", schema, 0) : [];
}

function membersOf(schema: Schema, path: string, root: Schema, depth: number): readonly InputField[] {
  const { properties, required } = schema;
  if (!isSchema(properties) || depth === maxDepth) return [];
  const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
  return Object.entries(properties).flatMap(([name, given]) => {
    const member = resolved(given, root);
    const at = path === "" ? name : `${path}.${name}`;
    const { title, description, items } = member;
    const field: InputField = {
      path: at,
      label: typeof title === "string" && title !== "" ? title : name,
      type: typeWords(member, root),
      isRequired: needed.includes(name),
      description: typeof description === "string" && description !== "" ? description : undefined,
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

const limits: readonly (readonly [keyword: string, words: string])[] = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["minLength", "characters at least"],
  ["maxLength", "characters at most"],
  ["minItems", "items at least"],
  ["maxItems", "items at most"],
  ["pattern", "pattern"],
  ["default", "default"],
];

function typeWords(schema: Schema, root: Schema): string {
  const { type, format, items } = schema;
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  const limitWords = limits.flatMap(([keyword, words]) =>
    schema[keyword] === undefined ? [] : [`${words} ${JSON.stringify(schema[keyword])}`],
  );
  if (Array.isArray(values)) {
    return [`one of ${values.map((value) => JSON.stringify(value)).join(", ")}`, ...limitWords].join(", ");
  }
  const names = (Array.isArray(type) ? type : [type]).map((name) => typeNames[String(name)] ?? "any value");
  const base =
    isSchema(items) && type === "array"
      ? `list of ${typeWords(resolved(items, root), root)}`
      : typeof format === "string"
        ? format
        : names.join(" or ");
  return [base, ...limitWords].join(", ");
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
