import type { JsonObject, JsonValue } from "@procedo/contract";

/** Maximum depth at which optional members are generated. */
const maxDepth = 4;

/** Generated arguments that match a schema if possible, with optional members if `optional` is set. */
export function sampleArguments(schema: JsonObject, optional: boolean): JsonObject {
  const sample = sampleOf(schema, schema, optional, 0);
  return isObject(sample) ? sample : {};
}

function sampleOf(given: JsonValue | undefined, root: JsonObject, optional: boolean, depth: number): JsonValue {
  const schema = merged(given, root, depth);
  const { enum: values, type } = schema;
  if (schema["const"] !== undefined) return schema["const"];
  if (isList(values)) return values[0] ?? null;
  const kind = isList(type)
    ? (type[0] ?? "string")
    : (type ?? (schema["properties"] === undefined ? "string" : "object"));
  switch (kind) {
    case "object":
      return objectOf(schema, root, optional, depth);
    case "array": {
      const { minItems = 1, items } = schema;
      const count = depth > maxDepth * 2 ? 0 : Math.max(typeof minItems === "number" ? minItems : 1, optional ? 2 : 1);
      const made = Array.from({ length: count }, () => sampleOf(items, root, optional, depth + 1));
      return schema["uniqueItems"] === true ? made.slice(0, 1) : made;
    }
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return textOf(schema);
  }
}

function objectOf(schema: JsonObject, root: JsonObject, optional: boolean, depth: number): JsonObject {
  const { properties, required, additionalProperties } = schema;
  const needed = new Set(isList(required) ? required : []);
  const entries = Object.entries(isObject(properties) ? properties : {})
    .filter(([name]) => needed.has(name) || (optional && depth < maxDepth))
    .map(([name, member]) => [name, sampleOf(member, root, optional, depth + 1)] as const);
  const isOpen = entries.length === 0 && isObject(additionalProperties) && optional && depth < maxDepth;
  return isOpen ? { key: sampleOf(additionalProperties, root, optional, depth + 1) } : Object.fromEntries(entries);
}

/** One schema for all that apply, with the first of each list of alternatives. */
function merged(schema: JsonValue | undefined, root: JsonObject, depth: number): JsonObject {
  if (!isObject(schema) || depth > 40) return {};
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const parts = [
    ...(typeof $ref === "string" ? [resolved($ref, root)] : []),
    ...(isList(allOf) ? allOf : []),
    ...[anyOf, oneOf].flatMap((list) => (isList(list) ? list.slice(0, 1) : [])),
  ].map((part) => merged(part, root, depth + 1));
  const all = [own, ...parts];
  const properties = Object.assign({}, ...all.map((part) => part["properties"] ?? {})) as JsonObject;
  const required = all.flatMap((part) => (isList(part["required"]) ? part["required"] : []));
  const flat = Object.assign({}, ...parts, own) as JsonObject;
  return {
    ...flat,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function resolved(ref: string, root: JsonObject): JsonValue {
  let at: JsonValue = root;
  for (const part of ref.split("/").slice(1)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isObject(at) ? (at[name] ?? {}) : {};
  }
  return at;
}

function numberOf({ minimum, maximum, multipleOf, exclusiveMinimum }: JsonObject): number {
  const step = typeof multipleOf === "number" ? multipleOf : 1;
  const least =
    typeof minimum === "number" ? minimum : typeof exclusiveMinimum === "number" ? exclusiveMinimum + step : 7;
  const most = typeof maximum === "number" ? maximum : Infinity;
  return Math.min(Math.ceil(least / step) * step, most);
}

const byFormat: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T09:30:00Z",
  time: "09:30:00Z",
  uuid: "6f1c1d3e-7d0f-4a36-9a39-0f7b7c6d5e4f",
  email: "ana@example.com",
  uri: "https://example.com/a?b=c",
  url: "https://example.com/a",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "YWJj",
};

function textOf({ format, minLength, maxLength, pattern, default: preset, example }: JsonObject): string {
  const least = typeof minLength === "number" ? minLength : 0;
  const most = typeof maxLength === "number" ? maxLength : 1_000;
  const candidates = [
    typeof format === "string" ? byFormat[format] : undefined,
    preset,
    example,
    "aä&b".slice(0, Math.max(most, 1)).trim().padEnd(least, "x"),
    ...["A", "1", "a", "10.50", "+1", "CHF", "2026-01-31T09:30:00Z", "https://example.com/a"].flatMap((text) => [
      text,
      text.padEnd(least, text.slice(-1)),
    ]),
  ];
  const shape = typeof pattern === "string" ? expression(pattern) : /^/;
  const fitting = candidates.find(
    (text): text is string =>
      typeof text === "string" && text.length >= least && text.length <= most && shape.test(text),
  );
  return fitting ?? "";
}

/** Many patterns of real documents are invalid in Unicode mode, and some are always invalid. */
function expression(pattern: string): RegExp {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      continue;
    }
  }
  return /^/;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
