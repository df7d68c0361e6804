import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currencyOf } from "./currencies.ts";
import { problemsOf, valueOf } from "./sample-scope.ts";

describe("an amount in minor units is formatted for people", () => {
  test.each([
    ['money(4500000, "EUR")', "45,000.00 EUR"],
    ['money(125000, "EUR")', "1,250.00 EUR"],
    ['money(5, "EUR")', "0.05 EUR"],
    ['money(0, "EUR")', "0.00 EUR"],
    ['money(-0.0, "EUR")', "0.00 EUR"],
    ['money(-5, "EUR")', "-0.05 EUR"],
    ['money(-123456, "usd")', "-1,234.56 USD"],
    ['money(4500000, "JPY")', "4,500,000 JPY"],
    ['money(999, "JPY")', "999 JPY"],
    ['money(4500000, "KWD")', "4,500.000 KWD"],
    ['money(-1, "BHD")', "-0.001 BHD"],
    ['money(4500000, "CLF")', "450.0000 CLF"],
    ['money(9007199254740991, "EUR")', "90,071,992,547,409.91 EUR"],
    ['money("9007199254740993", "EUR")', "90,071,992,547,409.93 EUR"],
    ['money(decimal("123456789012345678901234567890"), "EUR")', "1,234,567,890,123,456,789,012,345,678.90 EUR"],
    ['money(round(decimal("45000.00") * 100, 0), "EUR")', "45,000.00 EUR"],
  ])("%s is %s", (source, text) => {
    expect(valueOf(source)).toBe(text);
  });

  test("and keeps every digit of every amount", () => {
    const codes = fc.constantFrom("EUR", "JPY", "KWD", "CLF");
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), codes, (amount, code) => {
        const text = valueOf("money(input.amount, input.code)", { amount: String(amount), code }) as string;
        expect(BigInt(text.replace(` ${code}`, "").replaceAll(/[,.]/g, ""))).toBe(amount);
        expect(text).toMatch(/^-?\d{1,3}(,\d{3})*(\.\d{2,4})? [A-Z]{3}$/);
      }),
    );
  });
});

describe("a value that is not an amount in minor units is refused, at the latest at evaluation", () => {
  test.each([["45000.00"], ["1e3"], [""], ["01"], ["+1"], [12.5], [2 ** 53], ["9".repeat(101)]])("%j", (amount) => {
    expect(() => valueOf('money(input.amount, "EUR")', { amount })).toThrow("whole number of minor units");
    expect(problemsOf(`money(${JSON.stringify(amount)}, "EUR")`)).not.toBe("");
  });

  test("a decimal with places, which is an amount in major units", () => {
    expect(() => valueOf('money(decimal("45000.00"), "EUR")')).toThrow("money(round(decimal(x) * 100, 0), code)");
  });
});

describe("a currency that ISO 4217 does not have, or has without a minor unit, is refused", () => {
  test.each(["EURO", "XAU", "XXX", "XTS", "€", "", "ZZZ", "eu", "ſek"])("%s", (code) => {
    expect(() => valueOf("money(1, input.code)", { code })).toThrow("by its ISO 4217 code");
    expect(problemsOf(`money(1, "${code}")`)).toContain("by its ISO 4217 code");
  });

  test("and no other currency that the platform knows is missing", () => {
    const known = Intl.supportedValuesOf("currency").filter((code) => {
      try {
        return currencyOf(code).code === code;
      } catch {
        return false;
      }
    });
    expect(known.length).toBeGreaterThan(150);
    expect(known).toEqual(expect.arrayContaining(["AED", "BGN", "CHF", "CNY", "GBP", "SLE", "TND", "USD", "ZWG"]));
  });
});
