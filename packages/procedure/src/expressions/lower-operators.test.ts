import { describe, expect, test } from "vitest";
import { problemsOf, valueOf } from "./sample-scope.ts";

describe("text is not compared by size", () => {
  test.each([
    '"900" > "1000"',
    'input.reference < "b"',
    "input.reference >= run.runId",
    'nodes.lookup.output.x > "1000"',
  ])("%s is refused before evaluation", (source) => {
    expect(problemsOf(source)).toContain("compares texts by size");
  });

  test("a text that is known only at evaluation is refused then", () => {
    expect(() => valueOf("input.a > input.b", { a: "900", b: "1000" })).toThrow(
      "input.a > input.b compares texts by size",
    );
  });

  test("as numbers and decimals they compare", () => {
    expect(valueOf("double(input.a) > double(input.b)", { a: "900", b: "1000" })).toBe(false);
    expect(valueOf("decimal(input.a) < decimal(input.b)", { a: "900", b: "1000" })).toBe(true);
  });
});

describe("incompatible types are refused before evaluation", () => {
  test.each([
    ["input.reference > 1", "uses > on text and a whole number"],
    ['input.amount == "1"', "compares a number with text"],
    ['input.amount != "1"', "never equal"],
    ["input.reference + 1", "string(...)"],
    ["input.urgent > true", "uses > on"],
    ["input.amount + input.tags", "uses + on a number and a list"],
    ['"a" in [1, 2]', "looks for text in a list whose items are all a whole number"],
    ["1 in input.reference", "uses in on"],
    ["1 in input.vendor", "uses in on"],
    ["input.amount && true", "input.amount must be true or false, but is a number"],
    ["!input.amount", "must be true or false"],
    ["input.reference ? 1 : 2", "must be true or false"],
    ["-input.reference", "takes the negative of text"],
    ["1 < 2 < 3", "uses < on"],
    ["input.lines == input.vendor", "never equal"],
    ["input.tags == [1]", "never equal"],
    ["null < 1", "uses < on"],
  ])("%s: %s", (source, message) => {
    expect(problemsOf(source)).toContain(message);
  });

  test("several mistakes are reported together", () => {
    const problems = problemsOf('input.amont > 1 && input.reference > "a" && nodes.vendr.output.id == 1');
    expect(problems).toContain("amount");
    expect(problems).toContain("compares texts by size");
    expect(problems).toContain('did you mean "vendor"?');
  });
});

describe("a type error in the data fails the evaluation and names the place", () => {
  test.each([
    ["input.text + 1", "input.text + 1 uses + on text and a number"],
    ["input.text < 1", "input.text < 1 uses a comparison by size on text and a number"],
    ["input.none * 2 == 0", "input.none * 2 uses * on null and a number"],
    ["-input.text", "-input.text takes the negative of text"],
    ["input.text && true", "input.text is text and not true or false"],
    ["1 in input.text", '1 in input.text uses "in" on a number and text'],
    ["input.text ? 1 : 2", "input.text is text and not true or false"],
  ])("%s: %s", (source, message) => {
    expect(() => valueOf(source, { text: "secret-4711", none: null })).toThrow(message);
  });

  test("no message contains the data", () => {
    expect(() => valueOf("input.text + 1", { text: "secret-4711" })).toThrow(/^(?!.*4711)/);
  });
});

describe("equality", () => {
  test.each([
    ["input.none == null", true],
    ["input.none != null", false],
    ["null == input.a", false],
    ["input.a == {'x': [1, {'y': 2.0}]}", true],
    ["input.a == {'x': [1, {'y': 2}], 'z': 0}", false],
    ["input.a == {'y': [1, {'y': 2}]}", false],
    ["[1, 2] == [1.0, 2.0]", true],
    ["[1, 2] == [1]", false],
    ["input.text == input.number", false],
    ["input.text != input.number", true],
    ["input.a == input.number", false],
    ["[1] == input.a", false],
    ["timestamp('2026-01-01') == timestamp('2026-01-01T01:00:00+01:00')", true],
    ["timestamp('2026-01-01') == input.number", false],
    ["decimal('1') == input.none", false],
    ["input.number == decimal('1')", true],
    ["duration('60s') == duration('1m')", true],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, { none: null, a: { x: [1, { y: 2 }] }, text: "1", number: 1 })).toBe(value);
  });
});

describe("membership", () => {
  test.each([
    ["'a' in input.list", true],
    ["{'k': 1} in [input.object]", true],
    ["'k' in input.object", true],
    ["'x' in input.object", false],
    ["'constructor' in input.object", false],
    ["null in [1, null]", true],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, { list: ["a"], object: { k: 1 } })).toBe(value);
  });
});

describe("as in CEL, the side that decides makes a failure of the other irrelevant", () => {
  test.each([
    ["true || input.missing", true],
    ["input.missing || true", true],
    ["false && input.missing", false],
    ["input.missing && false", false],
    ["input.n == 1 || input.missing > 1", true],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, { n: 1 })).toBe(value);
  });

  test.each(["input.missing || false", "false || input.missing", "input.missing && true", "true && input.missing"])(
    "%s fails",
    (source) => {
      expect(() => valueOf(source)).toThrow('input has no field "missing"');
    },
  );

  test("a limit is not absorbed", () => {
    const items = Array.from({ length: 1_000 }, (_, index) => index);
    expect(() => valueOf("input.all(a, input.all(b, a + b >= 0)) || true", items)).toThrow("steps");
  });
});

test("a choice takes one side only", () => {
  expect(valueOf("input.n > 0 ? 'some' : input.missing", { n: 1 })).toBe("some");
  expect(valueOf("input.n > 1 ? input.missing : 2.5", { n: 1 })).toBe(2.5);
  expect(valueOf("!(input.n > 1)", { n: 1 })).toBe(true);
});
