import { describe, expect, test } from "vitest";
import { compileExpression } from "./compile-expression.ts";
import { compileTemplate } from "./compile-template.ts";
import { createStepBudget } from "./step-budget.ts";
import { textLimit } from "./frame.ts";
import { problemsOf, sampleScope, untyped, valueOf } from "./sample-scope.ts";
import { depthLimit, sourceLimit } from "./syntax.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const tooMany = "takes more than 500000 steps";

describe("the cost of an evaluation is bounded", () => {
  test("a list of thousands passes, and macros within macros over it do not", () => {
    expect(valueOf("input.all(a, a >= 0 && a < 10000)", numbers(10_000))).toBe(true);
    expect(() => valueOf("input.all(a, input.all(b, a + b >= 0))", numbers(1_000))).toThrow(tooMany);
    expect(() => valueOf("input.map(a, input.map(b, [a, b]))", numbers(1_000))).toThrow(tooMany);
  });

  test.each([
    ["absorbed failures", "input.objects.exists(o, o.missing > 1)"],
    ["concatenated texts", "input.hundreds.map(n, input.text + input.text)"],
    ["measured texts", "input.hundreds.map(n, size(input.text))"],
    ["searched texts", "input.text.contains('b' + input.text.substring(10))"],
    ["texts that are split", "input.hundreds.map(n, input.text.split('a'))"],
    ["compared texts", "input.hundreds.map(n, input.text + 'a' == input.text + 'b')"],
    ["patterns", "input.hundreds.map(n, input.text.matches('(a|b|ab)*c'))"],
    ["searched lists", "input.thousands.map(n, -1 in input.thousands)"],
    ["concatenated lists", "input.hundreds.map(n, input.thousands + input.thousands)"],
    ["compared lists", "input.hundreds.map(n, input.thousands == input.thousands + [])"],
    ["compared objects", "input.hundreds.map(n, input.objects == input.objects + [])"],
    ["the keys of objects", "input.thousands.map(n, size(input.keys))"],
    ["sums", "input.thousands.map(n, sum(input.thousands))"],
    ["decimals", "input.thousands.map(n, input.hundreds.map(m, decimal('1') + decimal('2')))"],
    ["dates", "input.hundreds.map(n, input.hundreds.map(m, timestamp('2026-03-04')))"],
    ["compared objects with many keys", "input.thousands.map(n, input.keys == input.others)"],
    ["an object compared with objects of other sizes", "input.keys in input.objects"],
    ["equal texts", "input.hundreds.map(n, input.text == input.same)"],
    ["texts searched in lists", "input.hundreds.map(n, input.text in [input.same])"],
    ["names searched in objects", "input.hundreds.map(n, (input.text + 'b') in input.keys)"],
    ["names read from objects", "input.hundreds.map(n, input.keys[?input.text + 'b'].orValue(1))"],
    ["computed names", "input.hundreds.map(n, {input.text: n})"],
    ["converted texts", "input.hundreds.map(n, size(input.text.upperAscii()))"],
    ["a result that doubles", `[1]${".map(x, [x, x])".repeat(40)}`],
    ["a comparison of values that double", `[1]${".map(x, [x, x])".repeat(20)} == [1]${".map(x, [x, x])".repeat(20)}`],
  ])("%s take steps", (_what, source) => {
    const input = {
      hundreds: numbers(1_000),
      thousands: numbers(5_000),
      objects: numbers(25_000).map((id) => ({ id })),
      text: "a".repeat(100_000),
      same: ["a".repeat(50_000), "a".repeat(50_000)].join(""),
      keys: Object.fromEntries(numbers(5_000).map((id) => [`key_${id}`, id])),
      others: Object.fromEntries(numbers(5_000).map((id) => [`key_${id}`, -id])),
    };
    expect(() => valueOf(source, input)).toThrow(tooMany);
  });

  test("a pattern over a text costs steps even if their product needs more than 32 bits", () => {
    // Within 32 bits the product is below zero, which would give steps back.
    const pattern = `(${"a?".repeat(280)})b`;
    const source = `input.matches("${pattern}") || true`;
    expect(() => valueOf(source, "a".repeat(2 ** 22))).toThrow(tooMany);
  });

  test("five branches that filter and map 10,000 items fit into one budget", () => {
    const compiled = compileExpression("sum(input.filter(i, i.status == 'open').map(i, i.amount)) > 100", untyped);
    if (!compiled.ok) throw new Error("does not compile");
    const items = numbers(10_000).map((amount) => ({ amount, status: amount % 3 === 0 ? "paid" : "open" }));
    const scope = { ...sampleScope(items), budget: createStepBudget() };
    for (let branch = 0; branch < 5; branch++) {
      expect(compiled.expression.evaluate(scope)).toEqual({ ok: true, value: true });
    }
  });

  test("10,000 account numbers fit a pattern within the budget", () => {
    const accounts = numbers(10_000).map((index) => `DE8937040044053${1_000_000 + index}`);
    expect(valueOf("input.all(a, a.matches('^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'))", accounts)).toBe(true);
  });

  test("expressions on one scope share its steps", () => {
    const compiled = compileExpression("input.all(n, n >= 0)", untyped);
    if (!compiled.ok) throw new Error("does not compile");
    const scope = { ...sampleScope(numbers(75_000)), budget: createStepBudget() };
    expect(compiled.expression.evaluate(scope)).toEqual({ ok: true, value: true });
    const failure = { ok: false, code: "limit", message: expect.stringContaining(tooMany) as unknown };
    expect(compiled.expression.evaluate(scope)).toEqual(failure);
  });

  test("each part of a template costs a step, including constants", () => {
    const compiled = compileTemplate(["{{ input }}", ...numbers(500_000)], untyped);
    if (!compiled.ok) throw new Error("does not compile");
    expect(compiled.template.render(sampleScope("a"))).toMatchObject({ ok: false, code: "limit" });
  });

  test("a text of many parts is not created if it would be too long", () => {
    const compiled = compileTemplate("{{ input }}".repeat(200), untyped);
    if (!compiled.ok) throw new Error("does not compile");
    // Together longer than any text that V8 can make.
    expect(compiled.template.render(sampleScope("a".repeat(2 ** 22)))).toEqual({
      ok: false,
      code: "limit",
      message: `input makes a text of more than ${textLimit} characters`,
    });
  });

  test("the length of a text is bounded", () => {
    const half = "a".repeat(textLimit / 2 + 1);
    expect(() => valueOf("input + input", half)).toThrow(`a text of more than ${textLimit} characters`);
    expect(() => valueOf("[input, input].join()", half)).toThrow(`a text of more than ${textLimit} characters`);
  });

  test("all expressions of one template share the steps", () => {
    const row = "{{ input.all(n, n >= 0) }}";
    const compiled = compileTemplate(
      numbers(10).map(() => row),
      untyped,
    );
    if (!compiled.ok) throw new Error("does not compile");
    expect(compiled.template.render(sampleScope(numbers(100))).ok).toBe(true);
    expect(compiled.template.render(sampleScope(numbers(25_000)))).toMatchObject({
      ok: false,
      message: expect.stringContaining(tooMany),
    });
  });

  test("each evaluation has a fresh count of steps", () => {
    const compiled = compileExpression("input.all(n, n >= 0)", untyped);
    if (!compiled.ok) throw new Error("does not compile");
    const scope = sampleScope(numbers(10_000));
    for (let evaluation = 0; evaluation < 20; evaluation++) {
      expect(compiled.expression.evaluate(scope)).toEqual({ ok: true, value: true });
    }
  });
});

describe("the size of an expression is bounded", () => {
  test.each([
    ["characters", `"${"a".repeat(sourceLimit)}"`, "characters"],
    ["links of a chain", `true${" && true".repeat(depthLimit + 1)}`, "too deep"],
    ["parentheses", `${"(".repeat(500)}1${")".repeat(500)}`, "too large"],
    ["lists", `${"[".repeat(500)}1${"]".repeat(500)}`, "too large"],
    ["signs", `${"!".repeat(300)}true`, "too deep"],
    ["more signs", `${"-".repeat(4_000)}1`, "too large"],
    ["fields", `input${".a".repeat(1_000)}`, "too large"],
    ["choices", `${"true ? 1 : ".repeat(300)}1`, "too large"],
    ["items", `[${"1,".repeat(300)}1]`, "too large"],
    ["parts", `[${"1+1,".repeat(190)}1]${" + [1+1]".repeat(190)}`, "too large"],
  ])("by its %s", (_what, source, message) => {
    expect(problemsOf(source, untyped)).toContain(message);
  });

  test("a long chain within the bounds compiles and runs", () => {
    expect(valueOf(`0${" + 1".repeat(depthLimit - 2)}`)).toBe(depthLimit - 2);
  });
});
