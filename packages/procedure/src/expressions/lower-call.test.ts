import { describe, expect, test } from "vitest";
import { problemsOf, valueOf } from "./sample-scope.ts";

describe("functions of text", () => {
  test.each([
    ["'invoice-7'.startsWith('inv')", true],
    ["'invoice-7'.endsWith('8')", false],
    ["'invoice-7'.contains('ice')", true],
    ["'ÄbC'.lowerAscii()", "Äbc"],
    ["'äBc'.upperAscii()", "äBC"],
    ["'  a '.trim()", "a"],
    ["'abc'.indexOf('c')", 2],
    ["'abc'.indexOf('x')", -1],
    ["'abcb'.lastIndexOf('b')", 3],
    ["'abc'.indexOf('')", 0],
    ["'abcd'.substring(1)", "bcd"],
    ["'abcd'.substring(1, 3)", "bc"],
    ["'abc'.substring(3)", ""],
    ["'a,b,,c'.split(',')", ["a", "b", "", "c"]],
    ["'ab'.split('')", ["a", "b"]],
    ["['a', 'b'].join(', ')", "a, b"],
    ["['a', 'b'].join()", "ab"],
    ["[].join(',')", ""],
    ["size('abc')", 3],
    ["'abc'.size()", 3],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  test("characters outside the basic plane count once and are not cut in two", () => {
    expect(valueOf("size('a😀b')")).toBe(3);
    expect(valueOf("'a😀b'.substring(1, 2)")).toBe("😀");
    expect(valueOf("'a😀b'.indexOf('b')")).toBe(2);
    expect(valueOf("'😀'.split('')")).toEqual(["😀"]);
  });

  test.each([
    "'abc'.substring(4)",
    "'abc'.substring(-1)",
    "'abc'.substring(2, 1)",
    "'abc'.substring(0, 4)",
    "'abc'.substring(0.5)",
  ])("%s fails", (source) => {
    expect(() => valueOf(source)).toThrow("takes whole positions");
  });

  test("join accepts texts only", () => {
    expect(() => valueOf("input.join(',')", ["a", 1])).toThrow("not all text");
  });
});

describe("sizes, sums and conversions", () => {
  test.each([
    ["size([1, 2])", 2],
    ["input.list.size()", 3],
    ["size({'a': 1})", 1],
    ["sum(input.list)", 6.5],
    ["input.list.sum()", 6.5],
    ["sum([])", 0],
    ["sum([decimal('0.1'), decimal('0.20')])", "0.30"],
    ["sum(input.lines.map(l, decimal(l.price) * l.count))", "59.98"],
    ["string(12)", "12"],
    ["string(12.5)", "12.5"],
    ["string(true)", "true"],
    ["string('a')", "a"],
    ["string(timestamp('2026-01-01'))", "2026-01-01T00:00:00Z"],
    ["string(duration('90s'))", "90s"],
    ["int(2.9)", 2],
    ["int(-2.9)", -2],
    ["int('42')", 42],
    ["double('1.5e3')", 1500],
    ["double(2)", 2],
    ["round(2.675, 2)", 2.68],
    ["round(1.005, 2)", 1.01],
    ["round(-2.5, 0)", -3],
    ["round(1e21, 2)", 1e21],
    ["dyn(1) == 'a'", false],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, { list: [1, 2, 3.5], lines: [{ price: 29.99, count: 2 }] })).toEqual(value);
  });

  test.each([
    ["sum(['1', '2'])", "adds items that are not numbers or decimals"],
    ["sum([[1], [2]])", "adds items that are not numbers or decimals"],
    ["sum([true])", "uses + on a number and true or false"],
    ["int('4.2')", "takes a whole number"],
    ["int('')", "takes a whole number"],
    ["double('')", "takes text that is a number"],
    ["double(' 1')", "takes text that is a number"],
    ["round(1.5, -1)", "takes 0 to 30 places"],
    ["size(input.none)", "is given null"],
    ["string(input.none)", "is given null"],
  ])("%s fails: %s", (source, message) => {
    expect(() => valueOf(source, { none: null })).toThrow(message);
  });
});

describe("matches runs in linear time", () => {
  test.each([
    ["'DE89370400440532013000'.matches('^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$')", true],
    ["'x-42-y'.matches('[0-9]+')", true],
    ["'abc'.matches('^b')", false],
    ["input.matches(r'\\d+')", false],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, "none")).toBe(value);
  });

  test("a pattern that takes a backtracking engine forever ends within the steps", () => {
    expect(valueOf("input.matches('^(a|a)*$')", `${"a".repeat(50_000)}b`)).toBe(false);
    expect(valueOf("input.matches('^(a+)+$')", `${"a".repeat(50_000)}b`)).toBe(false);
  });

  test.each([
    ["'a'.matches(input.reference)", "takes a pattern in quotes"],
    ["'a'.matches('a', 'b')", "takes a pattern in quotes"],
    ["'a'.matches('(')", "The pattern is not valid"],
    ["'a'.matches('(a)\\\\1')", "The pattern is not valid"],
    ["'a'.matches('(?=a)')", "The pattern is not valid"],
    ["'a'.matches('((a{30}){30})b{500}')", "The pattern is too large"],
    ["input.amount.matches('a')", "input.amount is a number, not text"],
  ])("%s is refused before evaluation: %s", (source, message) => {
    expect(problemsOf(source)).toContain(message);
  });

  test("a value that is not text at evaluation fails", () => {
    expect(() => valueOf("input.matches('a')", 1)).toThrow('input.matches("a") is given a number');
  });
});

describe("calls are checked before evaluation", () => {
  test.each([
    ["siz(input.tags)", 'There is no function "siz"; did you mean "size"?'],
    ["input.tags.filtr(t, true)", 'did you mean "filter"?'],
    ["size(input.amount)", "size takes text, or a list, or an object; here it is given a number"],
    ["size()", "here it is given nothing"],
    ["startsWith('a', 'b')", "is called on a value"],
    ["'a'.decimal()", "is called with a value: decimal(value)"],
    ["input.amount.startsWith('a')", "startsWith takes text and text; here it is given a number and text"],
    ["timestamp(true)", "timestamp takes text"],
    ["eval('1')", 'There is no function "eval"'],
    ["Function('return 1')()", "Unexpected"],
    ["input.amount()", 'There is no function "amount"'],
    ["type(1)", 'There is no function "type"'],
    ["bytes('a')", 'There is no function "bytes"'],
  ])("%s: %s", (source, message) => {
    expect(problemsOf(source)).toContain(message);
  });
});
