import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { problemsOf, valueOf } from "./sample-scope.ts";

describe("operators work on JSON numbers and whole literals in both orders", () => {
  const input = { a: 7, b: 2.5 };

  test.each([
    ["input.a * 2 > 1000", false],
    ["2 * input.a < 1000", true],
    ["input.a + 1", 8],
    ["1 + input.a", 8],
    ["input.a - 1", 6],
    ["1 - input.a", -6],
    ["input.a * 3", 21],
    ["input.b * 2", 5],
    ["input.a / 2", 3.5],
    ["14 / input.a", 2],
    ["input.a % 4", 3],
    ["15 % input.a", 1],
    ["-7 % 4", -3],
    ["input.a == 7", true],
    ["7 == input.a", true],
    ["input.b != 2", true],
    ["input.a >= 7 && 7 >= input.a && input.a <= 7 && 7 <= input.a", true],
    ["input.b > 2 && 3 > input.b", true],
    ["input.a in [1, 7]", true],
    ["7 in [input.a, input.b]", true],
    ["2.5 in [1, 2]", false],
    ["1.0 == 1", true],
    ["-input.b", -2.5],
    ["size([1, 2]) + input.a", 9],
    ["1e3 + 1", 1001],
    ["0x10 + 0", 16],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, input)).toBe(value);
  });

  test("as they do in JavaScript, for any two numbers", () => {
    const some = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(valueOf("[input.a + input.b, input.a - input.b, input.a * input.b]", { a, b })).toEqual(
          [a + b, a - b, a * b].map((result) => (result === 0 ? 0 : result)),
        );
        expect(valueOf("[input.a < input.b, input.a == input.b]", { a, b })).toEqual([a < b, a === b]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("division of whole literals, which CEL truncates, is refused before evaluation", () => {
  test.each(["1/3*input.amount", "10 / 4", "size(input.tags) / 2", "int(input.rate) / 2", "(1 + 2) / 3"])(
    "%s",
    (source) => {
      expect(problemsOf(source)).toContain("divides whole numbers");
    },
  );

  test("with the correction in the message", () => {
    expect(problemsOf("1/3*input.amount")).toContain("write 1.0 / 3");
    expect(problemsOf("size(input.tags) / 2")).toContain("write double(size(input.tags)) / 2");
    expect(problemsOf("1.0 / 3 * input.amount")).toBe("");
    expect(valueOf("input.amount / 3", { amount: 10 })).toBeCloseTo(3.333, 3);
  });
});

describe("a result that is not a number, or not exact, is refused", () => {
  test.each([
    ["input.a / 0", "divides by zero"],
    ["input.a / input.zero", "divides by zero"],
    ["input.a % 0", "divides by zero"],
    ["1e308 * 10", "makes a number that is too large"],
    ["1e308 + 1e308 > 0", "makes a number that is too large"],
    ["9007199254740991 + input.a", "would not be exact"],
    ["input.big * input.big", "would not be exact"],
    ["2.5 % input.a", "takes % of numbers that are not whole"],
    ["double('1e999')", "takes text that is a number"],
    ["double('NaN')", "takes text that is a number"],
    ["double('Infinity')", "takes text that is a number"],
    ["int(1e300)", "takes a whole number between"],
  ])("%s %s", (source, message) => {
    expect(() => valueOf(source, { a: 7, zero: 0, big: 9_007_199_254_740_991 })).toThrow(message);
  });

  test("a literal that a number cannot represent is refused before evaluation", () => {
    expect(problemsOf("input.amount > 9007199254740993")).toContain('write decimal("9007199254740993")');
  });

  test("zero has no sign", () => {
    expect(valueOf("0 * -1")).toBe(0);
    expect(valueOf("[-0.0]")).toEqual([0]);
  });
});

describe("decimals calculate exactly", () => {
  test.each([
    ['decimal("0.1") + decimal("0.2") == decimal("0.3")', true],
    ['decimal("12.50") > decimal("12.5")', false],
    ['decimal("900") > decimal("1000")', false],
    ['decimal("12.50") + 1', "13.50"],
    ['1 + decimal("12.50")', "13.50"],
    ['decimal("12.50") - decimal("0.005")', "12.495"],
    ['decimal("19.99") * 3', "59.97"],
    ['decimal("10.00") / 4', "2.50"],
    ['-decimal("12.50")', "-12.50"],
    ['decimal("12.50") == 12', false],
    ['12 == decimal("12.00")', true],
    ['decimal("1.0") in [decimal("1")]', true],
    ["decimal(input.price) * 3", "0.3"],
    ['decimal("12.50") >= input.whole', true],
    ['string(decimal("12.50"))', "12.50"],
    ['"costs " + string(decimal("12.50"))', "costs 12.50"],
    ['double(decimal("12.50"))', 12.5],
    ['int(decimal("-12.50"))', -12],
    ['round(decimal("12.345"), 2)', "12.35"],
    ['divide(decimal("10"), 3, 2)', "3.33"],
    ['divide(10, decimal("3"), 2)', "3.33"],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, { price: 0.1, whole: 12 })).toBe(value);
  });

  test.each([
    ['decimal("10") / 3', "without an end"],
    ['decimal("10") / 0', "divides by zero"],
    ['decimal("1") * input.fraction', "not whole"],
    ['decimal("1") == input.fraction', "not whole"],
    ['decimal("1") < input.text', "decimal and text"],
    ['decimal("1") == input.text', "write decimal(...) around the text"],
    ['input.text in [decimal("1")]', "write decimal(...) around the text"],
    ['divide(decimal("1"), 3, 31)', "takes 0 to 30 places"],
    ['divide(decimal("1"), 0, 2)', "divides by zero"],
    ["decimal(input.text + 'x')", "decimal() takes digits"],
  ])("%s is refused: %s", (source, message) => {
    expect(() => valueOf(source, { fraction: 0.1, text: "1" })).toThrow(message);
  });

  test.each([
    ['decimal("1") * 0.19', 'decimal("...")'],
    ['0.19 + decimal("1")', 'decimal("...")'],
    ['decimal("1") == "1"', "never equal"],
    ['decimal("1") < "2"', "a decimal and text"],
    ['decimal("5") % 2', "%"],
    ["decimal(true)", "decimal takes text, or a number, or a decimal"],
  ])("%s is refused before evaluation: %s", (source, message) => {
    expect(problemsOf(source)).toContain(message);
  });
});

describe("times", () => {
  test.each([
    ['timestamp("2026-03-01") < timestamp(run.createdAt)', true],
    ['timestamp(run.createdAt) + duration("36h")', "2026-03-02T21:00:00Z"],
    ['duration("36h") + timestamp(run.createdAt)', "2026-03-02T21:00:00Z"],
    ['timestamp("2026-03-02") - timestamp("2026-03-01")', "86400s"],
    ['timestamp(input.due) - timestamp(run.createdAt) > duration("24h")', true],
    ['timestamp("2026-03-02") - duration("24h") == timestamp("2026-03-01")', true],
    ['duration("1h") + duration("30m") - duration("90m") == duration("0s")', true],
    ['-duration("1h")', "-3600s"],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, { due: "2026-03-04" })).toBe(value);
  });

  test("there is no clock", () => {
    expect(problemsOf("now()")).toContain("run.createdAt");
  });
});
