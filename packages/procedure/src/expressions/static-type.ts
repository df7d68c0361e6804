import { kindNames } from "./value.ts";

/**
 * The type of a value before the evaluation. `dyn` is an unknown type: it is allowed everywhere and checked by the
 * evaluation. Any value may also be null, because JSON APIs return null where their schema says text.
 */
export type StaticType = ScalarType | ListType | ObjectType | OptionalType;

export interface ScalarType {
  /**
   * `int` is a number that is known to be whole from the expression itself: a literal, a size. A JSON number is
   * `number`.
   */
  readonly kind: "dyn" | "null" | "bool" | "int" | "number" | "string" | "decimal" | "timestamp" | "duration";
  /** For an error's message: the error's other members, `nodes.pay.error.status`. */
  readonly members?: ObjectType;
}

export interface ListType {
  readonly kind: "list";
  readonly items: StaticType;
}

export interface ObjectType {
  readonly kind: "object";
  /** The type of a field; `undefined` if the object is known not to have it. */
  field(name: string): StaticType | undefined;
  /** Known field names, for hints. */
  names(): readonly string[];
}

/** A value that may be absent: the result of `.?`. */
export interface OptionalType {
  readonly kind: "optional";
  readonly of: StaticType;
}

export const dyn: ScalarType = { kind: "dyn" };
export const nullType: ScalarType = { kind: "null" };
export const bool: ScalarType = { kind: "bool" };
export const int: ScalarType = { kind: "int" };
export const number: ScalarType = { kind: "number" };
export const string: ScalarType = { kind: "string" };
export const decimal: ScalarType = { kind: "decimal" };
export const timestamp: ScalarType = { kind: "timestamp" };
export const duration: ScalarType = { kind: "duration" };
/** An object with unknown fields. */
export const anyObject: ObjectType = { kind: "object", field: () => dyn, names: () => [] };

export function listOf(items: StaticType): ListType {
  return { kind: "list", items };
}

export function optionalOf(type: StaticType): OptionalType {
  return type.kind === "optional" ? type : { kind: "optional", of: type };
}

/** An object with exactly these fields. */
export function objectOf(fields: ReadonlyMap<string, StaticType>): ObjectType {
  return { kind: "object", field: (name) => fields.get(name), names: () => [...fields.keys()] };
}

export function isNumeric(type: StaticType): boolean {
  return type.kind === "int" || type.kind === "number";
}

/** Whether a value of this type may have that kind. */
export function mayBe(type: StaticType, kind: Exclude<StaticType["kind"], "dyn" | "optional">): boolean {
  if (type.kind === "dyn" || type.kind === kind) return true;
  return isNumeric(type) && (kind === "number" || kind === "int");
}

/** Maximum nesting of lists in a comparison of types. A schema whose lists contain themselves has no end. */
const listDepth = 16;

/** The type of a value that has one of two types. */
export function join(a: StaticType, b: StaticType): StaticType {
  return joinWithin(a, b, listDepth);
}

function joinWithin(a: StaticType, b: StaticType, depth: number): StaticType {
  if (a === b) return a;
  if (depth === 0) return dyn;
  if (a.kind === "optional" || b.kind === "optional") {
    return optionalOf(joinWithin(a.kind === "optional" ? a.of : a, b.kind === "optional" ? b.of : b, depth));
  }
  if (a.kind === "null") return b;
  if (b.kind === "null") return a;
  if (isNumeric(a) && isNumeric(b)) return number;
  if (a.kind === "list" && b.kind === "list") return listOf(joinWithin(a.items, b.items, depth - 1));
  if (a.kind === "object" && b.kind === "object") return anyObject;
  return dyn;
}

/** Whether two values of these types can ever be equal. */
export function comparable(a: StaticType, b: StaticType): boolean {
  return comparableWithin(a, b, listDepth);
}

function comparableWithin(a: StaticType, b: StaticType, depth: number): boolean {
  if (a === b || depth === 0 || [a.kind, b.kind].some((kind) => kind === "dyn" || kind === "null")) return true;
  if (a.kind === "list" && b.kind === "list") return comparableWithin(a.items, b.items, depth - 1);
  const [left, right] = [a, b].map((type) => (isNumeric(type) || type.kind === "decimal" ? "number" : type.kind));
  return left === right;
}

/** The name of a type in messages. */
export function describe(type: StaticType): string {
  switch (type.kind) {
    case "dyn":
      return "an unknown value";
    case "optional":
      return "a value that may be absent";
    case "int":
      return "a whole number";
    default:
      return kindNames[type.kind];
  }
}
