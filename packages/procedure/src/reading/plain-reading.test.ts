import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseExpression } from "../expressions/syntax.ts";
import { plainReading } from "./plain-reading.ts";

const readings: readonly (readonly [source: string, reading: string])[] = [
  ['input.amount > 1000 && input.country != "DE"', "amount is greater than 1,000 and country is not “DE”"],
  ["input.amount >= 4500000", "amount is at least 4,500,000"],
  ["input.rate < 0.19", "rate is less than 0.19"],
  ["1000 <= input.amount", "1,000 is at most amount"],
  ["input.isUrgent", "isUrgent"],
  ["input.isUrgent && input.amount > 5", "isUrgent is yes and amount is greater than 5"],
  ["!input.isUrgent", "isUrgent is no"],
  ["input.isUrgent == true", "isUrgent is yes"],
  ["input.note == null || input.note == ''", "note has no value or note is the empty text"],
  ["input.a == 1 && (input.b == 2 || input.c == 3)", "a is 1 and (b is 2 or c is 3)"],
  ["input.a == 1 && input.b == 2 || input.c == 3", "(a is 1 and b is 2) or c is 3"],
  ["!(input.a == 1 && input.b == 2)", "it is not true that (a is 1 and b is 2)"],
  ["!(input.a > 1)", "it is not true that (a is greater than 1)"],
  ["!(input.a == 1)", "a is not 1"],
  ["!!input.a", "a"],
  ['input.country in ["DE", "AT", "CH"]', "country is one of “DE”, “AT” or “CH”"],
  ['!(input.country in ["DE"])', "country is not “DE”"],
  ["input.country in []", "country is nothing"],
  ["input.country in input.countries", "country is in countries"],
  ["has(input.note)", "note is given"],
  ["!has(input.note)", "note is missing"],
  ['input.?note.orValue("none") != "none"', "note (“none” if it is missing) is not “none”"],
  ["nodes.pay.?output.hasValue()", "nodes.pay.output is given"],
  ['input.iban.startsWith("DE")', "iban begins with “DE”"],
  ['!input.iban.contains("yes")', "iban does not contain “yes”"],
  ["input.lines.exists(l, l.price > 10)", "for at least one of lines, its price is greater than 10"],
  ["input.lines.all(l, l > 0)", "for each of lines, it is greater than 0"],
  ["input.lines.all(l, l.parts.exists(p, p > 0))", "for each of lines, l.parts.exists(p, p > 0) is yes"],
  ["size(input.lines) > 3", "the number of lines is greater than 3"],
  ["input.net + input.tax > 100", "(net plus tax) is greater than 100"],
  ["input.amount * (1 - input.rate) > 5", "(amount times (1 minus rate)) is greater than 5"],
  ["decimal(input.net) == decimal('19.99')", "net is “19.99”"],
  ["input.a > 1 ? input.b > 2 : input.c", "b is greater than 2 if a is greater than 1, otherwise c"],
  ["input.amount % 2 == 0", "input.amount % 2 is 0"],
  ["money(input.amount, 'EUR') == 'x'", "money(input.amount, 'EUR') is “x”"],
  ['input["due date"] == "900"', "due date is “900”"],
  ["input.lines[0].price > 1", "input.lines[0].price is greater than 1"],
  ["input.seller.country != input.buyer.country", "seller.country is not buyer.country"],
  ["null != input.note", "note has a value"],
  ["int(input.rate) == 1", "rate without decimals is 1"],
  ["input.rate < 0.1000000000000000055", "rate is less than 0.1000000000000000055"],
  ["input.a.all(l, l.x > 0) && input.y > 5", "(for each of a, its x is greater than 0) and y is greater than 5"],
  ["input.a.all(l, l.x.z != l.y.z)", "for each of a, its x.z is not its y.z"],
  ["input.a ? (input.b ? 1 : 2) : 3", "(1 if b is yes, otherwise 2) if a is yes, otherwise 3"],
  ["(input.a ? input.b : input.c) ? 1 : 2", "1 if (b if a is yes, otherwise c), otherwise 2"],
  ["input.amount >", "input.amount >"],
  ["", ""],
];

test.each(readings)("%s is read in words, and parts without words as they are", (source, reading) => {
  expect(plainReading(source)).toBe(reading);
});

test("values have the names that people gave them", () => {
  const names = (path: readonly string[]): string | undefined =>
    path.join(".") === "nodes.size.output.branch" ? "the branch of “Is it large?”" : undefined;
  expect(plainReading('nodes.size.output.branch == "large" && input.a', names)).toBe(
    "the branch of “Is it large?” is “large” and a is yes",
  );
});

const parts = [
  ...["input", ".amount", ".?note", '["due date"]', "[0]", "nodes.pay.output", "args", "x"],
  ...[" == ", " != ", " < ", " && ", " || ", " in ", " + ", " % ", "!", "-", "? ", " : "],
  ...["(", ")", "[", "]", "{", "}", ",", "1", "0.5", "12u", '"a"', "b'x'", "null", "true", "'\\u{1F600}'"],
  ...[
    ".exists(x, ",
    ".all(input, ",
    ".orValue(",
    "has(",
    "size(",
    "decimal(",
    ".map(i, i)",
    ".constructor(",
    "__proto__",
  ],
];

test("no text makes the reading throw, and one that does not parse is shown as it is", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 9 }), (tokens) => {
      const source = tokens.join("");
      const reading = plainReading(source);
      if ("problem" in parseExpression(source)) expect(reading).toBe(source.trim());
      else if (reading !== source.trim()) read += 1;
    }),
    { numRuns: 20_000, seed: 38 },
  );
  expect(read).toBeGreaterThan(100);
});

test("two conditions that differ in one digit, word or bracket are never read alike", () => {
  const sources = [
    "input.a > 1000",
    "input.a >= 1000",
    "input.a > 10000",
    "input.b > 1000",
    "!(input.a > 1000)",
    'input.a == "yes"',
    "input.a == true",
    'input.a == "1000"',
    "input.a == 1000",
    "input.a == 1 && input.b == 2 || input.c == 3",
    "input.a == 1 && (input.b == 2 || input.c == 3)",
    "input.a - (input.b - 1) > 2",
    "input.a - input.b - 1 > 2",
    'input.a != "starter"',
    "input.a != input.starter",
    'input.a == "missing"',
    "!has(input.a)",
    'input.a == ""',
    "input.a == null",
    'input.a == "empty"',
    "input.lines.all(l, l.x > 0) && input.y > 5",
    "input.lines.all(l, l.x > 0 && input.y > 5)",
    "input.lines.exists(l, l.x > 0) || input.y > 5",
    "input.lines.exists(l, l.x > 0 || input.y > 5)",
    "(input.a ? (input.b ? 1 : 2) : 3) == 1",
    "((input.a ? input.b : input.c) ? 1 : 2) == 1",
    "int(input.rate) == 1",
    "input.rate == 1",
    "input.rate < 0.1000000000000000055",
    "input.rate < 0.1",
    "nodes.a.output.country == nodes.b.output.country",
    "nodes.a.output.country == nodes.a.output.country",
    "input.lines.all(l, l.seller.country != l.buyer.country)",
    "input.lines.all(l, l.country != l.country)",
  ];
  expect(new Set(sources.map((source) => plainReading(source))).size).toBe(sources.length);
});
