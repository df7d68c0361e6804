import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareNumbers,
  exactFromNumber,
  ExactNumber,
  isExactDigits,
  isMultipleOf,
  plainDigits,
  plainNumber,
} from "./exact-number.ts";

const numRuns = () => cases({ commit: 3_000, nightly: 100_000, release: 1_000_000 });

describe("the digits of a number beyond a double", () => {
  it.each(["9007199254740993", "-9007199254740993", "9223372036854775807", "0.1000000000000000055", "1e400", "1E-400"])(
    "%s represents a number",
    (text) => expect(isExactDigits(text)).toBe(true),
  );

  it.each(["42", "9007199254740992", "0.1", "1e3", "0.10", "100000000000000000000000"])(
    "%s, which a double represents, is a text",
    (text) => expect(isExactDigits(text)).toBe(false),
  );

  it.each([
    "007",
    "09007199254740993",
    "+9007199254740993",
    " 9007199254740993",
    "9007199254740993 ",
    "9,007,199,254,740,993",
    "9007199254740993n",
    "0x20000000000001",
    "9007199254740993.",
    ".9007199254740993",
    "1e99999999999",
    "٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٣",
    "",
    "-",
    "Infinity",
  ])("%j is a text, because it is not JSON's notation of a number", (text) => expect(isExactDigits(text)).toBe(false));

  it("takes linear time for a million digits", () => {
    const digits = `1${"0".repeat(1_000_000)}1`;
    expect(isExactDigits(digits)).toBe(true);
    expect(compareNumbers(new ExactNumber(digits), new ExactNumber(`${digits}0`))).toBeLessThan(0);
    expect(isMultipleOf(new ExactNumber(digits), new ExactNumber("3"))).toBe(false);
    expect(isExactDigits(`1e${"0".repeat(1_000_000)}x`)).toBe(false);
  });
});

describe("numbers with all of their digits", () => {
  it("compare as big integers do once both have one scale", () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [left, right] = scaled(a, b);
        const wanted = left < right ? -1 : left > right ? 1 : 0;
        expect(Math.sign(compareNumbers(new ExactNumber(a), new ExactNumber(b))) + 0).toBe(wanted);
        expect(new ExactNumber(a).key === new ExactNumber(b).key).toBe(wanted === 0);
      }),
      { numRuns: numRuns() },
    );
  });

  it("are multiples in the same cases as big integers", () => {
    fc.assert(
      fc.property(decimal, factor, (a, b) => {
        const [value, divisor] = scaled(a, b);
        expect(isMultipleOf(new ExactNumber(a), new ExactNumber(b))).toBe(value % divisor === 0n);
      }),
      { numRuns: numRuns() },
    );
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 18n }), (times, by) => {
        expect(isMultipleOf(new ExactNumber(String(times * by)), new ExactNumber(String(by)))).toBe(true);
      }),
      { numRuns: numRuns() },
    );
  });

  it("are whole exactly if all digits after the point are zero", () => {
    for (const whole of ["0", "1.000", "9007199254740993.0", "1e400", "12.5e1", "-0.0"]) {
      expect(new ExactNumber(whole).isWhole).toBe(true);
    }
    for (const broken of ["0.1", "9007199254740993.5", "1e-400", "1.25e1"]) {
      expect(new ExactNumber(broken).isWhole).toBe(false);
    }
  });

  it("take no more time with exponents of nine digits", () => {
    const [huge, tiny] = [new ExactNumber("1e999999999"), new ExactNumber("1e-999999999")];
    expect(compareNumbers(huge, tiny)).toBeGreaterThan(0);
    expect(isMultipleOf(huge, new ExactNumber("7"))).toBe(false);
    expect(isMultipleOf(huge, new ExactNumber("8"))).toBe(true);
    expect(isMultipleOf(tiny, new ExactNumber("1"))).toBe(false);
  });
});

describe("a double in plain digits", () => {
  it.each([
    [1e21, "1000000000000000000000"],
    [-1.5e22, "-15000000000000000000000"],
    [1e-8, "0.00000001"],
    [-1.25e-7, "-0.000000125"],
    [42, "42"],
    [0.1, "0.1"],
  ])("%d is %s", (value, digits) => expect(plainDigits(value)).toBe(digits));

  it("is the same number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const digits = plainDigits(value);
        expect(digits).toMatch(/^-?\d+(\.\d+)?$/);
        expect(new ExactNumber(digits).key).toBe(exactFromNumber(value).key);
      }),
      { numRuns: numRuns() },
    );
  });
});

describe("a number beyond a double in plain digits", () => {
  it.each([
    ["9007199254740993.0", "9007199254740993"],
    ["9.007199254740993e15", "9007199254740993"],
    ["90071992547409931.10", "90071992547409931.10"],
    ["9007199254740993.5e-3", "9007199254740.9935"],
    ["-1.00000000000000000001e-3", "-0.00100000000000000000001"],
    ["1e400", `1${"0".repeat(400)}`],
    ["1e999999999", "1e999999999"],
  ])("%s is %s", (literal, plain) => {
    expect(plainNumber(new ExactNumber(literal)).literal).toBe(plain);
  });

  it("is the same number", () => {
    fc.assert(
      fc.property(decimal, (literal) => {
        const number = new ExactNumber(literal);
        fc.pre(number.parts.digits !== "");
        const plain = plainNumber(number);
        expect(plain.key).toBe(number.key);
        expect(plain.literal).toMatch(number.isWhole ? /^-?\d+$/ : /^-?\d+\.\d+$/);
      }),
      { numRuns: numRuns() },
    );
  });
});

const decimal = fc
  .tuple(
    fc.boolean(),
    fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n })),
    fc.option(fc.stringMatching(/^\d{1,20}$/)),
    fc.option(fc.integer({ min: -30, max: 30 })),
  )
  .map(([negative, whole, fraction, exponent]) =>
    [negative ? "-" : "", whole, fraction === null ? "" : `.${fraction}`, exponent === null ? "" : `e${exponent}`].join(
      "",
    ),
  );

const factor = fc.constantFrom("1", "2", "3", "0.01", "0.05", "10", "100", "7", "0.3", "1e3", "9007199254740993");

/** Both as whole numbers of one unit: a different method from the one under test. */
function scaled(a: string, b: string): [bigint, bigint] {
  const [left, right] = [a, b].map((text) => {
    const [mantissa = "", exponent = "0"] = text.split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    return { units: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
  }) as [{ units: bigint; power: number }, { units: bigint; power: number }];
  const lowest = Math.min(left.power, right.power);
  return [left.units * 10n ** BigInt(left.power - lowest), right.units * 10n ** BigInt(right.power - lowest)];
}
