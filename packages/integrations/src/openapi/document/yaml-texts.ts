import type { JsonObject, JsonValue } from "@procedo/contract";
import { createReferences } from "../schema/references.ts";
import { typesOf } from "../schema/schema-type.ts";

/**
 * Keeps how the numbers, booleans and nulls of a YAML text are written, by the object or list that holds them. `0742`, `1.10`
 * and `0x1F` are numbers in YAML, whose digits are lost; where the document can only mean a text, they become texts again.
 */
export interface YamlTexts {
  /** How many were kept. */
  readonly noted: number;
  /** @param written - `undefined`: the value is a text already, or none that is written */
  note(container: object, key: string | number, written: string | undefined): void;
  /** Takes over what was noted of a member that a merge key brings. */
  copy(from: object, to: object, name: string): void;
  /**
   * Writes texts into an object whose members are complete. Values within it may be shared with other objects by aliases; those
   * are copied.
   *
   * @param path - of the object
   */
  restore(object: Record<string, JsonValue>, path: readonly (string | number)[]): void;
  /** Restores what only the whole document tells: schemas that are texts by a reference in their `allOf`. */
  finish(root: JsonValue): void;
}

export function createYamlTexts(): YamlTexts {
  const noted = new WeakMap<object, Map<string | number, string>>();
  /** Schemas that may be texts by a reference. */
  const referring: Record<string, JsonValue>[] = [];
  let count = 0;

  /** A number or boolean as it is written. */
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

  /** Values of a schema that says text. A tilde among them is a text, where null is none; `null` is written otherwise. */
  function valuesIn(list: readonly JsonValue[], schema: JsonObject): readonly JsonValue[] {
    const isNullable = schema["nullable"] === true || schema["x-nullable"] === true || isList(schema["type"]);
    return changed(list, (item, index) => {
      const isTilde = item === null && !isNullable && noted.get(list)?.get(index) === "~";
      return isTilde ? "~" : textIn(list, index, item);
    });
  }

  /** Data that a schema describes, with texts where it says so. */
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

  /** A part that lists values, and leaves the type to the schema that it stands in. */
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
    // Where nothing else is said, the values tell: texts, and numbers among them.
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
        // The importer warns of an id that is a number; only digits that a number loses have to be restored.
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

/** Members that are texts in OpenAPI under any name. */
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

/** Whether a schema says of itself, or by parts that stand in it, that its values are texts. */
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

/** The list itself where nothing changes: others may share it. */
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
