import type { JsonValue } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { problemsOf, valueOf } from "./sample-scope.ts";

const parsed = (text: string) => JSON.parse(text) as JsonValue;

describe("a missing value", () => {
  test.each([
    "nodes.pay.?output.?id",
    "nodes.pay.?output.id",
    "nodes.pay.?error",
    "input.?missing",
    "input.?none.?x",
    "input[?'missing']",
    "input.list[?9]",
    "input.?list[9]",
    "optional.none()",
    "input.?missing.or(input.?none2)",
  ])("%s is absent", (source) => {
    expect(valueOf(source, { none: null, list: [1] })).toBeUndefined();
  });

  test.each([
    ["nodes.pay.?output.?id.orValue('none')", "none"],
    ["nodes.vendor.?output.?id.orValue('none')", "v_1"],
    ["nodes.pay.?output.hasValue()", false],
    ["nodes.vendor.?output.hasValue()", true],
    ["input.?none.hasValue()", true],
    ["input.?none.orValue(1)", null],
    ["input.?missing.or(input.?none).hasValue()", true],
    ["input.?list.value()", [1]],
    ["input.list[?0].orValue(5)", 1],
    ["optional.of(3).orValue(4)", 3],
    ["nodes.lookup.?error.orValue('')", "not found"],
    ["nodes.lookup.output.error", "not found"],
    ["[input.?missing, 1]", [1]],
    ["{'a': input.?missing, 'b': 1}", { b: 1 }],
    ["true ? input.?list : input.?none", [1]],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, { none: null, list: [1] })).toEqual(value);
  });

  test.each([
    ["nodes.pay.output", 'nodes.pay has no field "output": the node was not visited'],
    ["nodes['pay'].output", "the node was not visited"],
    ["nodes.lookup.output.idd", 'nodes.lookup.output has no field "idd"'],
    ["nodes.vendor.error", 'nodes.vendor has no field "error"'],
    ["input.a.b", 'input has no field "a"'],
    ["input.none.b", 'input.none is null and has no field "b"'],
    ["input.text.b", 'input.text is text and has no field "b"'],
    ["input.text.?b", 'input.text is text and has no field "b"'],
    ["input.text.length", 'input.text is text and has no field "length"'],
    ["input.list.length", 'input.list is a list and has no field "length"'],
    ["input.list[1]", "input.list has no item 1"],
    ["input.list[-1]", "input.list has no item -1"],
    ["input.list[0.5]", "0.5 is not a whole number"],
    ["input.list['0']", '"0" is not a whole number'],
    ["input.none[0]", "input.none is null and has no item 0"],
    ["input.text[0]", "input.text is text and has no items"],
    ["input['x']", 'input has no item "x"'],
    ["input[input.text]", "input has no item input.text"],
    ["input[1]", "1 is not text"],
    ["input.?missing.value()", "input.?missing is absent"],
  ])("%s fails: %s", (source, message) => {
    expect(() => valueOf(source, { none: null, text: "secret", list: [1] })).toThrow(message);
  });

  test("a name that comes from data is not repeated in a message", () => {
    expect(() => valueOf("input[input.text]", { text: "secret" })).toThrow(/^(?!.*secret)/);
  });
});

describe("a value that may be absent requires a default", () => {
  test.each([
    "nodes.pay.?output.?id == 'x'",
    "input.?rate > 1",
    "input.?reference.startsWith('a')",
    "size(input.?tags)",
    "[1][input.?amount]",
    "input.?lines.all(l, true)",
    "input.?rate + 1",
    "!input.?urgent",
    "input.?urgent && true",
    "dyn(input.?rate)",
  ])("%s", (source) => {
    expect(problemsOf(source)).toContain("may be absent: add .orValue(");
  });

  test("a value that cannot be absent, but may be missing, gets a hint how to check for it", () => {
    expect(problemsOf("input.rate.orValue(1)")).toContain("write input.?rate");
    expect(problemsOf("input.?rate.orValue()")).toContain("takes one value");
    expect(problemsOf("input.none()")).toContain("optional.none()");
  });
});

describe("has", () => {
  test.each([
    ["has(input.a)", true],
    ["has(input.none)", true],
    ["has(input.missing)", false],
    ["has(input.none.x)", false],
    ["has(nodes.pay.output)", false],
    ["has(nodes.vendor.output)", true],
    ["has(nodes.vendor.output.id)", true],
    ["has(nodes.pay.?output.id)", false],
    ["has(input.constructor)", false],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, { a: 1, none: null })).toBe(value);
  });

  test("of a field of a missing value fails, as in CEL", () => {
    expect(() => valueOf("has(nodes.pay.output.id)")).toThrow("the node was not visited");
    expect(() => valueOf("has(input.text.x)", { text: "" })).toThrow("is text");
  });

  test.each(["has(input)", "has()", "has(input.a, input.b)", "has(input['a'])", "has(nodes.pay)", "has(1)"])(
    "%s is refused before evaluation",
    (source) => {
      expect(problemsOf(source)).not.toBe("");
    },
  );
});

describe("names are checked before evaluation", () => {
  test.each([
    ["input.amont", 'input has no field "amont"; did you mean "amount"?'],
    ["input.?amont", 'did you mean "amount"?'],
    ["has(input.amont)", 'did you mean "amount"?'],
    ["input['amont']", 'did you mean "amount"?'],
    ["input.vendor.idd", 'input.vendor has no field "idd"'],
    ["input.lines[0].prize", 'did you mean "price"?'],
    ["input.lines.all(l, l.prize > 1)", 'l has no field "prize"'],
    ["input.lines.price", "input.lines is a list"],
    ["input.reference.x", "input.reference is text"],
    ["input.amount[0]", "input.amount is a number"],
    ["input.lines['a']", "its items have numbers"],
    ["input[0]", "its fields have names"],
    ["nodes.vendr.output", 'There is no node "vendr"; did you mean "vendor"?'],
    ["nodes['vendr']", 'There is no node "vendr"'],
    ["nodes[input.reference]", "takes a node's id in quotes"],
    ["nodes.vendor.outputs", 'did you mean "output"?'],
    ["nodes.vendor.output.nam", 'did you mean "name"?'],
    ["size(nodes)", "name a node"],
    ["run.created", 'run has no field "created"'],
    ["inputs.amount", 'There is no "inputs" here; did you mean "input"?'],
    ["args.amount > 1", "args exists in guards and sumLimits only"],
    ["amount > 1", 'There is no "amount" here'],
  ])("%s: %s", (source, message) => {
    expect(problemsOf(source)).toContain(message);
  });

  test.each([
    "input.extra.anything.at.all",
    "nodes.lookup.output.whatever[3].it.is",
    "nodes.vendor.output.error",
    "nodes.vendor.error",
    "input.note == null",
    "input.vendor == null",
    "input.lines[0].price > 1",
    "input[input.reference]",
    "dyn(input).amont",
    "run.startedBy == 'key_1'",
  ])("%s is allowed", (source) => {
    expect(problemsOf(source)).toBe("");
  });
});

describe("only own fields are fields", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "__defineGetter__"];

  test.each(names)("%s is missing if the data does not have it", (name) => {
    expect(() => valueOf(`input.x.${name}`, { x: {} })).toThrow(`has no field "${name}"`);
    expect(() => valueOf(`input.x["${name}"]`, { x: {} })).toThrow("has no item");
    expect(() => valueOf(`nodes.vendor.output.${name}`)).toThrow();
    expect(valueOf(`input.x.?${name}`, { x: {} })).toBeUndefined();
    expect(valueOf(`input.x.?${name}`, { x: null })).toBeUndefined();
    expect(() => valueOf(`input.x.${name}`, { x: [] })).toThrow("is a list");
    expect(() => valueOf(`input.x.${name}`, { x: "" })).toThrow("is text");
    expect(() => valueOf(`input.x.${name}`, { x: 1 })).toThrow("is a number");
  });

  test.each(names)("%s is an ordinary field if the data has it", (name) => {
    const input = parsed(`{"x":{"${name}":{"y":1}}}`);
    expect(valueOf(`input.x.${name}.y`, input)).toBe(1);
    expect(valueOf(`{"${name}": 2}["${name}"]`)).toBe(2);
    expect(JSON.stringify(valueOf(`{"${name}": {"z": 3}}`))).toBe(`{"${name}":{"z":3}}`);
  });
});
