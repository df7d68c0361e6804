import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExactLiteral } from "./exact-literal.ts";
import { findInexactNumber, parseExact, parseKeepingExact } from "./parse-json.ts";

const inexact = [
  "9007199254740993",
  "-9007199254740993",
  "0.1000000000000000055",
  "1e400",
  "-1e400",
  "1e-400",
  "123456789012.34567890123",
  "36028797018963968.5",
  "1.00000000000000000000000000000000001",
  "100000000000000000000000000000000001",
];
const exact = [
  "0",
  "-0",
  "0.1",
  "1.50",
  "1e3",
  "1E+003",
  "9007199254740992",
  "1000000000000000000000000000000",
  "0.00000000000000000000000000001",
  "123456789012345",
  "0e999",
  "0.000e-4000",
  "1.7976931348623157e308",
  "5e-324",
  "12.5000000000000000000000000000",
];

describe("a number in a request", () => {
  it.each(inexact)("%s is refused with its pointer, because its digits would change", (literal) => {
    expect(findInexactNumber(`{"a":[1,{"b/c":${literal}}]}`)).toEqual({ pointer: "/a/1/b~1c", literal });
    expect(parseExact(literal)).toMatchObject({ ok: false, reason: "inexact_number", path: "" });
  });

  it.each(exact)("%s is accepted unchanged", (literal) => {
    expect(findInexactNumber(`{"a":[1,{"b":${literal}}]}`)).toBeUndefined();
    expect(parseExact(literal)).toEqual({ ok: true, value: Number(literal) });
  });

  it("within a text does not count", () => {
    const text = '{"9007199254740993":"9007199254740993 \\" 1e400 , \\\\","b":"[1e999"}';
    expect(parseExact(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it("is found in any position, with keys of any kind", () => {
    const text = '{ "\\u0061\\"}": { "": [ [], {}, "x,]", { "k" : [ true , 9007199254740993 ] } ] } }';
    expect(findInexactNumber(text)).toMatchObject({ pointer: '/a"}//3/k/1' });
  });

  it("is found in a text of 200,000 levels and in one of a million digits, without recursion and in linear time", () => {
    const deep = `${"[".repeat(200_000)}9007199254740993${"]".repeat(200_000)}`;
    expect(findInexactNumber(deep)?.pointer).toBe("/0".repeat(200_000));
    expect(findInexactNumber("1".repeat(1_000_000))).toMatchObject({ pointer: "" });
    expect(findInexactNumber(`1${"0".repeat(1_000_000)}e-1000000`)).toBeUndefined();
  });

  it("keeps its value and digits exactly if it is accepted", () => {
    fc.assert(
      fc.property(decimals, (literal) => {
        const value = Number(literal);
        const same = Number.isFinite(value) && sameDecimal(literal, String(value));
        expect(isExactLiteral(literal)).toBe(same);
      }),
      { numRuns: cases({ commit: 10_000, nightly: 100_000, release: 1_000_000 }) },
    );
  });
});

describe("a number in a tool's response", () => {
  it.each(inexact)("%s becomes a string of its digits", (literal) => {
    expect(parseKeepingExact(`{"a":[${literal},1,"x",0.1]}`)).toEqual({
      ok: true,
      value: { a: [literal, 1, "x", 0.1] },
    });
    expect(parseKeepingExact(literal)).toEqual({ ok: true, value: literal });
  });

  it.each(exact)("%s stays a number", (literal) => {
    expect(parseKeepingExact(`[${literal}]`)).toEqual({ ok: true, value: [Number(literal)] });
  });

  it("keeps its digits as a decimal of up to 30 digits, whether it stays a number or not", () => {
    fc.assert(
      fc.property(decimals, (literal) => {
        const parsed = parseKeepingExact(`[${literal}]`);
        const [amount] = parsed.ok ? (parsed.value as readonly (number | string)[]) : [];
        expect(sameDecimal(literal, String(amount))).toBe(true);
      }),
      { numRuns: cases({ commit: 10_000, nightly: 100_000, release: 1_000_000 }) },
    );
  });

  it("changes nothing else of the response", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...inexact), (json, literal) => {
        const parsed = parseKeepingExact(`[${json},${literal}]`);
        expect(parsed).toEqual({ ok: true, value: [keptFrom(json), literal] });
      }),
    );
  });
});

describe("a text that is not JSON", () => {
  it.each([
    "",
    "{",
    "[9007199254740993",
    "9007199254740993x",
    "{a:9007199254740993}",
    '"',
    '{"a',
    "-",
    "]]]",
    "1e400e400",
  ])("%j is refused without quoting it", (text) => {
    for (const parse of [parseExact, parseKeepingExact]) {
      const parsed = parse(text);
      expect(parsed).toMatchObject({
        ok: false,
        reason: "malformed",
        message: expect.stringMatching(/^is not valid JSON/),
      });
      if (text.length > 3) expect(JSON.stringify(parsed)).not.toContain(text);
    }
  });

  it("never throws, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('"', "{", "}", "[", "]", ",", ":", "\\", "9007199254740993", "-", "e", " "),
        }),
        (text) => {
          parseExact(text);
          parseKeepingExact(text);
          findInexactNumber(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

const decimals = fc
  .tuple(
    fc.boolean(),
    fc.stringMatching(/^(?:0|[1-9]\d{0,29})$/),
    fc.option(fc.stringMatching(/^\d{1,30}$/)),
    fc.option(fc.integer({ min: -330, max: 330 })),
  )
  .map(([negative, whole, fraction, exponent]) =>
    [negative ? "-" : "", whole, fraction === null ? "" : `.${fraction}`, exponent === null ? "" : `e${exponent}`].join(
      "",
    ),
  );

/** By cross-multiplication of big integers: a different method from the one under test. */
function sameDecimal(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => {
    const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
  });
  if (left === undefined || right === undefined) return false;
  const lowest = Math.min(left.power, right.power);
  return left.digits * 10n ** BigInt(left.power - lowest) === right.digits * 10n ** BigInt(right.power - lowest);
}

/** fast-check's numbers are doubles printed by JSON, so reading them plainly is right. */
function keptFrom(json: string): unknown {
  return JSON.parse(json);
}
