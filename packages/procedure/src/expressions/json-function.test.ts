import { describe, expect, test } from "vitest";
import { compileTemplate } from "./compile-template.ts";
import { problemsOf, sampleScope, untyped, valueOf } from "./sample-scope.ts";

describe("JSON in a text is read", () => {
  test.each([
    ['{"id":"p_1","lines":[1,2]}', "json(input.text).id", "p_1"],
    ['{"id":"p_1","lines":[1,2]}', "json(input.text).lines[1]", 2],
    ['{"id":"p_1"}', "json(input.text).?missing.orValue(0)", 0],
    ["\uFEFF[true]", "json(input.text)[0]", true],
    [" 12.50\n", "json(input.text)", 12.5],
    ["null", "json(input.text) == null", true],
    ['{"__proto__":{"polluted":true}}', 'json(input.text)["__proto__"].polluted', true],
    ['{"a":1}', "has(json(input.text).polluted)", false],
  ])("%s: %s is %j", (text, source, value) => {
    expect(valueOf(source, { text })).toEqual(value);
  });

  test("with the digits of its numbers", () => {
    expect(valueOf("string(json(input.text).balance)", { text: '{"balance":9007199254740993}' })).toBe(
      "9007199254740993",
    );
    expect(valueOf("json(input.text).rate", { text: '{"rate":0.1}' })).toBe(0.1);
  });

  test("in a template, as a separate value", () => {
    const compiled = compileTemplate({ lines: "{{ json(input.body).lines }}" }, untyped);
    const rendered = compiled.ok && compiled.template.render(sampleScope({ body: '{"lines":[{"price":1}]}' }));
    expect(rendered).toEqual({ ok: true, value: { lines: [{ price: 1 }] } });
  });

  test("and a value that a service already sends as JSON stays unchanged", () => {
    expect(valueOf("json(input.value).id", { value: { id: "p_1" } })).toBe("p_1");
    expect(valueOf("json(input.value).size()", { value: [1, 2] })).toBe(2);
  });
});

describe("invalid JSON fails with its place", () => {
  test.each([
    ["{'a': 1}", "is not valid JSON at character 2"],
    ['{"a": 1,}', "is not valid JSON at character 9"],
    ["", "is not valid JSON: it ends too early"],
    ['{"a":[1,', "is not valid JSON: it ends too early"],
    ["NaN", "is not valid JSON at character 1"],
    ["<html>", "is not valid JSON at character 1"],
    ['{"a": EUR}', "is not valid JSON at character 7"],
    ["true1", "is not valid JSON at character 1"],
    ["tru", "is not valid JSON: it ends too early"],
  ])("%s: %s", (text, problem) => {
    expect(() => valueOf("json(input.text).a", { text })).toThrow(problem);
  });

  test("and without its text in the message", () => {
    expect(() => valueOf("json(input.text)", { text: "secret-4711" })).toThrow(/^json\(input\.text\) (?!.*secret).*$/);
  });

  test("when the version is published, if it is a literal in the document", () => {
    expect(problemsOf('json("{") == null')).toContain("is not valid JSON");
    expect(problemsOf('json("[1]")[0] == 1')).toBe("");
    expect(problemsOf("json(1)")).toContain("json takes text");
  });
});

describe("the steps of reading JSON are counted", () => {
  test("by the length of the text, before it is read", () => {
    const text = `{"a":"${"x".repeat(1_100_000)}`;
    expect(() => valueOf("json(input.text)", { text })).toThrow("takes more than 500000 steps");
  });

  test("and its depth has the limit of an answer", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(valueOf("json(input.text).size()", { text: nested(64) })).toBe(1);
    expect(() => valueOf("json(input.text)", { text: nested(65) })).toThrow("nests deeper than 64 levels");
    expect(() => valueOf("json(input.text)", { text: nested(200_000) })).toThrow("nests deeper than 64 levels");
  });
});
