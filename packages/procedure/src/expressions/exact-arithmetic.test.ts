import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "@procedo/contract";
import { isExactDigits } from "../numbers/exact-number.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileTemplate } from "./compile-template.ts";
import { problemsOf, sampleScope, sampleTypes, valueOf } from "./sample-scope.ts";

const beyond = "9007199254740993";

/** The value of an expression on an input of known types, or the problem that prevents it. */
function typed(source: string, input: JsonValue): JsonValue | undefined {
  const compiled = compileExpression(source, sampleTypes);
  if (!compiled.ok) throw new Error(problemsOf(source));
  const evaluation = compiled.expression.evaluate(sampleScope(input));
  return evaluation.ok ? evaluation.value : evaluation.message;
}

/** A whole number as in a response or a request. */
function kept(value: bigint): JsonValue {
  return isExactDigits(String(value)) ? String(value) : Number(value);
}

const near = fc.oneof(
  fc.bigInt({ min: 2n ** 53n - 20n, max: 2n ** 53n + 20n }),
  fc.bigInt({ min: -(2n ** 53n) - 20n, max: -(2n ** 53n) + 20n }),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
  fc.bigInt({ min: -100n, max: 100n }),
);
const numRuns = () => cases({ commit: 500, nightly: 20_000, release: 200_000 });

describe("a number beyond a double", () => {
  it.each<[string, JsonValue]>([
    ["input.amount > 100", true],
    ["input.amount < 9007199254740991", false],
    ["input.amount >= input.amount", true],
    ["input.amount == input.amount", true],
    ["input.amount == 1", false],
    ["input.amount != 1", true],
    ["input.amount > 0.5", true],
    ['input.amount == decimal("9007199254740993")', true],
    ['input.amount > decimal("9007199254740992.99")', true],
    ["input.amount in [1, input.amount]", true],
    ["1 in [input.amount]", false],
    ["input.amount - 1", 9007199254740992],
    ["input.amount + 2", "9007199254740995"],
    ["input.amount * 2", "18014398509481986"],
    ["input.amount / 3", 3002399751580331],
    ["input.amount % 10", 3],
    ["-input.amount", "-9007199254740993"],
    ["input.amount + input.amount", "18014398509481986"],
    ["input.amount + 0.5", "9007199254740993.5"],
    ["sum([input.amount, input.amount, 1])", "18014398509481987"],
    ["string(input.amount)", beyond],
    ['string(input.amount) + "!"', "9007199254740993!"],
    ["decimal(input.amount) + 1", "9007199254740994"],
    ["int(input.amount)", beyond],
    ["double(input.amount)", 9007199254740992],
    ["round(input.amount / 2, 0)", "9007199254740997"],
    ["input.amount > 1 ? input.amount : 0", beyond],
    ["input.?amount.orValue(0) > 1", true],
    ['money(input.amount, "EUR")', "90,071,992,547,409.93 EUR"],
  ])("is calculated exactly if its type is number: %s", (source, value) => {
    const given = source.startsWith("round") ? "18014398509481993" : beyond;
    expect(typed(source, { amount: given })).toEqual(value);
  });

  it.each<[string, JsonValue]>([
    ["input.amount + 1", "9007199254740995"],
    ["input.amount - 1", "9007199254740993"],
    ["input.amount * 3", "27021597764222982"],
    ["input.amount + 0.5", "9007199254740994.5"],
    ["input.amount % 10", 4],
  ])("results from a whole double beyond 2^53, which is exact itself: %s", (source, value) => {
    expect(typed(source, { amount: 9007199254740994 })).toEqual(value);
  });

  it("is calculated from the digits in JSON, not from the binary value of its double", () => {
    const values = { amount: 1e23, rate: 9.9999999999999e22 };
    expect(typed("input.amount - input.rate", values)).toBe(1_000_000_000);
    expect(typed("input.amount % 7", values)).toBe(Number(10n ** 23n % 7n));
    expect(typed("input.amount + 1", values)).toBe("100000000000000000000001");
  });

  it("is exact in the items of a list", () => {
    const input = { amount: 1, lines: [{ price: beyond }, { price: "9007199254740993.0" }, { price: 2 }] };
    expect(typed("input.lines.filter(l, l.price > 3).map(l, l.price)", input)).toEqual([beyond, "9007199254740993.0"]);
    expect(typed("input.lines.all(l, l.price == input.lines[0].price || l.price < 3)", input)).toBe(true);
    expect(typed("sum(input.lines.map(l, l.price))", input)).toBe(18014398509481988);
  });

  it.each<[string, JsonValue]>([
    ["input.n > 100", true],
    ["100 < input.n", true],
    ["input.n > input.m", true],
    ["input.n == 9007199254740991", false],
    ['input.n == decimal("9007199254740993")', true],
    ["input.n - 1", 9007199254740992],
    ["sum(input.list)", 18014398509481988],
    ["input.n == input.n", true],
    ["-input.n", "-9007199254740993"],
    ["round(input.m, 0)", "9007199254740993"],
    ['divide(decimal("90071992547409930"), input.n, 1)', "10.0"],
  ])("counts as a number beside a number if its type is unknown: %s", (source, value) => {
    expect(valueOf(source, { n: beyond, m: "9007199254740992.5", list: [beyond, beyond, 2] })).toEqual(value);
  });

  it.each([
    ["input.amount / 7", /divides decimals without an end/],
    ["input.amount / 0", /divides by zero/],
    ["input.amount % 0", /divides by zero/],
    ["input.amount % 0.5", /% of numbers that are not whole/],
  ])("fails if a result is not exact: %s", (source, message) => {
    expect(typed(source, { amount: beyond })).toMatch(message);
  });

  it("fails if it has more digits than a decimal", () => {
    expect(typed("input.amount + 1", { amount: "1e400" })).toMatch(/more than 100 digits/);
    expect(typed("input.amount > 1", { amount: "1e400" })).toBe(true);
    expect(typed("input.amount > 1e300", { amount: "1e400" })).toBe(true);
  });

  it("with very many digits costs steps each time it is read", () => {
    const input = { amount: "9".repeat(1_000_000), tags: Array.from({ length: 100 }, () => "a") };
    expect(typed("input.tags.all(t, [input.amount].size() == 1)", input)).toMatch(/takes more than 500000 steps/);
  });

  it("shows its digits in a title", () => {
    const compiled = compileTemplate("Pay {{ input.amount }}?", sampleTypes);
    expect(compiled.ok && compiled.template.render(sampleScope({ amount: beyond }))).toEqual({
      ok: true,
      value: `Pay ${beyond}?`,
    });
  });

  it("compares as big integers do", () => {
    fc.assert(
      fc.property(near, near, fc.constantFrom("<", "<=", ">", ">=", "==", "!="), (a, b, operator) => {
        const wanted = { "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a === b, "!=": a !== b }[operator];
        const values = { amount: kept(a), rate: kept(b) };
        expect(typed(`input.amount ${operator} input.rate`, values)).toBe(wanted);
      }),
      { numRuns: numRuns() },
    );
  });

  it("adds, subtracts, multiplies and divides with a remainder as big integers do, or fails", () => {
    fc.assert(
      fc.property(near, near, fc.constantFrom("+", "-", "*", "%"), (a, b, operator) => {
        if (operator === "%" && b === 0n) return;
        const wanted = { "+": () => a + b, "-": () => a - b, "*": () => a * b, "%": () => a % b }[operator]();
        const given = typed(`input.amount ${operator} input.rate`, { amount: kept(a), rate: kept(b) });
        const isOfSmall = [a, b].every((one) => Number.isSafeInteger(Number(one)));
        if (isOfSmall && !Number.isSafeInteger(Number(wanted))) expect(given).toMatch(/which would not be exact/);
        else expect(given).toEqual(wanted === 0n ? 0 : kept(wanted));
      }),
      { numRuns: numRuns() },
    );
  });
});

describe("a text of digits", () => {
  it("is joined if its type is text, and fails if it may be a sum", () => {
    expect(typed("input.reference + input.reference", { reference: beyond })).toBe(beyond + beyond);
    expect(valueOf('input.n + "/1"', { n: beyond })).toBe("9007199254740993/1");
    expect(valueOf("string(input.n) + string(input.n)", { n: beyond })).toBe(beyond + beyond);
    expect(() => valueOf("input.n + input.n", { n: beyond })).toThrow(/digits that may be numbers/);
    expect(valueOf("input.n + input.m", { n: beyond, m: "x" })).toBe("9007199254740993x");
  });

  it("never becomes a number if its type is text", () => {
    expect(problemsOf("input.reference > 100")).toMatch(/uses > on text and a whole number/);
    expect(problemsOf("input.reference == 9007199254740991")).toMatch(/never equal/);
    expect(typed("input.reference.size()", { reference: beyond })).toBe(16);
    expect(typed('input.reference == "9007199254740993.0"', { reference: beyond })).toBe(false);
  });

  it("that a double represents, or that is not JSON's notation, is not compared with a number", () => {
    for (const text of ["42", "007", "9007199254740992", " 9007199254740993"]) {
      expect(() => valueOf("input.n > 100", { n: text })).toThrow(/a comparison by size on text and a number/);
    }
  });
});
