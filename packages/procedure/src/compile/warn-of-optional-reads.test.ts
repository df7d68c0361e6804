import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { surroundings } from "../../test/vendor-payment.ts";
import { compileProcedure } from "./compile-procedure.ts";

const input = {
  type: "object",
  required: ["amount", "to"],
  properties: {
    amount: { type: "integer" },
    limit: { type: "integer" },
    terms: { type: "object", properties: { days: { type: "integer" } } },
    to: { type: "object", required: ["name"], properties: { name: { type: "string" }, iban: { type: "string" } } },
  },
};

/**
 * start > size, which leads to `ask` when large, and both to done; `ask` requires outputs, one of which may be missing.
 */
function warningsOf(output: JsonObject, when = "input.amount > 1000"): readonly string[] {
  const document = {
    schemaVersion: 1,
    procedureId: "p",
    name: "P",
    input,
    nodes: [
      { id: "start", kind: "start" },
      { id: "always", kind: "human_review", title: "Always?", outputs: reviewOutputs },
      { id: "size", kind: "condition", branches: [{ name: "large", when }], otherwise: "small" },
      { id: "ask", kind: "human_review", title: "Large?", outputs: reviewOutputs },
      { id: "done", kind: "end", output },
    ],
    edges: [
      { from: "start", to: "always" },
      { from: "always", to: "size" },
      { from: "size", branch: "large", to: "ask" },
      { from: "size", branch: "small", to: "done" },
      { from: "ask", to: "done" },
    ],
  };
  const result = compileProcedure(document, surroundings);
  expect(result.ok, JSON.stringify(result.problems)).toBe(true);
  return result.problems.map(({ path, code, message }) => `${path} ${code}: ${message}`);
}

const reviewOutputs = {
  type: "object",
  required: ["sum"],
  properties: { sum: { type: "integer" }, note: { type: "string" } },
};

describe("publishing warns of values that may be missing, with the path and the correction", () => {
  test.each([
    ["{{ input.limit }}", "input.limit may be left out", "Write input.?limit,"],
    ["up to {{ input.limit }}", "input.limit may be left out", "has(input.limit)"],
    ['{{ input["limit"] + 1 }}', "input.limit may be left out", "input.?limit"],
    ["{{ input.to.iban }}", "input.to.iban may be left out", "Write input.to.?iban,"],
    ["{{ input.terms.?days.orValue(30) }}", "input.terms may be left out", "Write input.?terms"],
    ["{{ nodes.always.output.note }}", "nodes.always.output.note may be left out", "nodes.always.output.?note"],
    ["{{ nodes.ask.output.sum }}", 'If the node "ask" was not visited', "nodes.ask.?output.?sum"],
    ["{{ input.limit > 5 && true }}", "input.limit may be left out", "input.?limit"],
  ])("%s", (text, problem, advice) => {
    const [warning, ...others] = warningsOf({ list: [{ text }] });
    expect(warning).toMatch(/^\/nodes\/4\/output\/list\/0\/text optional: /);
    expect(warning).toContain(problem);
    expect(warning).toContain(advice);
    expect(others).toEqual([]);
  });

  test("in a condition", () => {
    expect(warningsOf({}, "input.limit > 5")).toEqual([
      expect.stringMatching(/^\/nodes\/2\/branches\/0\/when optional: input\.limit may be left out/),
    ]);
  });
});

describe("publishing warns of nothing", () => {
  test.each([
    "{{ input.amount }} to {{ input.to.name }}",
    "{{ input.?limit }}",
    "{{ input.?limit.orValue(5) }}",
    "{{ input.?terms.?days.orValue(30) }}",
    "{{ has(input.terms) ? input.terms.?days.orValue(30) : 30 }}",
    "{{ has(input.limit) ? input.limit : 5 }}",
    "{{ has(input.limit) && input.limit > 5 }}",
    '{{ "limit" in input ? input.limit : 5 }}',
    "{{ nodes.always.output.sum }}",
    "{{ nodes.ask.?output.?sum }}",
    "{{ has(nodes.ask.output) ? nodes.ask.output.sum : 0 }}",
    '{{ nodes.size.output.branch == "large" ? nodes.ask.output.sum : 0 }}',
  ])("if a template states the fallback: %s", (text) => {
    expect(warningsOf({ text })).toEqual([]);
  });

  test("if a condition checks the value first", () => {
    expect(warningsOf({ text: "{{ input.limit }}" }, "has(input.limit)")).toEqual([]);
  });
});
