import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { CheckBudgetError } from "./check-budget.ts";
import { CheckBudget, maxCheckSteps, violationSteps } from "./check-budget.ts";
import { compileSchema } from "./compile-schema.ts";

function violations(schema: JsonObject, value: JsonValue) {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.validator.validate(value);
}

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const object = (count: number, name: (index: number) => string, value: JsonValue): JsonObject =>
  Object.fromEntries(times(count, (index) => [name(index), value]));

function nested(depth: number, wrap: (inner: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

const stopped = [{ path: "", message: expect.stringContaining(`more than ${maxCheckSteps} steps`) as string }];
const next = (more: JsonObject = {}): JsonObject => ({
  properties: { next: { $ref: "#" } },
  required: ["next"],
  ...more,
});
const chain = nested(40, (inner) => ({ next: inner }));
const names = object(50_000, (index) => `name${index}`, "x");
const numbers = times(200_000, () => 1);
const many = <Schema extends JsonObject>(count: number, schema: Schema) => times(count, () => schema);

describe("the budget of a check ends", () => {
  it.each<[string, JsonObject, JsonValue]>([
    ["alternatives that refer to themselves", { type: "object", anyOf: [next(), next()] }, chain],
    ["one of several forms that refer to themselves", { type: "object", oneOf: [next(), next()] }, chain],
    [
      "items with alternatives that refer to themselves",
      { type: "array", items: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } },
      nested(40, (inner) => [inner]),
    ],
    ["conditions that refer to themselves", { if: next(), then: next(), else: { not: next() } }, chain],
    [
      "references of draft 07 that multiply",
      { $schema: "http://json-schema.org/draft-07/schema#", type: "object", anyOf: [next(), next()] },
      chain,
    ],
    [
      "values that are schemas only by reference",
      {
        $ref: "#/components/node",
        components: {
          node: {
            type: "object",
            anyOf: many(2, { required: ["next"], properties: { next: { $ref: "#/components/node" } } }),
          },
        },
      },
      chain,
    ],
    [
      "`uniqueItems` in many alternatives",
      { anyOf: many(500, { uniqueItems: true, maxItems: 0 }) },
      times(20_000, (index) => ({ index })),
    ],
    [
      "an `enum` of objects in many alternatives",
      { items: { anyOf: [...many(200, { enum: [{ no: 1 }] }), { type: "object" }] } },
      times(4_000, (index) => ({ index })),
    ],
    ["`const` of a large object in many alternatives", { anyOf: times(900, (index) => ({ const: { index } })) }, names],
    [
      "a long text against many patterns",
      { anyOf: times(50, (index) => ({ pattern: `(a|b){1,20}c${index}$` })) },
      "ab".repeat(50_000),
    ],
    [
      "many names against many patterns",
      { patternProperties: Object.fromEntries(times(100, (index) => [`^x.*${index}$`, { type: "string" }])) },
      names,
    ],
    [
      "names that match none of many patterns",
      {
        patternProperties: Object.fromEntries(times(100, (index) => [`^x.*${index}$`, true])),
        additionalProperties: { type: "string" },
      },
      names,
    ],
    ["`propertyNames` many times", { allOf: many(500, { propertyNames: { minLength: 1 } }) }, names],
    ["`additionalProperties` many times", { allOf: many(500, { additionalProperties: { minLength: 1 } }) }, names],
    ["`minProperties` many times", { allOf: many(500, { minProperties: 1 }) }, names],
    [
      "`dependentSchemas` with many names",
      { dependentSchemas: Object.fromEntries(times(900, (index) => [`name${index}`, { minProperties: 1 }])) },
      names,
    ],
    [
      "`contains` many times",
      { allOf: many(300, { contains: { minimum: 2 }, minContains: 0, maxContains: 9 }) },
      numbers,
    ],
    ["`items` that take all, many times", { allOf: many(500, { items: { minimum: 1 } }) }, numbers],
    [
      "unevaluated names",
      { anyOf: many(300, { additionalProperties: { type: "string" } }), unevaluatedProperties: false },
      names,
    ],
    ["unevaluated items", { allOf: many(300, { unevaluatedItems: { minimum: 0 } }) }, numbers],
    ["the length of a long text many times", { anyOf: many(1_000, { minLength: 2_000_000 }) }, "ab".repeat(250_000)],
    [
      "the format of a long text many times",
      { anyOf: many(1_000, { format: "uri", maxLength: 1 }) },
      `a:${"a".repeat(500_000)}`,
    ],
    ["numbers of hundreds of digits", { items: { multipleOf: 1e-300 } }, times(100_000, () => 1.7e300)],
    [
      "a name of millions of characters that are escaped in a path",
      { additionalProperties: { $ref: "#/$defs/number" }, $defs: { number: { type: "number" } } },
      { ["~/".repeat(1_100_000)]: 1 },
    ],
    [
      "products of alternatives and items",
      {
        items: {
          anyOf: [
            ...many(20, { allOf: [...many(20, { properties: { a: { type: "number" } } }), { required: ["b"] }] }),
            { type: "object" },
          ],
        },
      },
      times(20_000, () => ({ a: 1 })),
    ],
  ])("%s", (_name, schema, value) => {
    expect(violations(schema, value)).toEqual(stopped);
  });

  it("the violations of alternatives that are discarded", () => {
    const schema = { items: { anyOf: [...many(60, { type: "string" }), { type: "number" }] } };
    expect(
      violations(
        schema,
        times(100, () => 1),
      ),
    ).toEqual([]);
    expect(
      violations(
        schema,
        times(20_000, () => 1),
      ),
    ).toEqual(stopped);
  });
});

describe("a value that is large but cheap", () => {
  it.each<[string, JsonObject, JsonValue]>([
    ["80,000 different objects", { uniqueItems: true }, times(80_000, (index) => ({ index }))],
    [
      "20,000 objects of an `enum` of 3,000",
      { items: { enum: times(3_000, (index) => ({ index })) } },
      times(20_000, (index) => ({ index: index % 3_000 })),
    ],
    [
      "60,000 texts of an `enum` of 9,000",
      { items: { enum: times(9_000, (index) => `value${index}`) } },
      times(60_000, (index) => `value${index % 9_000}`),
    ],
    ["100,000 texts of a pattern", { items: { pattern: "^[a-z]+$" } }, times(50_000, () => "abcdef")],
    ["50,000 names", { additionalProperties: { type: "string" } }, names],
    [
      "100,000 items of which the last is contained",
      { contains: { type: "string" } },
      [...numbers.slice(100_000), "x"],
    ],
    [
      "items of a referenced schema of which the last is contained",
      { $defs: { text: { type: "string" } }, contains: { $ref: "#/$defs/text" } },
      [...times(20_000, () => 1), "x"],
    ],
    [
      "50,000 account numbers",
      { items: { pattern: "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$" } },
      times(50_000, () => "DE89370400440532013000"),
    ],
    [
      "50,000 amounts as texts",
      { items: { pattern: "^-?(0|[1-9][0-9]{0,12})(\\.[0-9]{1,4})?$" } },
      times(50_000, (index) => `${index}.99`),
    ],
    [
      "5,000 addresses of mail by a pattern that has to try several ways",
      { items: { pattern: "^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$" } },
      times(5_000, (index) => `jane.doe.${index}@accounting.example.com`),
    ],
    [
      "10,000 invoice lines that are all different",
      {
        uniqueItems: true,
        items: {
          type: "object",
          required: ["id", "iban"],
          properties: {
            id: { type: "string", pattern: "^[A-Z]{2}-[0-9]{6}$" },
            iban: { type: "string", pattern: "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$" },
            amount: { type: "string", pattern: "^-?[0-9]{1,13}(\\.[0-9]{1,4})?$" },
            currency: { enum: ["EUR", "USD", "GBP"] },
            date: { type: "string", format: "date" },
          },
        },
      },
      times(10_000, (index) => ({
        id: `AB-${100_000 + index}`,
        iban: "DE89370400440532013000",
        amount: `${index}.99`,
        currency: "EUR",
        date: "2026-03-04",
      })),
    ],
    [
      "2,000 items of which each is one of 200 titled constants",
      { items: { oneOf: times(200, (index) => ({ const: `code${index}`, title: "A code" })) } },
      times(2_000, (index) => `code${index % 200}`),
    ],
    ["100,000 amounts with cents", { items: { multipleOf: 0.01 } }, times(100_000, (index) => index / 100)],
    [
      "3,000 properties",
      { properties: object(3_000, (index) => `name${index}`, { type: "string" }) },
      object(3_000, (index) => `name${index}`, "x"),
    ],
  ])("is checked completely: %s", (_name, schema, value) => {
    expect(violations(schema, value)).toEqual([]);
  });

  it("reports its first violation if it has too many to report all", () => {
    const required = times(900, (index) => `name${index}`);
    expect(
      violations(
        { items: { required } },
        times(9_000, () => ({})),
      ),
    ).toEqual([{ path: "/0/name0", message: "is required." }]);
    expect(violations({ items: false }, numbers)).toEqual([{ path: "/0", message: "is not allowed here." }]);
    expect(violations({ additionalProperties: false }, names)).toHaveLength(1);
    const referenced = { $defs: { text: { type: "string" } }, items: { $ref: "#/$defs/text" } };
    expect(violations(referenced, numbers)).toEqual([{ path: "/0", message: "must be a string." }]);
  });

  it("has more violations than a schema reports that is too large to search for the first alone", () => {
    const schema = { properties: object(3_000, (index) => `name${index}`, { minLength: 2, type: "number" }) };
    expect(violations({ items: schema }, [names, names])).toEqual([
      { path: "", message: expect.stringContaining("more than 4000 violations") as string },
    ]);
  });

  it.each(["long", "~/"])("is not repeated in the paths of its violations: a name of many %s", (part) => {
    const value = { [part.repeat(100_000)]: times(3_000, () => 1) };
    const reported = violations({ additionalProperties: { items: { type: "string" } } }, value);
    expect(reported[0]?.path).toBe(`/${part.replace("~/", "~0~1").repeat(100_000)}/0`);
    expect(reported.length).toBeGreaterThan(0);
    expect(reported.reduce((sum, { path }) => sum + path.length, 0)).toBeLessThan(2_000_000);
  });
});

describe("a keyword costs more steps in a schema whose code is too long to be optimized", () => {
  it.each([
    [50, []],
    [500, stopped],
  ])("%i schemas for 5,000,000 keywords", (count, reported) => {
    const items = { allOf: times(count, (index) => ({ minimum: -index })) };
    const value = times(5_000_000 / count, () => 1);
    expect(violations({ items }, value)).toEqual(reported);
  });
});

describe("a budget", () => {
  it("counts steps and violations, and starts anew with each check", () => {
    const budget = new CheckBudget();
    budget.begin();
    budget.violationsLeft = 2;
    budget.spendViolation();
    budget.spend(10);
    expect(maxCheckSteps - budget.left).toBe(violationSteps + 10);
    budget.spendViolation();
    expect(() => budget.spendViolation()).toThrow(expect.objectContaining({ spent: "violations" }) as CheckBudgetError);
    budget.begin();
    expect(() => budget.spend(maxCheckSteps)).not.toThrow();
    expect(() => budget.spend(1)).toThrow(expect.objectContaining({ spent: "steps" }) as CheckBudgetError);
  });

  it("escapes a name once, however many references and violations are below it", () => {
    const name = "~/".repeat(10_000);
    const budget = new CheckBudget();
    budget.begin();
    expect(budget.pointerToken(name)).toBe("~0~1".repeat(10_000));
    const { left } = budget;
    expect(left).toBeLessThan(maxCheckSteps);
    expect(budget.pointerToken(name)).toBe("~0~1".repeat(10_000));
    expect(budget.left).toBe(left);
    const schema = {
      $defs: { number: { type: "number" } },
      additionalProperties: { items: { $ref: "#/$defs/number" } },
    };
    expect(violations(schema, { [name]: numbers.slice(0, 50_000) })).toEqual([]);
  });

  it("of one check does not reduce the next one", () => {
    const compiled = compileSchema({ type: "object", anyOf: [next(), next(), { required: ["end"] }] });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
    expect(compiled.validator.validate(chain)).toEqual(stopped);
    expect(compiled.validator.validate({ end: true })).toEqual([]);
  });
});
