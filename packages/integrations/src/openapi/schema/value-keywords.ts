import type { JsonObject, JsonValue } from "@procedo/contract";
import { shown } from "../problem-list.ts";
import { isBytesType } from "./bytes-type.ts";
import { coercedBoolean, coercedNumber } from "./coerced-value.ts";
import { enumValues, listsItems } from "./enum-values.ts";
import { own } from "./json-object.ts";
import { foreignKeywords, type KeywordRule, plainKeywords } from "./keywords.ts";
import type { NodeContext } from "./node-context.ts";
import { isPlainData } from "./schema-bounds.ts";
import { typesOf } from "./schema-type.ts";

const maxTextLength = 2_000;
const maxEnumValues = 2_000;

/**
 * Translates all keywords without subschemas, except `required`, into `out`. Returns the types of the schema's values.
 */
export function translateValueKeywords(
  context: NodeContext,
  schema: JsonObject,
  out: Record<string, JsonValue>,
): readonly string[] {
  const types = translateType(context, schema, out);
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword] ?? null;
    const rule = plainKeywords.get(keyword);
    if (rule !== undefined) {
      const fitting = rule.fits(value) ? value : coerced(context, rule, keyword, value);
      if (fitting !== undefined && (!rule.describes || context.purpose === "request")) {
        copyPlain(context, keyword, fitting, out);
      }
    } else if (foreignKeywords.has(keyword)) {
      context.report("warning", `${keyword} is not a keyword of this version of OpenAPI; it is ignored.`, keyword);
    }
  }
  translateContent(schema, types, out);
  translateBounds(context, schema, out);
  translateEnum(context, schema, types, out);
  translateData(context, schema, types, out);
  return types;
}

/** The intended value of an invalid one. The service still makes a check that is ignored here. */
function coerced(context: NodeContext, rule: KeywordRule, keyword: string, value: JsonValue): JsonValue | undefined {
  const meant = rule.coerce?.(value);
  const isMeant = meant !== undefined && rule.fits(meant);
  const what = isMeant ? `it is read as ${JSON.stringify(meant)}` : "it is ignored";
  context.report("warning", `${keyword} must be ${rule.demand}, not ${shown(value)}; ${what}.`, keyword);
  return isMeant ? meant : undefined;
}

/** Whether `nullable` or Swagger's `x-nullable` allows null. */
export function isNullable(context: NodeContext, schema: JsonObject): boolean {
  for (const keyword of ["nullable", "x-nullable"]) {
    const value = own(schema, keyword);
    const meant = value === undefined ? undefined : booleanOf(context, keyword, value);
    if (meant !== undefined) return meant;
  }
  return false;
}

function booleanOf(context: NodeContext, keyword: string, value: JsonValue): boolean | undefined {
  if (typeof value === "boolean") return value;
  const meant = coercedBoolean(value);
  const what = meant === undefined ? "it is ignored" : `it is read as ${meant}`;
  context.report("warning", `${keyword} must be true or false, not ${shown(value)}; ${what}.`, keyword);
  return meant;
}

function translateType(context: NodeContext, schema: JsonObject, out: Record<string, JsonValue>): readonly string[] {
  const type = own(schema, "type");
  if (type === undefined) return [];
  const read = typesOf(type, context.dialect);
  if (read.warning !== undefined) context.report("warning", read.warning, "type");
  if (read.types.length === 0) return [];
  const [only] = read.types;
  out["type"] = read.types.length === 1 && only !== undefined ? only : read.types;
  if (read.binary) out["format"] = "binary";
  return read.types;
}

function copyPlain(context: NodeContext, keyword: string, value: JsonValue, out: Record<string, JsonValue>): void {
  if (typeof value === "number" && !Number.isFinite(value)) return;
  if (keyword === "pattern" && typeof value === "string") {
    const { pattern, warning } = context.readPattern(value);
    if (warning !== undefined) context.report("warning", warning, keyword);
    if (pattern !== undefined) out[keyword] = pattern;
    return;
  }
  if (keyword === "format" && out["format"] !== undefined) return;
  const tooLong = typeof value === "string" && value.length > maxTextLength;
  out[keyword] = tooLong ? `${value.slice(0, maxTextLength)}…` : value;
}

/** A text with an image or other unencoded bytes as its content is equivalent to `format: binary`. */
function translateContent(schema: JsonObject, types: readonly string[], out: Record<string, JsonValue>): void {
  const mediaType = own(schema, "contentMediaType");
  if (typeof mediaType !== "string" || own(schema, "contentEncoding") !== undefined) return;
  if (types.includes("string") && out["format"] === undefined && isBytesType(mediaType)) out["format"] = "binary";
}

/** In OpenAPI 3.0, `exclusiveMinimum` modifies `minimum`. In JSON Schema, it is the bound itself. */
function translateBounds(context: NodeContext, schema: JsonObject, out: Record<string, JsonValue>): void {
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const value = own(schema, exclusive);
    if (value === undefined) continue;
    const number = typeof value === "number" ? value : coercedNumber(value);
    if (number !== undefined && Number.isFinite(number)) {
      context.report(
        "warning",
        `${exclusive} as a number is of OpenAPI 3.1; it is read as it is meant there.`,
        exclusive,
      );
      out[exclusive] = number;
    } else if (booleanOf(context, exclusive, value) === true && out[inclusive] !== undefined) {
      out[exclusive] = out[inclusive];
      delete out[inclusive];
    }
  }
  for (const [least, most] of contraryBounds) {
    const [from, to] = [out[least], out[most]];
    if (typeof from !== "number" || typeof to !== "number" || from <= to) continue;
    context.report(
      "warning",
      `${least} ${from} is above ${most} ${to}, so that no value matches; both are ignored.`,
      least,
    );
    delete out[least];
    delete out[most];
  }
}

const contraryBounds = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

function translateEnum(
  context: NodeContext,
  schema: JsonObject,
  types: readonly string[],
  out: Record<string, JsonValue>,
): void {
  const list = own(schema, "enum");
  if (list === undefined || listsItems(schema, types)) return;
  const warn = (message: string) => context.report("warning", message, "enum");
  if (!Array.isArray(list)) {
    warn(`enum must be a list of values, not ${shown(list)}; it is ignored.`);
  } else if (list.length === 0) {
    warn("enum is empty and would accept no value; it is ignored.");
  } else if (list.length > maxEnumValues) {
    warn(`enum lists more than ${maxEnumValues} values; it is ignored.`);
  } else if (!(list as readonly JsonValue[]).every(isPlainData)) {
    warn("enum holds values that are too large or are named __proto__; it is ignored.");
  } else {
    const { values, changed, fits } = enumValues(list as readonly JsonValue[], types);
    if (changed) warn(`enum holds values that are not of type ${types.join()}; they are read as such.`);
    if (!fits) {
      warn(`enum holds values that are not of type ${types.join()}; they are accepted, and the type is ignored.`);
      delete out["type"];
    }
    if (values.some(isInexact)) warn(`enum holds numbers ${inexact}`);
    const isNullAlone = values.every((value) => value === null) && types.length > 0 && !types.includes("null");
    if (isNullAlone && !isNullable(context, schema))
      warn("enum lists null alone, which is no value here; it is ignored.");
    else out["enum"] = values;
  }
}

function translateData(
  context: NodeContext,
  schema: JsonObject,
  types: readonly string[],
  out: Record<string, JsonValue>,
): void {
  if (context.purpose === "response") return;
  const value = own(schema, "default");
  if (value !== undefined) {
    const {
      values: [meant = value],
      fits,
    } = enumValues([value], out["type"] === undefined ? [] : types);
    const warn = (message: string) => context.report("warning", message, "default");
    if (!isPlainData(value)) warn("default is too large or has a member named __proto__; it is ignored.");
    else if (!fits) warn(`default is not of type ${types.join()}; it is ignored.`);
    else if (!isAmong(meant, out["enum"])) warn("default is not one of the values of enum; it is ignored.");
    else out["default"] = meant;
    if (isInexact(value)) warn(`default is a number ${inexact}`);
  }
  const example = own(schema, "example");
  if (example !== undefined && isSmall(example) && isPlainData(example)) out["examples"] = [example];
}

/** Null may be missing from an enum; `nullable` allows it nevertheless. */
function isAmong(value: JsonValue, list: JsonValue | undefined): boolean {
  if (!Array.isArray(list) || value === null) return true;
  const text = JSON.stringify(value);
  return (list as readonly JsonValue[]).some((each) => JSON.stringify(each) === text);
}

/** Whether reading the document may have lost digits of a number. */
const isInexact = (value: JsonValue) => typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
const inexact = "beyond 2^53 - 1, whose last digits may be lost; write such values as strings.";

const isSmall = (value: JsonValue) =>
  typeof value === "string" ? value.length <= 200 : typeof value !== "object" || JSON.stringify(value).length <= 200;
