/* The fields of a form, from a JSON Schema. What no field can express is entered as JSON. */

export type SchemaObject = { readonly [keyword: string]: unknown };

interface FieldFacts {
  /** Title of the schema, else the property's name. */
  readonly label: string;
  readonly hint?: string;
  readonly isRequired: boolean;
}

export type FormField = FieldFacts &
  (
    | { readonly kind: "text"; readonly format?: string; readonly maxLength?: number }
    | { readonly kind: "number"; readonly isInteger: boolean }
    | { readonly kind: "boolean" }
    | {
        readonly kind: "choice";
        readonly choices: readonly string[];
        /** JSON text of each. */ readonly texts: readonly string[];
      }
    | { readonly kind: "object"; readonly members: readonly (readonly [name: string, field: FormField])[] }
    | { readonly kind: "list"; readonly item: FormField }
    | { readonly kind: "json" }
  );

const maxDepth = 4;

/** The field of a schema. Nested deeper than 4 levels, it is entered as JSON. */
export function formField(schema: unknown, label: string, isRequired: boolean): FormField {
  return fieldOf(schema, label, isRequired, { root: schema, depth: 0 });
}

interface Place {
  readonly root: unknown;
  readonly depth: number;
}

function fieldOf(given: unknown, name: string, isRequired: boolean, place: Place): FormField {
  const schema = resolved(given, place.root);
  const facts = {
    label: textIn(schema, "title") ?? name,
    ...(textIn(schema, "description") !== undefined && { hint: textIn(schema, "description") }),
    isRequired,
  } as FieldFacts;
  if (schema === undefined || place.depth > maxDepth) return { ...facts, kind: "json" };
  const choices = choicesOf(schema);
  if (choices !== undefined) return { ...facts, kind: "choice", ...choices };
  switch (typeOf(schema)) {
    case "string": {
      const [format, maxLength] = [textIn(schema, "format"), schema["maxLength"]];
      return {
        ...facts,
        kind: "text",
        ...(format !== undefined && { format }),
        ...(typeof maxLength === "number" && { maxLength }),
      };
    }
    case "integer":
      return { ...facts, kind: "number", isInteger: true };
    case "number":
      return { ...facts, kind: "number", isInteger: false };
    case "boolean":
      return { ...facts, kind: "boolean" };
    case "object": {
      const properties = schema["properties"];
      if (!isSchema(properties) || "patternProperties" in schema) return { ...facts, kind: "json" };
      const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly unknown[]) : [];
      const deeper = { ...place, depth: place.depth + 1 };
      const members = Object.entries(properties).map(
        ([key, member]) => [key, fieldOf(member, key, required.includes(key), deeper)] as const,
      );
      return { ...facts, kind: "object", members };
    }
    case "array": {
      if (!isSchema(schema["items"])) return { ...facts, kind: "json" };
      const deeper = { ...place, depth: place.depth + 1 };
      return { ...facts, kind: "list", item: fieldOf(schema["items"], `${facts.label} item`, true, deeper) };
    }
    default:
      return { ...facts, kind: "json" };
  }
}

/** Follows references within the document. `undefined` when there is nothing at their end. */
function resolved(given: unknown, root: unknown): SchemaObject | undefined {
  let schema = given;
  for (let steps = 0; steps < 10; steps++) {
    if (!isSchema(schema)) return undefined;
    const reference = schema["$ref"];
    if (typeof reference !== "string") return schema;
    if (!reference.startsWith("#")) return undefined;
    schema = at(root, reference.slice(1));
  }
  return undefined;
}

function at(root: unknown, pointer: string): unknown {
  let value: unknown = root;
  for (const segment of pointer.split("/").slice(1)) {
    if (!isSchema(value)) return undefined;
    value = value[decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return value;
}

function choicesOf(schema: SchemaObject): { readonly choices: string[]; readonly texts: string[] } | undefined {
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const all = values as readonly unknown[];
  return {
    choices: all.map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
    texts: all.map((value) => JSON.stringify(value)),
  };
}

/** The only type; `undefined` for several, except that a value may also be null. */
function typeOf(schema: SchemaObject): string | undefined {
  const type = schema["type"];
  if (typeof type === "string") return type;
  const others = Array.isArray(type) ? type.filter((one) => one !== "null") : [];
  return others.length === 1 ? String(others[0]) : undefined;
}

function textIn(schema: SchemaObject | undefined, keyword: string): string | undefined {
  const text = schema?.[keyword];
  return typeof text === "string" && text !== "" ? text : undefined;
}

function isSchema(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
