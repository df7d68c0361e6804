import type { Ajv, ErrorObject } from "ajv";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { compareNumbers, exactFromNumber, exactNumberOf, ExactNumber, isMultipleOf } from "../numbers/exact-number.ts";
import type { CheckBudget } from "./check-budget.ts";
import { allSchemas } from "./schema-walk.ts";

/**
 * The check of values that contain numbers beyond a double.
 *
 * Such a number becomes a symbol with its digits as the description. A symbol has no JSON type, so ajv's own keywords
 * ignore it. `type` and the bounds of numbers are moved from ajv to a keyword of ours.
 */
const numberKeyword = "procedo:number";

const bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"] as const;

/** Converts digits to symbols, with the same symbol for the same number, so that equal items and members are found. */
export function exactSymbols(): (digits: string) => symbol {
  const known = new Map<string, symbol>();
  return (digits) => {
    const { key } = new ExactNumber(digits);
    const symbol = known.get(key) ?? Symbol(digits);
    known.set(key, symbol);
    return symbol;
  };
}

export function exactOfSymbol(symbol: symbol): ExactNumber {
  return new ExactNumber(symbol.description ?? "0");
}

/** Whether a member of `enum`, or a `const`, equals the number of a symbol. */
export function isSameNumber(member: JsonValue, symbol: symbol): boolean {
  return exactNumberOf(member)?.key === exactOfSymbol(symbol).key;
}

/** Moves `type` and the bounds of numbers to the keyword that also checks symbols. Changes the schema. */
export function moveNumberKeywords(schema: JsonObject): void {
  for (const { schema: at } of [...allSchemas(schema)]) {
    const part = at as Record<string, JsonValue>;
    const rule: Record<string, JsonValue> = {};
    const types = typesOf(at["type"]);
    if (types.some((type) => type === "integer" || type === "number")) {
      Reflect.deleteProperty(part, "type");
      // ajv's own keyword, which it refuses without a type.
      rule["type"] = at["nullable"] === true ? [...types, "null"] : types;
      Reflect.deleteProperty(part, "nullable");
    }
    for (const bound of bounds) if (typeof at[bound] === "number") moveTo(rule, part, bound);
    // Checked here only for symbols; ajv checks all other values.
    if (typeof at["format"] === "string" && Object.hasOwn(ranges, at["format"])) rule["format"] = at["format"];
    if (Object.keys(rule).length > 0) part[numberKeyword] = rule;
  }
}

function moveTo(rule: Record<string, JsonValue>, from: Record<string, JsonValue>, keyword: string): void {
  rule[keyword] = from[keyword] ?? null;
  Reflect.deleteProperty(from, keyword);
}

type NumberRule = Readonly<Partial<Record<(typeof bounds)[number], number>>> & {
  readonly type?: readonly string[];
  readonly format?: string;
};

/** The whole numbers of a format, both bounds included. */
const ranges: Readonly<Record<string, readonly [least: ExactNumber, most: ExactNumber]>> = {
  int32: [new ExactNumber("-2147483648"), new ExactNumber("2147483647")],
  int64: [new ExactNumber("-9223372036854775808"), new ExactNumber("9223372036854775807")],
};

type Violation = Pick<ErrorObject, "keyword" | "params">;

export function addNumberKeyword(ajv: Ajv, budget: CheckBudget): void {
  ajv.addKeyword({
    keyword: numberKeyword,
    schemaType: "object",
    errors: true,
    compile(rule: NumberRule) {
      const judge = (value: unknown): boolean => {
        const violation = violationOf(rule, value, budget);
        if (violation !== undefined) Object.assign(judge, { errors: [violation] });
        return violation === undefined;
      };
      return judge;
    },
  });
  for (const [name, [least, most]] of Object.entries(ranges)) {
    const validate = (value: number): boolean => isWithin(exactFromNumber(value), least, most);
    ajv.addFormat(name, { type: "number", validate });
  }
}

function violationOf(rule: NumberRule, value: unknown, budget: CheckBudget): Violation | undefined {
  const exact = typeof value === "symbol" ? exactOfSymbol(value) : undefined;
  const number = exact ?? (typeof value === "number" ? exactFromNumber(value) : undefined);
  budget.spend(stepsPerNumber + ((number?.literal.length ?? 0) >>> 2));
  const { type } = rule;
  if (type !== undefined && !type.some((one) => isOfType(one, value, number))) {
    return { keyword: "type", params: { type } };
  }
  if (number === undefined) return undefined;
  for (const keyword of bounds) {
    const bound = rule[keyword];
    if (bound === undefined || holds(keyword, number, exactFromNumber(bound))) continue;
    if (keyword === "multipleOf") return { keyword, params: { multipleOf: bound } };
    return { keyword, params: { comparison: comparisons[keyword], limit: bound } };
  }
  const range = exact === undefined || rule.format === undefined ? undefined : ranges[rule.format];
  if (range === undefined || isWithin(number, ...range)) return undefined;
  return { keyword: "format", params: { format: rule.format } };
}

const stepsPerNumber = 40;
const comparisons = { minimum: ">=", exclusiveMinimum: ">", maximum: "<=", exclusiveMaximum: "<" } as const;

function holds(keyword: (typeof bounds)[number], number: ExactNumber, bound: ExactNumber): boolean {
  switch (keyword) {
    case "minimum":
      return compareNumbers(number, bound) >= 0;
    case "exclusiveMinimum":
      return compareNumbers(number, bound) > 0;
    case "maximum":
      return compareNumbers(number, bound) <= 0;
    case "exclusiveMaximum":
      return compareNumbers(number, bound) < 0;
    case "multipleOf":
      return isMultipleOf(number, bound);
  }
}

function isWithin(number: ExactNumber, least: ExactNumber, most: ExactNumber): boolean {
  return number.isWhole && compareNumbers(number, least) >= 0 && compareNumbers(number, most) <= 0;
}

function isOfType(type: string, value: unknown, number: ExactNumber | undefined): boolean {
  switch (type) {
    case "integer":
      return number?.isWhole === true;
    case "number":
      return number !== undefined;
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function typesOf(type: unknown): readonly string[] {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.filter((one) => typeof one === "string");
}
