import type { JsonObject, JsonValue } from "@procedo/contract";
import { createReferences } from "../schema/references.ts";
import { typesOf } from "../schema/schema-type.ts";

/**
 * Records the notation of numbers, booleans and nulls of a YAML text, by the object or list that contains them. YAML
 * reads `0742`, `1.10` and `0x1F` as numbers and loses their digits; where the document can only mean a text, the text
 * is restored.
 */
export interface YamlTexts {
  /** The number of records. */
  readonly noted: number;
  /** @param written - `undefined` when the value is already a text, or has no written form */
  note(container: object, key: string | number, written: string | undefined): void;
  /** Copies the records of a member that a merge key adds. */
  copy(from: object, to: object, name: string): void;
  /**
   * Restores the texts of an object whose members are complete. Nested values may be shared with other objects by
   * aliases; shared values are copied.
   *
   * @param path - of the object
   */
  restore(object: Record<string, JsonValue>, path: readonly (string | number)[]): void;
  /**
   * Restores texts that depend on the whole document: schemas that are texts because of a reference in their `allOf`.
   */
  finish(root: JsonValue): void;
}

export function createYamlTexts(): YamlTexts {
  const noted = new WeakMap<object, Map<string | number, string>>();
  /** Schemas that may be texts because of a reference. */
  const referring: Record<string, JsonValue>[] = [];
  let count = 0;

  /** A number or boolean in its written form. */
  function textIn(container: object, key: string | number, value: JsonValue): JsonValue {
    if (typeof value !== "number" && typeof value !== "boolean") return value;
    return noted.get(container)?.get(key) ?? value;
  }

  function restoreMember(object: Record<string, JsonValue>, name: string): void {
    const value = memberOf(object, name);
    if (value !== undefined) object[name] = isList(value) ? textsIn(value) : textIn(object, name, value);
  }

  function textsIn(list: readonly JsonValue[]): readonly JsonValue[] {
    return changed(list, (item, index) => textIn(list, index, item));
  }

  /**
   * Values of a schema of type string. A tilde among them is a text, because null is invalid there; `null` is written
   * differently.
   */
  function valuesIn(list: readonly JsonValue[], schema: JsonObject): readonly JsonValue[] {
    const isNullable = schema["nullable"] === true || schema["x-nullable"] === true || isList(schema["type"]);
    return changed(list, (item, index) => {
      const isTilde = item === null && !isNullable && noted.get(list)?.get(index) === "~";
      return isTilde ? "~" : textIn(list, index, item);
    });
  }

  /** Data described by a schema, with texts where the schema requires them. */
  function fitted(value: JsonValue, schema: JsonValue | undefined): JsonValue {
    if (!isObject(schema)) return value;
    if (isList(value)) {
      const items = memberOf(schema, "items");
      if (saysText(items)) return textsIn(value);
      return items === undefined ? value : changed(value, (item) => fitted(item, items));
    }
    if (!isObject(value)) return value;
    const properties = memberOf(schema, "properties");
    const additional = memberOf(schema, "additionalProperties");
    if (!isObject(properties) && !isObject(additional)) return value;
    const entries = Object.entries(value).map(([name, member]): [string, JsonValue] => {
      const property = (isObject(properties) ? memberOf(properties, name) : undefined) ?? additional;
      return [name, saysText(property) ? textIn(value, name, member) : fitted(member, property)];
    });
    return entries.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(entries);
  }

  function restoreText(schema: Record<string, JsonValue>): void {
    const values = memberOf(schema, "enum");
    if (isList(values)) schema["enum"] = valuesIn(values, schema);
    for (const keyword of [...dataKeywords, "pattern"]) restoreMember(schema, keyword);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      const parts = memberOf(schema, keyword);
      if (isList(parts)) schema[keyword] = changed(parts, textPart);
    }
  }

  /** A part that lists values and inherits its type from the enclosing schema. */
  function textPart(part: JsonValue): JsonValue {
    const values = isObject(part) && memberOf(part, "type") === undefined ? memberOf(part, "enum") : undefined;
    if (!isObject(part) || !isList(values)) return part;
    const texts = valuesIn(values, part);
    return texts === values ? part : { ...part, enum: texts };
  }

  function restoreSchema(schema: Record<string, JsonValue>): void {
    const values = memberOf(schema, "enum");
    if (saysText(schema)) return restoreText(schema);
    if (listOf(schema["allOf"]).some(isReference)) referring.push(schema);
    // Without a type, the values decide: texts, with numbers among them.
    if (memberOf(schema, "type") === undefined && isList(values) && areTextsAndNumbers(values)) {
      schema["enum"] = textsIn(values);
    }
    for (const keyword of dataKeywords) {
      const value = memberOf(schema, keyword);
      if (value !== undefined) schema[keyword] = fitted(value, schema);
    }
    if (isObject(schema["properties"]) && isList(schema["required"])) restoreMember(schema, "required");
  }

  return {
    get noted() {
      return count;
    },
    note(container, key, written) {
      if (written === undefined) return;
      const known = noted.get(container);
      count += 1;
      if (known === undefined) noted.set(container, new Map([[key, written]]));
      else known.set(key, written);
    },
    copy(from, to, name) {
      this.note(to, name, noted.get(from)?.get(name));
    },
    restore(object, path) {
      restoreSchema(object);
      for (const name of textMembers(object, path)) {
        // The importer warns of a numeric id. Only digits that a number loses must be restored.
        if (name === "operationId" && JSON.stringify(object[name]) === noted.get(object)?.get(name)) continue;
        restoreMember(object, name);
      }
    },
    finish(root) {
      if (referring.length === 0 || !isObject(root)) return;
      const references = createReferences(root);
      const isText = (part: JsonValue): boolean => {
        const found = references.follow(part, "");
        return found.ok && saysText(found.value);
      };
      for (const schema of referring) if (listOf(schema["allOf"]).some(isText)) restoreText(schema);
    },
  };
}

const dataKeywords = ["default", "example", "examples", "const"];

/** Members that are always texts in OpenAPI, under any name. */
function textMembers(object: JsonObject, path: readonly (string | number)[]): readonly string[] {
  const [first, second] = [path.at(-1), path.at(-2)];
  if (path.length === 1 && first === "info") return ["title", "version"];
  if (path.length === 3 && path[0] === "paths") return ["operationId"];
  if (second === "variables" && path.at(-4) === "servers") return ["default", "enum"];
  if (first === "discriminator") return ["propertyName"];
  if (first === "mapping" && second === "discriminator") return Object.keys(object);
  return places.has(memberOf(object, "in")) ? ["name"] : [];
}

const places: ReadonlySet<JsonValue | undefined> = new Set(["path", "query", "header", "cookie", "formData", "body"]);

/** Whether a schema, or an inline part of it, declares its values as texts. */
function saysText(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return false;
  const type = memberOf(schema, "type");
  if (type !== undefined) {
    const types = typesOf(type, "openapi-3.0").types.filter((name) => name !== "null");
    return types.length === 1 && types[0] === "string";
  }
  const parts = memberOf(schema, "allOf");
  return isList(parts) && parts.some(saysText);
}

function areTextsAndNumbers(values: readonly JsonValue[]): boolean {
  const others = values.filter((value) => value !== null);
  return (
    others.some((value) => typeof value === "string") &&
    others.every((value) => typeof value === "string" || typeof value === "number")
  );
}

/** Returns the same list when nothing changes, because others may share it. */
function changed(
  list: readonly JsonValue[],
  change: (item: JsonValue, index: number) => JsonValue,
): readonly JsonValue[] {
  const made = list.map(change);
  return made.every((item, index) => item === list[index]) ? list : made;
}

const memberOf = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);

const isReference = (value: JsonValue): boolean => isObject(value) && Object.hasOwn(value, "$ref");

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !isList(value);
