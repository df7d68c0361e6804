import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "@procedo/contract";
import { compileSchema } from "./compile-schema.ts";
import { canonicalText, firstEqualItems, membershipOf } from "./json-equality.ts";

const free = (): void => undefined;
/** Few leaves and names, so that equal values are frequent. */
const { value: small } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<JsonValue>(0, -0, 1, 1.5, "", "a", "1", true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__x", "10", "9"), tie("value"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

function fits(schema: Record<string, JsonValue>, value: JsonValue): boolean {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.validator.validate(value).length === 0;
}

const ajv = (schema: Record<string, JsonValue>, value: JsonValue): boolean =>
  new Ajv2020({ strict: false, logger: false, validateSchema: false, meta: false }).validate(schema, value);

describe("equality in JSON Schema", () => {
  it("decides `uniqueItems`, `enum` and `const` as ajv does", () => {
    fc.assert(
      fc.property(fc.array(small, { minLength: 1, maxLength: 5 }), small, (list, value) => {
        const items = [...list, value];
        expect(fits({ uniqueItems: true }, items)).toBe(ajv({ uniqueItems: true }, items));
        expect(fits({ enum: list }, value)).toBe(ajv({ enum: list }, value));
        const [first = null] = list;
        expect(fits({ const: first }, value)).toBe(ajv({ const: first }, value));
      }),
      { numRuns: 150 },
    );
  });

  it("is that of the texts", () => {
    fc.assert(
      fc.property(small, small, (one, other) => {
        const isEqual = canonicalText(one, free) === canonicalText(other, free);
        expect(membershipOf([one])(other, free)).toBe(isEqual);
        expect(firstEqualItems([one, other], free) !== undefined).toBe(isEqual);
      }),
    );
  });

  it.each<[JsonValue, JsonValue, boolean]>([
    [1, JSON.parse("1.0") as JsonValue, true],
    [0, -0, true],
    [1, true, false],
    [1, "1", false],
    [null, false, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [["a,b"], ["a", "b"], false],
    [{ 'a":1,"b': 2 }, { a: 1, b: 2 }, false],
    [{ valueOf: 1, toString: 2 }, { toString: 2, valueOf: 1 }, true],
  ])("of %j and %j is %s", (one, other, isEqual) => {
    expect(fits({ uniqueItems: true }, [one, other])).toBe(!isEqual);
    expect(fits({ const: one }, other)).toBe(isEqual);
    expect(fits({ enum: ["x", one] }, other)).toBe(isEqual);
  });

  it("names the first two equal items", () => {
    expect(firstEqualItems([1, { a: 1 }, 2, { a: 1 }, 1], free)).toEqual({ i: 3, j: 1 });
    expect(firstEqualItems([1, { a: 1 }, [], "1"], free)).toBeUndefined();
  });

  it("costs as many steps as the size of the compared values", () => {
    let steps = 0;
    firstEqualItems([{ a: "x".repeat(8_000) }, 1], (more) => (steps += more));
    expect(steps).toBeGreaterThan(1_000);
    steps = 0;
    // Longer than every value that it could equal.
    membershipOf(["a"])("x".repeat(8_000), (more) => (steps += more));
    expect(steps).toBe(0);
  });
});
