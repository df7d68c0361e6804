/* The fields of a form, from a JSON Schema. What no field can express is entered as JSON. */
import { choicesOf, type Choice } from "./choices.ts";
import { isSchema, localSchema, type SchemaObject } from "../values/local-schema.ts";
import { plainHint } from "./plain-hint.ts";

interface FieldFacts {
  /** Title of the schema, else the property's name. */
  readonly label: string;
  readonly hint?: string;
  readonly isRequired: boolean;
  /** The schema's default, which the untouched field shows. */
  readonly standard?: unknown;
}

/** Bounds as the schema gives them. */
export interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export type FormField = FieldFacts &
  (
    | { readonly kind: "text"; readonly format?: string; readonly minLength?: number; readonly maxLength?: number }
    | { readonly kind: "number"; readonly isInteger: boolean; readonly bounds: NumberBounds }
    | { readonly kind: "boolean" }
    | { readonly kind: "choice"; readonly choices: readonly Choice[] }
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
  const schema = localSchema(given, place.root);
  const hint = textIn(schema, "description");
  const facts: FieldFacts = {
    label: textIn(schema, "title") ?? name,
    ...(hint !== undefined && { hint: plainHint(hint) }),
    isRequired,
    ...(schema !== undefined && "default" in schema && { standard: schema["default"] }),
  };
  if (schema === undefined || place.depth > maxDepth) return { ...facts, kind: "json" };
  const choices = choicesOf(schema);
  if (choices !== undefined) return { ...facts, kind: "choice", choices };
  // Alternatives beside properties are checked by the service.
  if (!isSchema(schema["properties"]) && ["oneOf", "anyOf", "allOf", "if"].some((keyword) => keyword in schema)) {
    return { ...facts, kind: "json" };
  }
  const deeper = { ...place, depth: place.depth + 1 };
  switch (typeOf(schema)) {
    case "string":
      return { ...facts, kind: "text", ...textFacts(schema) };
    case "integer":
    case "number":
      return { ...facts, kind: "number", isInteger: typeOf(schema) === "integer", bounds: boundsOf(schema) };
    case "boolean":
      return { ...facts, kind: "boolean" };
    case "object": {
      const properties = schema["properties"];
      if (!isSchema(properties)) return { ...facts, kind: "json" };
      const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly unknown[]) : [];
      const members = Object.entries(properties).map(
        ([key, member]) => [key, fieldOf(member, key, required.includes(key), deeper)] as const,
      );
      return { ...facts, kind: "object", members };
    }
    case "array": {
      if (!isSchema(schema["items"])) return { ...facts, kind: "json" };
      return { ...facts, kind: "list", item: fieldOf(schema["items"], facts.label, true, deeper) };
    }
    default:
      return { ...facts, kind: "json" };
  }
}

/** The only type; `undefined` for several, except that a value may also be null. */
function typeOf(schema: SchemaObject): string | undefined {
  const type = schema["type"];
  if (typeof type === "string") return type;
  if (type === undefined && isSchema(schema["properties"])) return "object";
  const others = Array.isArray(type) ? type.filter((one) => one !== "null") : [];
  return others.length === 1 ? String(others[0]) : undefined;
}

function textFacts(schema: SchemaObject) {
  const format = textIn(schema, "format");
  const { minLength, maxLength } = schema;
  return {
    ...(format !== undefined && { format }),
    ...(typeof minLength === "number" && { minLength }),
    ...(typeof maxLength === "number" && { maxLength }),
  };
}

function boundsOf(schema: SchemaObject): NumberBounds {
  const names = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
  return Object.fromEntries(names.flatMap((name) => (typeof schema[name] === "number" ? [[name, schema[name]]] : [])));
}

function textIn(schema: SchemaObject | undefined, keyword: string): string | undefined {
  const text = schema?.[keyword];
  return typeof text === "string" && text !== "" ? text : undefined;
}
