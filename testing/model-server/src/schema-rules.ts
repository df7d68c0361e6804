import { isList, isObject, type Json, type JsonObject, Refused } from "./answers.ts";

const notAtTheRoot = ["anyOf", "oneOf", "allOf", "not", "enum", "const"];

/** What strict mode takes, by interface. */
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

/** @throws Refused for a tool's schema that the service does not take */
export function checkToolSchema(
  schema: Json | undefined,
  { api, strict, name }: { readonly api: keyof typeof strictKeywords; readonly strict: boolean; readonly name: string },
): void {
  const refuse = (why: string): never => {
    throw new Refused(400, "invalid_request_error", `Invalid schema for tool '${name}': ${why}`);
  };
  if (!isObject(schema) || schema["type"] !== "object") return refuse("schema must have type 'object'.");
  for (const keyword of notAtTheRoot) {
    if (keyword in schema) refuse(`'${keyword}' is not permitted at the top level.`);
  }
  if (strict) checkStrict(schema, strictKeywords[api], refuse);
}

function checkStrict(schema: Json | undefined, known: ReadonlySet<string>, refuse: (why: string) => never): void {
  if (!isObject(schema)) return;
  for (const keyword of Object.keys(schema)) {
    if (!known.has(keyword)) refuse(`In strict mode '${keyword}' is not permitted.`);
  }
  if (schema["type"] === "object") {
    const names = Object.keys(isObject(schema["properties"]) ? schema["properties"] : {});
    const required = isList(schema["required"]) ? schema["required"] : [];
    if (schema["additionalProperties"] !== false) refuse("'additionalProperties' is required to be false.");
    for (const name of names) if (!required.includes(name)) refuse(`'required' has to include '${name}'.`);
  }
  for (const part of partsOf(schema)) checkStrict(part, known, refuse);
}

function partsOf({ properties, items, anyOf }: JsonObject): readonly Json[] {
  return [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(items === undefined ? [] : [items]),
    ...(isList(anyOf) ? anyOf : []),
  ].filter((part): part is Json => part !== undefined);
}
