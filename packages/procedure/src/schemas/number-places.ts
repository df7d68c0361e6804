import type { JsonObject, JsonValue } from "@procedo/contract";
import { exactNumberOf, isExactDigits } from "../numbers/exact-number.ts";
import { setOwn } from "../expressions/value.ts";
import { compileLinearPattern } from "./linear-pattern.ts";
import { isObject, resolvePointer } from "./schema-walk.ts";
import { surelyFails, type Search } from "./sure-failure.ts";

/** A value in which digits that a double would change are `Exact` if their schema requires a number. */
export type WithExactNumbers<Exact> =
  JsonValue | Exact | readonly WithExactNumbers<Exact>[] | { readonly [name: string]: WithExactNumbers<Exact> };

/**
 * The value with `make(digits)` in place of each text that represents a number; `undefined` if there is none.
 *
 * A text represents a number if a double would change its digits and its schema accepts a number there but no text.
 * Alternatives that the value certainly violates are ignored; if a remaining one accepts text, the value is text.
 */
export function withExactNumbers<Exact>(
  schema: JsonObject,
  value: JsonValue,
  make: (digits: string) => Exact,
): WithExactNumbers<Exact> | undefined {
  const digits = digitsWithin(value, 0);
  if (digits === undefined) return undefined;
  const kinds: Kinds = new Map();
  const walk: Walk = { root: schema, stepsLeft: maxSteps, patterns: new Map() };
  narrow(schema, digits, kinds, walk, 0);
  if (walk.stepsLeft < 0 || ![...kinds.values()].includes(numberKind)) return undefined;
  return replaced(digits, kinds, make);
}

/** Once the limit is reached, no text is read as a number. */
const maxSteps = 500_000;
const maxDepth = 256;

/** The kinds that a place may have, as bits. */
const textKind = 1;
const numberKind = 2;
const eitherKind = 3;

/** The remaining kinds of each text of digits; both for a text that is not listed. */
type Kinds = Map<DigitsNode, number>;

/** A text of digits, or a container of such texts. */
interface DigitsNode {
  readonly value: JsonValue;
  readonly children: ReadonlyMap<string | number, DigitsNode>;
}

interface Walk extends Search {
  readonly patterns: Map<string, ReturnType<typeof compileLinearPattern>>;
}

const none: DigitsNode["children"] = new Map();

function digitsWithin(value: JsonValue, depth: number): DigitsNode | undefined {
  if (typeof value === "string") return isExactDigits(value) ? { value, children: none } : undefined;
  if (typeof value !== "object" || value === null || depth > maxDepth) return undefined;
  const children = new Map<string | number, DigitsNode>();
  const entries: Iterable<[string | number, JsonValue]> = isList(value) ? value.entries() : Object.entries(value);
  for (const [key, item] of entries) {
    const child = digitsWithin(item, depth + 1);
    if (child !== undefined) children.set(key, child);
  }
  return children.size === 0 ? undefined : { value, children };
}

/** Removes from `kinds` those that a schema forbids for the digits within a value. */
function narrow(schema: JsonValue | undefined, at: DigitsNode, kinds: Kinds, walk: Walk, depth: number): void {
  walk.stepsLeft -= 1;
  if (!isObject(schema) || depth > maxDepth || walk.stepsLeft < 0) return;
  const apply = (other: JsonValue | undefined, node = at): void => narrow(other, node, kinds, walk, depth + 1);
  if (typeof schema["$ref"] === "string") apply(resolvePointer(walk.root, schema["$ref"]));
  for (const part of listOf(schema["allOf"])) apply(part);
  for (const keyword of ["anyOf", "oneOf"]) {
    if (isList(schema[keyword])) alternatives(listOf(schema[keyword]), at, kinds, walk, depth);
  }
  if (schema["if"] !== undefined) alternatives([schema["then"], schema["else"]], at, kinds, walk, depth);
  if (typeof at.value === "string") take(kinds, at, ownKinds(schema) & textRules(schema, at.value, walk));
  else
    for (const [key, child] of at.children)
      for (const part of partsFor(schema, key, at.value, walk)) apply(part, child);
}

function alternatives(
  schemas: readonly (JsonValue | undefined)[],
  at: DigitsNode,
  kinds: Kinds,
  walk: Walk,
  depth: number,
): void {
  const possible = schemas.filter((schema) => !surelyFails(schema, at.value, walk));
  const [first, ...others] = possible.map((schema) => {
    const own: Kinds = new Map();
    narrow(schema, at, own, walk, depth + 1);
    return own;
  });
  for (const [node, kind] of first ?? []) {
    take(
      kinds,
      node,
      others.reduce((all, other) => all | (other.get(node) ?? eitherKind), kind),
    );
  }
}

function take(kinds: Kinds, node: DigitsNode, kind: number): void {
  if (kind !== eitherKind) kinds.set(node, (kinds.get(node) ?? eitherKind) & kind);
}

/** The kinds that `type`, `enum` and `const` allow, and the `format` of a number if they do not decide. */
function ownKinds({ type, format, enum: list, const: only }: JsonObject): number {
  let kinds = eitherKind;
  if (type !== undefined) {
    const types = isList(type) ? type : [type];
    kinds = (types.includes("string") ? textKind : 0) | (types.some(isNumberType) ? numberKind : 0);
  } else if (typeof format === "string" && numberFormats.has(format)) kinds = numberKind;
  const values = isList(list) ? list : only === undefined ? [] : [only];
  if (values.length === 0) return kinds;
  return kinds & values.reduce<number>((all, value) => all | kindsOf(value), 0);
}

const numberFormats = new Set(["int32", "int64", "float", "double"]);
/** Formats of texts that digits alone never match. */
const textFormats = new Set(["date", "date-time", "time", "duration", "uuid", "email", "ipv4", "ipv6", "uri"]);

/** The kinds that remain after the text keywords: text is removed if they refuse it. */
function textRules({ minLength, maxLength, pattern, format }: JsonObject, text: string, walk: Walk): number {
  const fits =
    !(typeof minLength === "number" && text.length < minLength) &&
    !(typeof maxLength === "number" && text.length > maxLength) &&
    !(typeof format === "string" && textFormats.has(format)) &&
    !(typeof pattern === "string" && matches(pattern, text, walk) === false);
  return fits ? eitherKind : numberKind;
}

function kindsOf(value: JsonValue): number {
  const number = exactNumberOf(value) === undefined ? 0 : numberKind;
  return typeof value === "string" ? textKind | number : number;
}

function isNumberType(type: JsonValue | undefined): boolean {
  return type === "integer" || type === "number";
}

/** The schemas that a container's own schema applies to one of its parts. */
function partsFor(
  schema: JsonObject,
  key: string | number,
  container: JsonValue,
  walk: Walk,
): readonly (JsonValue | undefined)[] {
  if (typeof key === "number") {
    const { items } = schema;
    const tuple = isList(items) ? items : listOf(schema["prefixItems"]);
    if (key < tuple.length) return [tuple[key]];
    const rest = isList(items) ? schema["additionalItems"] : items;
    return [rest ?? schema["unevaluatedItems"]];
  }
  const own = ownMember(schema["properties"], key);
  const byPattern = Object.entries(objectOf(schema["patternProperties"])).flatMap(([source, part]) =>
    matches(source, key, walk) === true ? [part] : [],
  );
  const named = own === undefined ? byPattern : [own, ...byPattern];
  const rest = named.length > 0 ? [] : [schema["additionalProperties"] ?? schema["unevaluatedProperties"]];
  const dependent = ["dependentSchemas", "dependencies"].flatMap((keyword) =>
    Object.entries(objectOf(schema[keyword])).flatMap(([name, part]) =>
      isObject(container) && Object.hasOwn(container, name)
        ? partsFor(objectOf(part), key, {}, walk).filter((one) => one !== undefined)
        : [],
    ),
  );
  return [...named, ...rest, ...dependent];
}

/** `undefined` for a pattern that a linear-time engine cannot match. */
function matches(source: string, text: string, walk: Walk): boolean | undefined {
  const known = walk.patterns.get(source);
  const pattern = known ?? compileLinearPattern(source);
  if (known === undefined) walk.patterns.set(source, pattern);
  return pattern.ok ? pattern.test(text, (steps) => void (walk.stepsLeft -= steps)) : undefined;
}

function replaced<Exact>(
  { value, children }: DigitsNode,
  kinds: ReadonlyMap<DigitsNode, number>,
  make: (digits: string) => Exact,
): WithExactNumbers<Exact> {
  const inPlace = (key: string | number, item: JsonValue): WithExactNumbers<Exact> => {
    const child = children.get(key);
    if (child === undefined) return item;
    if (typeof item === "string") return kinds.get(child) === numberKind ? make(item) : item;
    return replaced(child, kinds, make);
  };
  if (isList(value)) return value.map((item, index) => inPlace(index, item));
  if (!isObject(value)) return typeof value === "string" ? make(value) : value;
  const copy: Record<string, WithExactNumbers<Exact>> = {};
  for (const [name, item] of Object.entries(value)) setOwn(copy, name, inPlace(name, item));
  return copy;
}

function ownMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
