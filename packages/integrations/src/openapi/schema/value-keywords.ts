import type { JsonObject, JsonValue } from "@procedo/contract";
import { isBytesType } from "./bytes-type.ts";
import { enumValues } from "./enum-values.ts";
import { own } from "./json-object.ts";
import { foreignKeywords, plainKeywords } from "./keywords.ts";
import type { NodeContext } from "./node-context.ts";
import { isPattern, uncheckedPattern } from "./patterns.ts";
import { isPlainData } from "./schema-bounds.ts";
import { typesOf } from "./schema-type.ts";

const maxTextLength = 2_000;
const maxEnumValues = 2_000;

/** Translates into `out` all keywords that hold no schemas, but `required`; returns the types of the schema's values. */
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
      if (!rule.fits(value)) {
        context.report(rule.describes ? "warning" : "error", `${keyword} must be ${rule.demand}.`, keyword);
      } else if (!rule.describes || context.purpose === "request") {
        copyPlain(context, keyword, value, out);
      }
    } else if (foreignKeywords.has(keyword)) {
      context.report("warning", `${keyword} is not a keyword of this version of OpenAPI; it is ignored.`, keyword);
    }
  }
  translateContent(schema, types, out);
  translateBounds(context, schema, out);
  translateEnum(context, schema, types, out);
  translateData(context, schema, out);
  return types;
}

/** Whether `nullable` or Swagger's `x-nullable` says that null is a value too. */
export function isNullable(context: NodeContext, schema: JsonObject): boolean {
  for (const keyword of ["nullable", "x-nullable"]) {
    const value = own(schema, keyword);
    if (typeof value === "boolean") return value;
    if (value !== undefined) context.report("error", `${keyword} must be true or false.`, keyword);
  }
  return false;
}

function translateType(context: NodeContext, schema: JsonObject, out: Record<string, JsonValue>): readonly string[] {
  const type = own(schema, "type");
  if (type === undefined) return [];
  const read = typesOf(type, context.dialect);
  if (!read.ok) {
    context.report("error", read.message, "type");
    return [];
  }
  if (read.warning !== undefined) context.report("warning", read.warning, "type");
  const [only] = read.types;
  out["type"] = read.types.length === 1 && only !== undefined ? only : read.types;
  if (read.binary) out["format"] = "binary";
  return read.types;
}

function copyPlain(context: NodeContext, keyword: string, value: JsonValue, out: Record<string, JsonValue>): void {
  if (typeof value === "number" && !Number.isFinite(value)) return;
  if (keyword === "pattern" && typeof value === "string") {
    if (!isPattern(value)) {
      const message = `The pattern ${JSON.stringify(value.slice(0, 100))} is not a regular expression of ECMAScript; it is left out.`;
      context.report("warning", message, keyword);
      return;
    }
    const why = uncheckedPattern(value);
    if (why !== undefined) {
      const message = `The pattern ${JSON.stringify(value.slice(0, 100))} ${why}; it is kept, but values are not checked by it.`;
      context.report("warning", message, keyword);
    }
  }
  if (keyword === "format" && out["format"] !== undefined) return;
  const tooLong = typeof value === "string" && value.length > maxTextLength && keyword !== "pattern";
  out[keyword] = tooLong ? `${value.slice(0, maxTextLength)}…` : value;
}

/** A text whose content is an image, or other bytes that no encoding makes a text, is what `format: binary` says. */
function translateContent(schema: JsonObject, types: readonly string[], out: Record<string, JsonValue>): void {
  const mediaType = own(schema, "contentMediaType");
  if (typeof mediaType !== "string" || own(schema, "contentEncoding") !== undefined) return;
  if (types.includes("string") && out["format"] === undefined && isBytesType(mediaType)) out["format"] = "binary";
}

/** In OpenAPI 3.0 `exclusiveMinimum` is a switch of `minimum`; in JSON Schema it is the bound itself. */
function translateBounds(context: NodeContext, schema: JsonObject, out: Record<string, JsonValue>): void {
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const value = own(schema, exclusive);
    const bound = out[inclusive];
    if (value === true && bound !== undefined) {
      delete out[inclusive];
      out[exclusive] = bound;
    } else if (typeof value === "number" && Number.isFinite(value)) {
      context.report(
        "warning",
        `${exclusive} as a number is of OpenAPI 3.1; it is taken as it is meant there.`,
        exclusive,
      );
      out[exclusive] = value;
    } else if (value !== undefined && typeof value !== "boolean") {
      context.report("error", `${exclusive} must be true or false.`, exclusive);
    }
  }
}

function translateEnum(
  context: NodeContext,
  schema: JsonObject,
  types: readonly string[],
  out: Record<string, JsonValue>,
): void {
  const list = own(schema, "enum");
  if (list === undefined) return;
  if (!Array.isArray(list)) {
    context.report("error", "enum must be a list of values.", "enum");
  } else if (list.length === 0) {
    context.report("warning", "enum is empty and would take no value; it is ignored.", "enum");
  } else if (list.length > maxEnumValues) {
    context.report("warning", `enum lists more than ${maxEnumValues} values; it is ignored.`, "enum");
  } else if (!(list as readonly JsonValue[]).every(isPlainData)) {
    context.report("warning", "enum holds values that are too large or are named __proto__; it is ignored.", "enum");
  } else {
    const { values, changed } = enumValues(list as readonly JsonValue[], types);
    if (changed) {
      context.report(
        "warning",
        `enum holds values that are not of type ${types.join()}; they are taken as such.`,
        "enum",
      );
    }
    if (values.some(isInexact)) context.report("warning", `enum holds numbers ${inexact}`, "enum");
    out["enum"] = values;
  }
}

function translateData(context: NodeContext, schema: JsonObject, out: Record<string, JsonValue>): void {
  if (context.purpose === "response") return;
  const value = own(schema, "default");
  if (value !== undefined) {
    if (isInexact(value)) context.report("warning", `default is a number ${inexact}`, "default");
    if (isPlainData(value)) out["default"] = value;
    else context.report("warning", "default is too large or has a member named __proto__; it is ignored.", "default");
  }
  const example = own(schema, "example");
  if (example !== undefined && isSmall(example) && isPlainData(example)) out["examples"] = [example];
}

/** Whether digits of a number may have been lost when the document was read. */
const isInexact = (value: JsonValue) => typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
const inexact = "beyond 2^53 - 1, whose last digits may be lost; write such values as strings.";

const isSmall = (value: JsonValue) =>
  typeof value === "string" ? value.length <= 200 : typeof value !== "object" || JSON.stringify(value).length <= 200;
