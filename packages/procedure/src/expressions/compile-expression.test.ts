import { describe, expect, test } from "vitest";
import { compileExpression } from "./compile-expression.ts";
import { sampleScope, sampleTypes, untyped } from "./sample-scope.ts";

describe("an expression", () => {
  test("compiles once and evaluates on any scope", () => {
    const compiled = compileExpression("input.amount * 2 > 1000", sampleTypes, { returns: "bool" });
    if (!compiled.ok) throw new Error("does not compile");
    expect(compiled.expression.source).toBe("input.amount * 2 > 1000");
    expect(compiled.expression.evaluate(sampleScope({ amount: 600 }))).toEqual({ ok: true, value: true });
    expect(compiled.expression.evaluate(sampleScope({ amount: 500 }))).toEqual({ ok: true, value: false });
  });

  test("that fails names the fault and its place, and does not throw", () => {
    const compiled = compileExpression("input.rate / input.amount > 1.0", sampleTypes, { returns: "bool" });
    if (!compiled.ok) throw new Error("does not compile");
    expect(compiled.expression.evaluate(sampleScope({ amount: 0, rate: 1 }))).toEqual({
      ok: false,
      message: "input.rate / input.amount divides by zero",
    });
  });

  test("with another result than a condition requires is refused, before it runs if its type is known", () => {
    expect(compileExpression("input.amount", sampleTypes, { returns: "bool" })).toMatchObject({
      problems: [{ message: "The expression must give true or false, but gives a number." }],
    });
    expect(compileExpression("input.?urgent", sampleTypes, { returns: "bool" }).ok).toBe(false);
    expect(compileExpression("input.amount", sampleTypes, { returns: "string" }).ok).toBe(false);
    const compiled = compileExpression("input.flag", untyped, { returns: "bool" });
    if (!compiled.ok) throw new Error("does not compile");
    expect(compiled.expression.evaluate(sampleScope({ flag: true }))).toEqual({ ok: true, value: true });
    expect(compiled.expression.evaluate(sampleScope({ flag: "true" }))).toEqual({
      ok: false,
      message: "input.flag must give true or false, but does not",
    });
  });

  test("that must give a number accepts whole numbers and fractions, but nothing that only resembles a number", () => {
    for (const [source, value] of [
      ["input.amount * 2", 10],
      ["1", 1],
      ["input.rate", 0.5],
    ] as const) {
      const compiled = compileExpression(source, sampleTypes, { returns: "number" });
      if (!compiled.ok) throw new Error("does not compile");
      expect(compiled.expression.evaluate(sampleScope({ amount: 5, rate: 0.5 }))).toEqual({ ok: true, value });
    }
    for (const source of ["input.reference", "true", "input.?amount", 'decimal("1.50")', "null"]) {
      expect(compileExpression(source, sampleTypes, { returns: "number" }).ok, source).toBe(false);
    }
    const unknown = compileExpression("input.size", untyped, { returns: "number" });
    if (!unknown.ok) throw new Error("does not compile");
    for (const size of ["5", null, true]) {
      expect(unknown.expression.evaluate(sampleScope({ size }))).toEqual({
        ok: false,
        message: "input.size must give a number, but does not",
      });
    }
  });

  test("may give an absent value if any result is allowed", () => {
    const compiled = compileExpression("nodes.pay.?output.?id", sampleTypes);
    if (!compiled.ok) throw new Error("does not compile");
    expect(compiled.expression.evaluate(sampleScope({}))).toEqual({ ok: true, value: undefined });
  });
});

describe("the proposed arguments", () => {
  test("are in scope in guards, with the types of their schema", () => {
    const args = { type: "object", properties: { amount: { type: "integer" } } };
    const compiled = compileExpression("args.amount <= input.amount", sampleTypes, { returns: "bool", args });
    if (!compiled.ok) throw new Error("does not compile");
    expect(compiled.expression.evaluate({ ...sampleScope({ amount: 5 }), args: { amount: 6 } })).toEqual({
      ok: true,
      value: false,
    });
    expect(compileExpression("args.amont <= 1", sampleTypes, { args }).ok).toBe(false);
    expect(compileExpression("args.anything <= 1", sampleTypes, { args: {} }).ok).toBe(true);
    expect(compileExpression("args.amount <= 1", sampleTypes).ok).toBe(false);
  });
});

describe("problems name their place in the source", () => {
  test.each([
    ["", 0, "The expression is empty."],
    ["input.amount >", 14, "The expression ends too early."],
    ["input.amount > *", 15, 'Unexpected "*".'],
    ["input.amount > )", 15, 'Unexpected ")".'],
    ["[1 2]", 3, 'Expected "]", found number.'],
    ["input.amount = 1", 13, 'A comparison is written ==, "and" is &&, "or" is ||.'],
    ["input.amount > 1 and true", 17, "Unexpected character"],
    ["1 + (2", 6, 'The expression ends too early: ")" is missing.'],
    ["'a\n'", 2, "A text in quotes cannot continue on the next line: write \\n for a new line."],
    ["'abc", 0, "Unterminated string."],
    ["true && input.amont > 1", 8, 'input has no field "amont"; did you mean "amount"?'],
    ["while", 0, "Reserved identifier: while."],
    ["input.amount # 1", 13, "Unexpected character"],
  ])("%j at %i: %s", (source, offset, message) => {
    const compiled = compileExpression(source, sampleTypes);
    expect(compiled).toMatchObject({ ok: false, problems: [{ offset, message: expect.stringContaining(message) }] });
  });
});
