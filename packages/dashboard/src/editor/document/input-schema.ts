/* The input of a procedure as a list of fields. Keywords that the list does not show stay as they are. */
import type { JsonObject, JsonValue } from "@procedo/contract";

export type InputType = "text" | "whole" | "number" | "yes_no" | "date" | "list" | "object";

export interface InputField {
  readonly name: string;
  /** `undefined` for a schema that the list does not tell, such as alternatives. */
  readonly type: InputType | undefined;
  readonly isRequired: boolean;
  /** The name of the field in forms; empty if that is its name. */
  readonly title: string;
  readonly description: string;
}

const schemas: Readonly<Record<InputType, JsonObject>> = {
  text: { type: "string" },
  whole: { type: "integer" },
  number: { type: "number" },
  yes_no: { type: "boolean" },
  date: { type: "string", format: "date" },
  list: { type: "array" },
  object: { type: "object" },
};

/** Keywords that belong to a type, and go with it. */
const ofType = new Set([
  "type",
  "format",
  "items",
  "properties",
  "required",
  "enum",
  "const",
  "pattern",
  "additionalProperties",
]);

/** The fields of an input schema; `undefined` if it is not a plain object with properties. */
export function inputFields(input: JsonObject): readonly InputField[] | undefined {
  const { type, properties = {}, required } = input;
  if (type !== "object" || !isObject(properties)) return undefined;
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    isRequired: names.includes(name),
    title: textIn(schema, "title"),
    description: textIn(schema, "description"),
  }));
}

function textIn(schema: JsonValue, keyword: "title" | "description"): string {
  const text = isObject(schema) ? schema[keyword] : undefined;
  return typeof text === "string" ? text : "";
}

function typeOf(schema: JsonValue): InputType | undefined {
  if (!isObject(schema)) return undefined;
  if (schema["type"] === "string" && schema["format"] === "date") return "date";
  const found = Object.entries(schemas).find(([, { type }]) => type === schema["type"]);
  return found?.[0] as InputType | undefined;
}

export function addInputField(input: JsonObject): JsonObject {
  const properties = propertiesOf(input);
  let name = "field";
  for (let number = 2; Object.hasOwn(properties, name); number++) name = `field${number}`;
  const required = [...requiredOf(input), name];
  return { ...input, properties: { ...properties, [name]: schemas.text }, required };
}

export function removeInputField(input: JsonObject, name: string): JsonObject {
  const properties = Object.entries(propertiesOf(input)).filter(([one]) => one !== name);
  return withRequired(
    { ...input, properties: Object.fromEntries(properties) },
    requiredOf(input).filter((one) => one !== name),
  );
}

export function renameInputField(input: JsonObject, name: string, to: string): JsonObject {
  const properties = Object.entries(propertiesOf(input)).map(([one, schema]) => [one === name ? to : one, schema]);
  return withRequired(
    { ...input, properties: Object.fromEntries(properties) as JsonObject },
    requiredOf(input).map((one) => (one === name ? to : one)),
  );
}

export function setInputType(input: JsonObject, name: string, type: InputType): JsonObject {
  return withSchema(input, name, (schema) => ({
    ...schemas[type],
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ofType.has(keyword))),
  }));
}

/** Sets a text for people of a field. An empty one removes it. */
export function setInputText(
  input: JsonObject,
  name: string,
  keyword: "title" | "description",
  text: string,
): JsonObject {
  return withSchema(input, name, ({ [keyword]: _before, ...schema }) =>
    text === "" ? schema : { ...schema, [keyword]: text },
  );
}

export function setInputRequired(input: JsonObject, name: string, isRequired: boolean): JsonObject {
  const others = requiredOf(input).filter((one) => one !== name);
  return withRequired(input, isRequired ? [...others, name] : others);
}

function withSchema(input: JsonObject, name: string, change: (schema: JsonObject) => JsonObject): JsonObject {
  const properties = Object.entries(propertiesOf(input)).map(([one, schema]) => [
    one,
    one === name ? change(isObject(schema) ? schema : {}) : schema,
  ]);
  return { ...input, properties: Object.fromEntries(properties) as JsonObject };
}

function withRequired({ required: _before, ...input }: JsonObject, required: readonly JsonValue[]): JsonObject {
  return required.length === 0 ? input : { ...input, required };
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonObject): readonly JsonValue[] {
  return Array.isArray(required) ? (required as readonly JsonValue[]) : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
