import { isList, isObject, type Json, type JsonObject } from "./answers.ts";

const notAtTheRoot = {
  openai: ["oneOf", "anyOf", "allOf", "enum", "not", "const"],
  anthropic: ["oneOf", "allOf", "anyOf"],
} as const;

/** Keywords allowed in strict mode, by interface. */
const strictKeywords = {
  openai: new Set(
    `type description title properties required additionalProperties items enum const anyOf format pattern minimum maximum
     exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems $defs $ref`.split(/\s+/),
  ),
  anthropic: new Set(
    "type description title properties required additionalProperties items enum const anyOf allOf format default $defs $ref".split(
      " ",
    ),
  ),
};

type Api = keyof typeof strictKeywords;

interface SchemaChecks {
  readonly api: Api;
  readonly strict: boolean;
  /** Refuses the request. @param why the reason, appended to the service's message about the tool */
  readonly refuse: (why: string) => never;
}

/** Refuses tool schemas that the real service refuses. */
export function checkToolSchema(schema: Json | undefined, { api, strict, refuse }: SchemaChecks): void {
  const isOpenAI = api === "openai";
  if (!isObject(schema) || schema["type"] !== "object") {
    return refuse(
      isOpenAI
        ? `schema must be a JSON Schema of 'type: "object"', got 'type: "${typeOf(schema)}"'.`
        : "input_schema.type: Field required",
    );
  }
  for (const keyword of notAtTheRoot[api]) {
    if (!(keyword in schema)) continue;
    refuse(
      isOpenAI
        ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
        : "input_schema does not support oneOf, allOf, or anyOf at the top level",
    );
  }
  if (isOpenAI && schema["properties"] === undefined) refuse("In context=(), object schema missing properties.");
  if (api === "anthropic") checkPropertyKeys(schema, refuse);
  checkEach(schema, [], (part, context) => checkPart(part, context, api, refuse));
  if (strict) checkStrict(schema, [], strictKeywords[api], refuse);
}

/** Checks property names at the root only, as Anthropic does. */
function checkPropertyKeys({ properties }: JsonObject, refuse: SchemaChecks["refuse"]): void {
  const names = Object.keys(isObject(properties) ? properties : {});
  if (names.every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name))) return;
  refuse("input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'");
}

/** Checks the rules for every depth, with or without strict mode. */
function checkPart(schema: JsonObject, context: readonly string[], api: Api, refuse: SchemaChecks["refuse"]): void {
  const isTuple = isList(schema["items"]);
  if (api === "anthropic") {
    const isDraft =
      isTuple || typeof schema["required"] === "boolean" || typeof schema["exclusiveMinimum"] === "boolean";
    const draft = "JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12)";
    if (isDraft) refuse(`input_schema: JSON schema is invalid. It must match ${draft}.`);
    return;
  }
  const at = `In context=${shown(context)}`;
  if (isTuple) refuse(`${JSON.stringify(schema["items"])} is not of type 'object', 'boolean'.`);
  const { type } = schema;
  const isArray = type === "array" || (isList(type) && type.includes("array"));
  if (isArray && schema["items"] === undefined) refuse(`${at}, array schema missing items.`);
  if (schema["propertyNames"] !== undefined) refuse(`${at}, 'propertyNames' is not permitted.`);
}

function checkStrict(
  schema: JsonObject,
  context: readonly string[],
  known: ReadonlySet<string>,
  refuse: SchemaChecks["refuse"],
): void {
  checkEach(schema, context, (part, here) => {
    const at = `In context=${shown(here)}`;
    for (const keyword of Object.keys(part)) if (!known.has(keyword)) refuse(`${at}, '${keyword}' is not permitted.`);
    if (part["type"] !== "object") return;
    const names = Object.keys(isObject(part["properties"]) ? part["properties"] : {});
    const required = isList(part["required"]) ? part["required"] : [];
    if (part["additionalProperties"] !== false) {
      refuse(`${at}, 'additionalProperties' is required to be supplied and to be false.`);
    }
    const missing = names.find((name) => !required.includes(name));
    if (missing === undefined) return;
    const rule = "'required' is required to be supplied and to be an array including every key in properties.";
    refuse(`${at}, ${rule} Missing '${missing}'.`);
  });
}

/** Visits a schema and all nested schemas, each with its path of names and indexes. */
function checkEach(
  schema: Json | undefined,
  context: readonly string[],
  check: (schema: JsonObject, context: readonly string[]) => void,
): void {
  if (!isObject(schema)) return;
  check(schema, context);
  for (const keyword of ["properties", "patternProperties", "$defs", "definitions"]) {
    const parts = schema[keyword];
    if (!isObject(parts)) continue;
    for (const [name, part] of Object.entries(parts)) checkEach(part, [...context, keyword, name], check);
  }
  for (const keyword of ["items", "additionalProperties"]) checkEach(schema[keyword], [...context, keyword], check);
  for (const keyword of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
    const parts = schema[keyword];
    if (!isList(parts)) continue;
    for (const [index, part] of parts.entries()) checkEach(part, [...context, keyword, String(index)], check);
  }
}

function typeOf(schema: Json | undefined): string {
  const type = isObject(schema) ? schema["type"] : undefined;
  return typeof type === "string" ? type : "None";
}

function shown(context: readonly string[]): string {
  return `(${context.map((part) => `'${part}'`).join(", ")})`;
}
