import type { JsonObject, JsonValue } from "@procedo/contract";
import { coercedBoolean } from "./coerced-value.ts";
import { listsItems } from "./enum-values.ts";
import { isObject, own } from "./json-object.ts";
import type { NodeContext } from "./node-context.ts";
import { needsWrapping, nullableSchema } from "./nullable.ts";
import { shown } from "../problem-list.ts";
import { maxSchemaDepth } from "./schema-bounds.ts";
import { cutSchema, type SchemaGroup } from "./schema-unit.ts";
import { isNullable, translateValueKeywords } from "./value-keywords.ts";

interface Place {
  /** Levels of JSON above the schema in the result. */
  readonly depth: number;
  readonly group: SchemaGroup;
  /** Members that another schema of the same value leaves out, so they are not required here. */
  readonly without: ReadonlySet<string>;
  /** Whether the schema is part of an `allOf`. */
  readonly asPart: boolean;
}

const none: ReadonlySet<string> = new Set();
const dynamicReferences = ["$dynamicRef", "$recursiveRef"];
const combinations = ["allOf", "anyOf", "oneOf"] as const;

/** Translates one unit's schema. Recursive, because documents nest at most 200 levels. */
export function translateUnit(context: NodeContext, schema: JsonValue): JsonObject {
  return translate(context, schema, { depth: 0, group: context.openGroup(), without: none, asPart: false });
}

function translate(context: NodeContext, schema: JsonValue, place: Place): JsonObject {
  place.group.applied += 1;
  if (!isObject(schema)) {
    if (isNothing(schema)) context.report("warning", "The schema is empty; any value is accepted.");
    else context.report("warning", `A schema must be an object, not ${shown(schema)}; any value is accepted.`);
    return {};
  }
  if (Object.hasOwn(schema, "$ref")) return context.refer(schema["$ref"] ?? null, place.group, place.asPart);
  const dynamic = dynamicReferences.find((keyword) => Object.hasOwn(schema, keyword));
  if (dynamic !== undefined) return context.lose(dynamic, `${dynamic} is not supported: write $ref.`);
  if (place.depth > maxSchemaDepth) {
    context.report("warning", "The schema nests too deeply; from here on any value is accepted.");
    return cutSchema;
  }
  const nullable = isNullable(context, schema);
  const wrapped = nullable && needsWrapping(schema);
  const without = together(place.without, context.leftOut(schema));
  const inner: Place = { ...place, without, depth: place.depth + (wrapped ? 2 : 0) };
  const out: Record<string, JsonValue> = {};
  const types = translateValueKeywords(context, schema, out);
  translateObject(context, schema, inner, out);
  translateList(context, schema, types, inner, out);
  translateCombinations(context, schema, inner, out);
  return nullable ? nullableSchema(out) : out;
}

/** Usually empty. */
function together(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return others.size === 0 ? some : some.size === 0 ? others : new Set([...some, ...others]);
}

function translateObject(context: NodeContext, schema: JsonObject, place: Place, out: Record<string, JsonValue>): void {
  const properties = own(schema, "properties");
  if (isObject(properties)) {
    const translated: Record<string, JsonValue> = {};
    for (const name of Object.keys(properties)) {
      const property = properties[name] ?? null;
      if (name === "__proto__") {
        context.report("warning", 'A member named "__proto__" is not accepted; it is left out.', "properties", name);
      } else if (!context.isLeftOut(property)) {
        translated[name] = translatePart(context, property, place, ["properties", name]);
      }
    }
    out["properties"] = translated;
  } else if (properties !== undefined) {
    ignored(context, "properties", "an object of schemas", properties);
  }
  translateRequired(context, schema, place.without, out);
  const additional = own(schema, "additionalProperties");
  if (isObject(additional)) {
    out["additionalProperties"] = translatePart(context, additional, place, ["additionalProperties"]);
  } else if (additional !== undefined) {
    const meant = typeof additional === "boolean" ? additional : coercedBoolean(additional);
    if (meant !== additional) ignored(context, "additionalProperties", "true, false or a schema", additional, meant);
    if (meant !== undefined) out["additionalProperties"] = meant;
  }
}

function translateRequired(
  context: NodeContext,
  schema: JsonObject,
  without: ReadonlySet<string>,
  out: Record<string, JsonValue>,
): void {
  const required = own(schema, "required");
  if (required === undefined) return;
  if (!Array.isArray(required)) {
    const message = "required must be a list of names, in the schema of the object that has them; it is ignored here.";
    context.report("warning", message, "required");
    return;
  }
  const names = new Set<string>();
  for (const [index, name] of (required as readonly JsonValue[]).entries()) {
    if (typeof name !== "string") {
      context.report("warning", `required must list names, not ${shown(name)}; it is ignored.`, "required", index);
    } else if (name === "__proto__") {
      context.report("error", 'A member named "__proto__" is required, but cannot be sent.', "required", index);
    } else if (!without.has(name)) names.add(name);
  }
  if (names.size > 0) out["required"] = [...names];
}

function translateList(
  context: NodeContext,
  schema: JsonObject,
  types: readonly string[],
  place: Place,
  out: Record<string, JsonValue>,
): void {
  const items = own(schema, "items");
  if (listsItems(schema, types)) {
    out["items"] = translateListedItems(context, items, { enum: own(schema, "enum") ?? [] }, place);
  } else if (items === undefined) {
    if (types.includes("array")) context.report("warning", "The list has no schema for its items; any are accepted.");
  } else if (Array.isArray(items)) {
    context.report(
      "warning",
      "items must be one schema for all items; the list is ignored and any items are accepted.",
      "items",
    );
  } else {
    out["items"] = translatePart(context, items, place, ["items"]);
  }
}

/** Items whose values are listed in the `enum` of the list. */
function translateListedItems(
  context: NodeContext,
  items: JsonValue | undefined,
  listed: JsonObject,
  place: Place,
): JsonObject {
  const warn = (rest: string) => {
    context.report("warning", `enum lists values of single items, not lists; ${rest}`, "enum");
  };
  if (isObject(items) && Object.hasOwn(items, "enum")) {
    warn("the enum of the items is used.");
    return translatePart(context, items, place, ["items"]);
  }
  warn("it applies to the items.");
  if (!isObject(items)) return translatePart(context, listed, place, []);
  if (!Object.hasOwn(items, "$ref")) return translatePart(context, { ...items, ...listed }, place, ["items"]);
  const referred = translatePart(context, items, place, ["items"]);
  return { ...translatePart(context, listed, place, []), allOf: [referred] };
}

/** A schema for a part of the value, which starts a new group. */
function translatePart(
  context: NodeContext,
  schema: JsonValue,
  place: Place,
  at: readonly (string | number)[],
): JsonObject {
  const part: Place = {
    depth: place.depth + at.length,
    group: context.openGroup(),
    without: none,
    asPart: false,
  };
  context.path.push(...at);
  const translated = translate(context, schema, part);
  context.path.length -= at.length;
  return translated;
}

function translateCombinations(
  context: NodeContext,
  schema: JsonObject,
  place: Place,
  out: Record<string, JsonValue>,
): void {
  for (const keyword of combinations) {
    const list = own(schema, keyword);
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      ignored(context, keyword, "a list of schemas", list);
      continue;
    }
    if (list.length === 0) {
      context.report("warning", `${keyword} is empty; it is ignored.`, keyword);
      continue;
    }
    const rule = keyword === "allOf" ? undefined : context.alternativeRule(schema);
    out[keyword] = (list as readonly JsonValue[]).map((alternative, index) => {
      const demand = isObject(alternative) ? rule?.(own(alternative, "$ref") ?? null) : undefined;
      const part: Place = {
        ...place,
        depth: place.depth + (demand === undefined ? 2 : 4),
        asPart: keyword === "allOf",
      };
      const translated = within(context, [keyword, index], () => translate(context, alternative, part));
      return demand === undefined ? translated : { allOf: [translated, demand] };
    });
  }
  const not = own(schema, "not");
  if (not === undefined) return;
  if (!isObject(not)) ignored(context, "not", "a schema", not);
  else {
    out["not"] = within(context, ["not"], () =>
      translate(context, not, { ...place, depth: place.depth + 1, asPart: false }),
    );
  }
}

/** A keyword with a value of the wrong type is ignored. */
function ignored(context: NodeContext, keyword: string, demand: string, value: JsonValue, meant?: boolean): void {
  const what = meant === undefined ? "it is ignored" : `it is read as ${meant}`;
  context.report("warning", `${keyword} must be ${demand}, not ${shown(value)}; ${what}.`, keyword);
}

/** The notation of some generators for an object without members. */
const isNothing = (value: JsonValue): boolean => value === null || (Array.isArray(value) && value.length === 0);

function within<Result>(context: NodeContext, at: readonly (string | number)[], run: () => Result): Result {
  context.path.push(...at);
  const result = run();
  context.path.length -= at.length;
  return result;
}
