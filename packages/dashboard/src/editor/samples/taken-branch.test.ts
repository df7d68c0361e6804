import type { ConditionNode } from "@procedo/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { payment } from "../document/documents.fixture.ts";
import { exampleSamples, limitSamples } from "./example-samples.ts";
import { pathsOf, sampleValue, stepsRead, takenBranch, type Sample } from "./taken-branch.ts";

const condition = (...when: readonly string[]): ConditionNode => ({
  id: "size",
  kind: "condition",
  branches: when.map((text, index) => ({ name: `branch ${index}`, when: text })),
  otherwise: "small",
});
const sample = (input: Sample["input"], results: Sample["results"] = {}): Sample => ({
  key: "a",
  label: "A",
  input,
  results,
});

const run = {
  runId: "run_1",
  procedureId: "payment",
  procedureVersion: "7",
  environment: "live",
  createdAt: "2026-03-01T06:30:00.000Z",
  startedBy: "ana@acme.example",
};

test("the first branch whose expression is true is taken, else the one for all others", () => {
  const node = condition("input.amount > 1000", "input.amount > 10");
  expect(takenBranch(payment, node, sample({ amount: 1001 }))).toEqual({ kind: "branch", branch: "branch 0" });
  expect(takenBranch(payment, node, sample({ amount: 1000 }))).toEqual({ kind: "branch", branch: "branch 1" });
  expect(takenBranch(payment, node, sample({ amount: 1 }))).toEqual({ kind: "branch", branch: "small" });
});

test("results of steps are read, and a step that a past run did not visit makes the condition fail", () => {
  const node = condition("nodes.pay.output.id == 'p1'");
  const results = { pay: { output: { id: "p1" } } };
  expect(takenBranch(payment, node, sample({}, results))).toEqual({ kind: "branch", branch: "branch 0" });
  expect(takenBranch(payment, node, sample({}))).toEqual({ kind: "depends_on_run" });
  const past = { ...sample({}), run };
  expect(takenBranch(payment, node, past)).toMatchObject({
    kind: "fails",
    message: expect.stringContaining("was not visited") as unknown,
  });
});

test("a past run is judged by its own facts, and of values that no run had nothing is claimed", () => {
  const node = condition("input.amount > 1000", "run.startedBy == 'ana@acme.example'");
  const past = { ...sample({ amount: 5 }), run };
  expect(takenBranch(payment, node, past)).toEqual({ kind: "branch", branch: "branch 1" });
  const other = { ...past, run: { ...run, startedBy: "bo@acme.example" } };
  expect(takenBranch(payment, node, other)).toEqual({ kind: "branch", branch: "small" });
  expect(takenBranch(payment, node, sample({ amount: 5 }))).toEqual({ kind: "depends_on_run" });
  expect(takenBranch(payment, node, sample({ amount: 5000 }))).toEqual({ kind: "branch", branch: "branch 0" });
  expect(sampleValue(past, "run.environment")).toBe("live");
  expect(sampleValue(sample({}), "run.environment")).toBeUndefined();
});

test("of a faulty expression or a question to an agent no branch is claimed", () => {
  expect(takenBranch(payment, condition("input.amount >"), sample({ amount: 5 }))).toEqual({ kind: "unknown" });
  const { otherwise: _, ...question } = condition("true");
  const node = { ...question, question: "Which?", branches: [{ name: "a", description: "A" }] };
  expect(takenBranch(payment, node, sample({ amount: 5 }))).toEqual({ kind: "unknown" });
});

test("any expression and any input give an answer", () => {
  const tokens = ["input", ".amount", " > ", "1", " && ", "nodes.pay.output", "[0]", "(", ")", '"a"', ".size()", "!"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 6 }), fc.jsonValue(), (parts, input) => {
      const node = condition(parts.join(""));
      const { kind } = takenBranch(payment, node, sample(input as Sample["input"]));
      expect(["branch", "fails", "depends_on_run", "unknown"]).toContain(kind);
      for (const path of pathsOf(node)) sampleValue(sample(input as Sample["input"]), path);
    }),
    { seed: 38 },
  );
});

test("the values that a condition reads are those of its expressions", () => {
  const node = condition('input.amount > 1 && nodes.pay.output["due date"] == "x"', "input.lines[0].price > 1");
  expect(pathsOf(node)).toEqual(["input.amount", "input.lines[0].price", 'nodes.pay.output["due date"]']);
  expect(stepsRead(node)).toEqual(["pay"]);
  const values = sample({ amount: 5, lines: [{ price: 2 }] }, { pay: { output: { "due date": "x" } } });
  expect(pathsOf(node).map((path) => sampleValue(values, path))).toEqual([5, 2, "x"]);
  expect(sampleValue(values, "input.lines[1].price")).toBeUndefined();
});

test("samples are the examples of the schema, and the values around the limit of one number", () => {
  const examples = [{ amount: 5 }, { amount: 2000 }];
  expect(exampleSamples({ ...payment, input: { ...payment.input, examples } }).map(({ input }) => input)).toEqual(
    examples,
  );
  expect(exampleSamples({ ...payment, input: { ...payment.input, examples: "no" } })).toEqual([]);
  const limits = limitSamples(condition("input.amount > 1000", "input.amount > 10"));
  expect(limits.map(({ input }) => input)).toEqual([9, 10, 11, 999, 1000, 1001].map((amount) => ({ amount })));
  expect(limitSamples(condition("input.amount > 1000 && input.country == 'DE'"))).toEqual([]);
});
