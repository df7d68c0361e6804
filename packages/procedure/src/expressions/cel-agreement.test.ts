import { Environment } from "@marcbachmann/cel-js";
import type { JsonObject } from "@procedo/contract";
import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression } from "./compile-expression.ts";
import { sampleScope, untyped } from "./sample-scope.ts";

const library = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false }).registerVariable(
  "input",
  "map",
);

/** The library's answer, with its whole numbers as JSON's; nothing where it fails. */
function celValue(source: string, input: JsonObject): { readonly value: unknown } | undefined {
  try {
    return { value: asJson(library.evaluate(source, { input })) };
  } catch {
    return undefined;
  }
}

function asJson(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object" || value === null) return value === 0 ? 0 : value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item)]));
}

function ourValue(source: string, input: JsonObject): { readonly value: unknown } | undefined {
  const compiled = compileExpression(source, untyped);
  if (!compiled.ok) return undefined;
  const evaluation = compiled.expression.evaluate(sampleScope(input));
  return evaluation.ok ? { value: evaluation.value } : undefined;
}

const input: JsonObject = {
  n: 3,
  m: 2.5,
  t: "abc",
  yes: true,
  none: null,
  list: [1, 2.5, 3],
  texts: ["a", "bc", ""],
  rows: [{ x: 1, y: "a" }, { x: 2 }],
  map: { a: 1, b: { c: 2 } },
};

const leaf = fc.constantFrom(
  ...[
    "input.n",
    "input.m",
    "input.t",
    "input.yes",
    "input.none",
    "input.list",
    "input.texts",
    "input.rows",
    "input.map",
  ],
  ...["1.0", "2.5", "0.0", "'a'", "'abc'", "true", "false", "null", "[]", "{}", "input.missing", "input.map.b.c"],
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc
      .tuple(tie("expression"), fc.constantFrom(..."+ - * / == != < <= > >= && || in".split(" ")), tie("expression"))
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc.tuple(tie("expression"), tie("expression"), tie("expression")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `[${a}, ${b}]`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `{"a": ${a}, "b": ${b}}`),
    tie("expression").map((a) => `!${a}`),
    fc.tuple(tie("expression"), fc.constantFrom("a", "b", "x", "missing")).map(([a, name]) => `(${a}).${name}`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(${a})[?${b}].orValue(0.5)`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(${a})[${b}]`),
    fc
      .tuple(
        fc.constantFrom("input.list", "input.texts", "input.rows", "input.map"),
        fc.constantFrom("all", "exists", "exists_one", "filter", "map"),
        fc.constantFrom("v == 1.0", "v != 'a'", "v > 1.0", "v.x == 2.0", "has(v.y)", "v in input.list", "true"),
      )
      .map(([list, macro, body]) => `${list}.${macro}(v, ${body})`),
    tie("expression").map((a) => `size(${a})`),
    fc
      .tuple(tie("expression"), fc.constantFrom("startsWith", "contains", "endsWith"))
      .map(([a, name]) => `(${a}).${name}('b')`),
  ),
}));

test("the CEL library and this package agree if both give a value", () => {
  let compared = 0;
  fc.assert(
    fc.property(expression, (source) => {
      const [cel, ours] = [celValue(source, input), ourValue(source, input)];
      if (cel === undefined || ours === undefined) return;
      compared += 1;
      expect(ours.value, source).toEqual(cel.value);
    }),
    { numRuns: cases({ commit: 20_000, nightly: 200_000, release: 1_000_000 }), seed: 20_260_301 },
  );
  expect(compared).toBeGreaterThan(3_000);
});
