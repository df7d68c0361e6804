import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EvaluationFailure } from "./evaluation-failure.ts";
import {
  addDecimals,
  compareDecimals,
  decimalFromNumber,
  decimalFromText,
  decimalToText,
  divideDecimals,
  divideToPlaces,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from "./decimal.ts";
import type { Decimal } from "./decimal.ts";

const runs = () => ({ numRuns: cases({ commit: 10_000, nightly: 100_000, release: 1_000_000 }) });
const text = (value: Decimal) => decimalToText(value);
const refused = (act: () => Decimal) => expect(act).toThrow(EvaluationFailure);

/** Decimals of up to 30 digits, in JSON notation. */
const decimalText = fc
  .tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }), fc.integer({ min: 0, max: 30 }))
  .map(([sign, units, scale]) => {
    const digits = units.toString().padStart(scale + 1, "0");
    const point = digits.length - scale;
    const isZero = units === 0n;
    return (isZero ? "" : sign) + (scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`);
  });

describe("money keeps its digits", () => {
  test("10,000 random decimals of up to 30 digits keep every digit", () => {
    fc.assert(
      fc.property(decimalText, (written) => text(decimalFromText(written)) === written),
      runs(),
    );
  });

  test("a sum minus one part is the other part, and a product divided by a factor is the other factor", () => {
    fc.assert(
      fc.property(decimalText, decimalText, (one, other) => {
        const [a, b] = [decimalFromText(one), decimalFromText(other)];
        expect(compareDecimals(subtractDecimals(addDecimals(a, b), b), a)).toBe(0);
        if (b.units !== 0n) expect(compareDecimals(divideDecimals(multiplyDecimals(a, b), b), a)).toBe(0);
      }),
      runs(),
    );
  });

  test("every JSON number that fits becomes the decimal of its digits", () => {
    const fitting = fc
      .double({ min: -1e90, max: 1e90, noNaN: true })
      .map((value) => (Math.abs(value) < 1e-80 ? 0 : value));
    fc.assert(
      fc.property(fitting, (value) => {
        expect(Number(text(decimalFromNumber(value)))).toBe(value);
      }),
      runs(),
    );
    expect(text(decimalFromNumber(12.5))).toBe("12.5");
    expect(text(decimalFromNumber(-1.5e-7))).toBe("-0.00000015");
    expect(text(decimalFromNumber(1e21))).toBe(`1${"0".repeat(21)}`);
  });
});

test.each(["", "12.", ".5", "+1", "1e3", "007", "1,000", " 1", "1 ", "٣", "-", "0x10", "NaN", "9".repeat(101)])(
  "%j is not a decimal, because its notation would not be preserved",
  (written) => {
    refused(() => decimalFromText(written));
  },
);

test("the scale is kept: sums have the longer one, products both", () => {
  const [a, b] = [decimalFromText("12.50"), decimalFromText("0.5")];
  expect(text(addDecimals(a, b))).toBe("13.00");
  expect(text(subtractDecimals(b, a))).toBe("-12.00");
  expect(text(multiplyDecimals(a, b))).toBe("6.250");
  expect(text(subtractDecimals(a, a))).toBe("0.00");
});

test("12.50 equals 12.5 and is less than 100", () => {
  expect(compareDecimals(decimalFromText("12.50"), decimalFromText("12.5"))).toBe(0);
  expect(compareDecimals(decimalFromText("12.50"), decimalFromText("100"))).toBeLessThan(0);
  expect(compareDecimals(decimalFromText("-1"), decimalFromText("-2"))).toBeGreaterThan(0);
});

describe("division", () => {
  test.each([
    ["12.50", "5", "2.50"],
    ["10", "4", "2.5"],
    ["1", "0.125", "8"],
    ["0", "7", "0"],
    ["0.00", "7", "0.00"],
    ["100", "-0.5", "-200"],
    ["-1", "1024", "-0.0009765625"],
  ])("%s / %s is exactly %s", (dividend, divisor, quotient) => {
    expect(text(divideDecimals(decimalFromText(dividend), decimalFromText(divisor)))).toBe(quotient);
  });

  test.each([
    ["1", "3"],
    ["10", "7"],
    ["1", "0"],
  ])("%s / %s is refused", (dividend, divisor) => {
    refused(() => divideDecimals(decimalFromText(dividend), decimalFromText(divisor)));
  });

  test.each([
    ["1", "3", 4, "0.3333"],
    ["2", "3", 4, "0.6667"],
    ["-2", "3", 2, "-0.67"],
    ["1", "8", 2, "0.13"],
    ["1", "-8", 2, "-0.13"],
    ["1000", "3", 0, "333"],
    ["1.00", "0.03", 1, "33.3"],
  ])("%s divided by %s to %i places is %s", (dividend, divisor, places, quotient) => {
    expect(text(divideToPlaces(decimalFromText(dividend), decimalFromText(divisor), places))).toBe(quotient);
  });
});

test.each([
  ["2.345", 2, "2.35"],
  ["-2.345", 2, "-2.35"],
  ["2.344", 2, "2.34"],
  ["5", 2, "5.00"],
  ["0.5", 0, "1"],
  ["-0.4", 0, "0"],
])("%s rounds half away from zero to %i places: %s", (value, places, rounded) => {
  expect(text(roundDecimal(decimalFromText(value), places))).toBe(rounded);
});

test("the number of digits is bounded", () => {
  const long = decimalFromText("9".repeat(60));
  refused(() => multiplyDecimals(long, long));
  refused(() => decimalFromNumber(1e-200));
  refused(() => decimalFromNumber(1e200));
  refused(() => divideDecimals(decimalFromText("1"), decimalFromText((2n ** 150n).toString())));
});
