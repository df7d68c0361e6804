import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentNames, withOfferedNames, withOwnNames } from "./argument-names.ts";

const accepted = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

describe("the offered names of arguments", () => {
  test.each([
    ["invoice_id", "invoice_id"],
    ["filter[name]", "filter_name"],
    ["filter[date][gte]", "filter_date_gte"],
    ["$top", "top"],
    ["@type", "type"],
    ["größe", "gro_e"],
    ["montant é", "montant_e"],
    ["invoice.id", "invoice_id"],
    ["Idempotency-Key", "Idempotency_Key"],
    ["2fa", "_2fa"],
    ["金额", "argument"],
    ["", "argument"],
    [" ", "argument"],
    ["__proto__", "__proto__"],
    ["x".repeat(64), "x".repeat(64)],
    ["x".repeat(65), "x".repeat(64)],
  ])("%j is offered as %j", (name, offered) => {
    const names = argumentNames([name]);
    expect([names.offered(name), names.own(offered), names.differ]).toEqual([offered, name, offered !== name]);
  });

  test("keep an accepted name that is also the nearest name of another argument", () => {
    const names = argumentNames(["filter[name]", "filter_name"]);
    expect(names.offered("filter_name")).toBe("filter_name");
    expect(names.offered("filter[name]")).toMatch(/^filter_name_[0-9a-f]{8}$/);
  });

  test("are distinct, accepted and reversible, in any order of the arguments", () => {
    const odd = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.string({ unit: fc.constantFrom("a", "_", "[", "]", "$", "ä", "1"), maxLength: 5 }),
      fc.constantFrom("a".repeat(70), `${"a".repeat(70)}b`, "__proto__", "constructor"),
    );
    fc.assert(
      fc.property(fc.uniqueArray(odd, { maxLength: 30 }), (own) => {
        const names = argumentNames(own);
        const offered = own.map((name) => names.offered(name));
        expect(new Set(offered).size).toBe(own.length);
        for (const name of offered) expect(name).toMatch(accepted);
        expect(offered.map((name) => names.own(name))).toEqual(own);
        const reversed = argumentNames(own.toReversed());
        expect(own.map((name) => reversed.offered(name))).toEqual(offered);
      }),
    );
  });

  test("are translated back in a model's text without any other change", () => {
    const names = argumentNames(["filter[name]", "$top", "plain"]);
    const text =
      '{"filter_name" : "top", "top":9007199254740993, "plain":{"top":1.0, "x":["top"]}, "other":"\\"top\\":"}';
    expect(withOwnNames(text, names)).toBe(
      '{"filter[name]" : "top", "$top":9007199254740993, "plain":{"top":1.0, "x":["top"]}, "other":"\\"top\\":"}',
    );
    for (const broken of ["", "[1]", '{"top', '{"top":1', '{"to\\p":1}', '"top"', '[{"top":1}]']) {
      expect(withOwnNames(broken, names)).toBe(broken.replace(/^\{"top":/, '{"$top":'));
    }
  });

  test("are replaced in a single pass over a text with an unterminated string", () => {
    const names = argumentNames(["filter[name]"]);
    for (const end of ["", "\\"]) {
      const hostile = `{"filter_name":1,"${'\\"'.repeat(2_000_000)}${end}`;
      expect(withOwnNames(hostile, names)).toBe(hostile.replace("filter_name", "filter[name]"));
    }
  });

  test("replace the own names at the top level of earlier calls in a conversation", () => {
    const names = argumentNames(["$top", "filter"]);
    expect(withOfferedNames({ $top: 5, filter: { $top: 6 } }, names)).toEqual({ top: 5, filter: { $top: 6 } });
  });
});
