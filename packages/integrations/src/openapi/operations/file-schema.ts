import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "../schema/json-object.ts";
import { annotationsOf, bytesForm, textForm } from "./binary.ts";
import { isList } from "./is-list.ts";
import type { Reading } from "./reading.ts";

/** The files that a translated schema accepts, through references and combinations. */
export interface FileSchema {
  /**
   * Whether the schema also accepts other values, such as a link. A text is then such a value, never a file's content.
   */
  readonly orPlain: boolean;
  /**
   * The schema of the argument. A file is `{ base64, filename?, contentType? }` or, with `asText`, its content as text.
   * Null stays valid where the schema accepts it.
   */
  schema(asText: boolean): JsonObject;
}

interface FileRules {
  /** Whether a text without further information is a file. */
  readonly textIsFile: boolean;
}

/**
 * Inspects references and all schemas that apply to the same value, within the document's budget.
 *
 * @returns `undefined` when the schema accepts no file
 */
export function readFileSchema(
  reading: Reading,
  schema: JsonObject,
  rules: FileRules = { textIsFile: false },
): FileSchema | undefined {
  const form = formOf(schema, reading, rules);
  if (!takesFile(form)) return undefined;
  return { orPlain: takesPlain(form), schema: (asText) => schemaOf(form, asText) };
}

/** The kinds of values that a schema accepts. */
type Form =
  | { readonly kind: "file"; readonly about: JsonObject; readonly nullable: boolean }
  | { readonly kind: "choice"; readonly about: JsonObject; readonly of: readonly Form[] }
  | { readonly kind: "list"; readonly about: JsonObject; readonly schema: JsonObject; readonly items: Form }
  | { readonly kind: "null" | "plain"; readonly about: JsonObject; readonly schema: JsonObject };

function formOf(schema: JsonObject, reading: Reading, rules: FileRules, inList = false): Form {
  const about = annotationsOf(schema);
  const plain: Form = { kind: "plain", about, schema };
  reading.room.charge(1);
  if (reading.room.isFull) return plain;
  const within = (inner: JsonValue | undefined, list = inList): Form =>
    formOf(isObject(inner) ? inner : {}, reading, rules, list);
  const types = typesOf(schema);
  if (isFile(schema, types, rules)) return { kind: "file", about, nullable: types.includes("null") };
  if (types.length === 1 && types[0] === "null") return { kind: "null", about, schema };
  if (types.includes("array")) {
    const items = inList || !isObject(schema["items"]) ? plain : within(schema["items"], true);
    return takesFile(items) ? { kind: "list", about, schema, items } : plain;
  }
  if (schema["$ref"] !== undefined) {
    const form = within(reading.requests.definition(schema["$ref"]));
    return takesFile(form) ? { ...form, about: { ...form.about, ...about } } : plain;
  }
  const parts = listOf(schema["allOf"]).map((part) => within(part));
  const part = parts.find(takesFile);
  if (part !== undefined) return { ...part, about: { ...part.about, ...about } };
  const of = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])].map((alternative) => within(alternative));
  return of.some(takesFile) ? { kind: "choice", about, of } : plain;
}

/** A binary format without a type is also a file, because documents omit the type. */
function isFile(schema: JsonObject, types: readonly JsonValue[], { textIsFile }: FileRules): boolean {
  const isText = types.includes("string") && types.every((type) => type === "string" || type === "null");
  if (schema["format"] === "binary") return isText || types.length === 0;
  return textIsFile && isText && !narrowing.some((keyword) => schema[keyword] !== undefined);
}

/** Keywords that describe the content of a text. */
const narrowing = ["format", "enum", "allOf", "anyOf", "oneOf"];

function takesFile(form: Form): boolean {
  if (form.kind === "choice") return form.of.some(takesFile);
  return form.kind === "file" || form.kind === "list";
}

function takesPlain(form: Form): boolean {
  if (form.kind === "choice") return form.of.some(takesPlain);
  return form.kind === "list" ? takesPlain(form.items) : form.kind === "plain";
}

function schemaOf(form: Form, asText: boolean): JsonObject {
  const schemas = [...new Map(schemasOf(form, asText).map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only, ...more] = schemas;
  // A list keeps its bounds and its description.
  return only !== undefined && more.length === 0 && form.kind !== "file"
    ? { ...only, ...form.about }
    : { ...form.about, anyOf: schemas };
}

function schemasOf(form: Form, asText: boolean): readonly JsonObject[] {
  switch (form.kind) {
    case "file":
      return [...(asText ? [textForm] : []), bytesForm, ...(form.nullable ? [{ type: "null" }] : [])];
    case "choice":
      return form.of.flatMap((alternative) => schemasOf(alternative, asText));
    case "list":
      return [{ ...form.schema, items: schemaOf(form.items, asText) }];
    default:
      return [form.schema];
  }
}

function typesOf({ type }: JsonObject): readonly JsonValue[] {
  return type === undefined ? [] : isList(type) ? type : [type];
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);
