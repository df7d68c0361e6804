import type { FormatForms, JsonObject, JsonValue } from "@procedo/contract";
import { isList } from "../openapi/operations/is-list.ts";
import { isObject } from "../openapi/schema/json-object.ts";

/** The name of a format in schemas, and its description for people. */
interface Form {
  readonly format: string;
  readonly hint: string;
}

const forms: { readonly [Format in keyof FormatForms]-?: Readonly<Record<string, Form>> } = {
  "date-time": {
    offset: { format: "date-time", hint: "2026-01-31T09:00:00Z" },
    local: { format: "date-time-local", hint: "2026-01-31T09:00:00, without an offset" },
  },
  time: {
    offset: { format: "time", hint: "10:30:00Z" },
    local: { format: "time-local", hint: "10:30:00, without an offset" },
    short: { format: "time-short", hint: "10:30" },
  },
  byte: {
    base64: { format: "byte", hint: "base64" },
    base64url: { format: "base64url", hint: "base64url, with or without padding" },
  },
};

const maps = new Set(["properties", "$defs"]);
const parts = new Set(["items", "additionalProperties", "not", "allOf", "anyOf", "oneOf"]);

/**
 * Replaces the document's formats in schemas by the forms that the service accepts. Shared definitions are rewritten
 * once.
 */
export function formatRewriter(given: FormatForms): (schema: JsonObject) => JsonObject {
  const known = new WeakMap<JsonObject, JsonObject>();

  function rewrite(schema: JsonObject): JsonObject {
    const before = known.get(schema);
    if (before !== undefined) return before;
    const members = Object.entries(schema).map(([keyword, value]) => [keyword, inner(keyword, value)] as const);
    const made = inForms(Object.fromEntries(members), given);
    known.set(schema, made);
    return made;
  }

  function inner(keyword: string, value: JsonValue): JsonValue {
    if (maps.has(keyword) && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isObject(one) ? rewrite(one) : one]));
    }
    if (!parts.has(keyword)) return value;
    if (isList(value)) return value.map((one) => (isObject(one) ? rewrite(one) : one));
    return isObject(value) ? rewrite(value) : value;
  }

  return rewrite;
}

function inForms(schema: JsonObject, given: FormatForms): JsonObject {
  const format = schema["format"];
  if (format !== "date-time" && format !== "time" && format !== "byte") return schema;
  const taken = [...new Set(given[format] ?? [])].flatMap((name) => forms[format][name] ?? []);
  const [only, ...more] = taken;
  if (only === undefined) return schema;
  const { format: _, description, ...others } = schema;
  const hint = `Written as ${taken.map((form) => form.hint).join(", or as ")}.`;
  const said = { description: typeof description === "string" ? `${description} ${hint}` : hint };
  if (more.length === 0) return { ...others, ...said, format: only.format };
  const choice = { anyOf: taken.map((form) => ({ format: form.format })) };
  return { ...others, ...said, ...("anyOf" in others ? { allOf: [...listOf(others["allOf"]), choice] } : choice) };
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);
