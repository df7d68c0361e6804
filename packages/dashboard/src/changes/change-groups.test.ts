import type { ProcedureDocument } from "@procedo/contract";
import { expect, test } from "vitest";
import { groupChanges } from "./change-groups.ts";

const first: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "pay",
  name: "Pay",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    { id: "ask", kind: "human_review", title: "Pay {{ input.amount }}?", approvals: 1 },
    { id: "log", kind: "tool_call", connection: "log", action: "write", arguments: {} },
    { id: "done", kind: "end" },
  ],
  edges: [
    { from: "start", to: "ask" },
    { from: "ask", to: "log" },
    { from: "log", to: "done" },
  ],
};

test("changes are grouped by step, with old and new values", () => {
  const [start, ask, , done] = first.nodes;
  const after = {
    ...first,
    name: "Pay a vendor",
    nodes: [
      start,
      { ...ask, approvals: 2, reviewers: { roles: ["treasury"] } },
      { id: "pay", kind: "tool_call", title: "Pay", connection: "bank", action: "pay", arguments: { amount: 10 } },
      done,
    ],
    edges: [
      { from: "start", to: "ask" },
      { from: "ask", to: "pay" },
      { from: "pay", to: "done" },
    ],
  } as ProcedureDocument;
  const groups = groupChanges(first, after);
  const of = (title: string) => groups.find((group) => group.title === title);
  expect(of("Procedure")).toMatchObject({
    change: "changed",
    fields: [{ name: "name", before: "Pay", after: "Pay a vendor" }],
  });
  expect(of("Pay ‹amount›?")).toMatchObject({ change: "changed", subtitle: "Human Review · ask" });
  expect(of("Pay ‹amount›?")?.fields).toContainEqual({ name: "approvals", before: 1, after: 2 });
  expect(of("Pay")).toMatchObject({ change: "added", subtitle: "Tool Call · pay" });
  expect(of("Pay")?.fields).toContainEqual({ name: "arguments", after: { amount: 10 } });
  expect(of("log")).toMatchObject({ change: "removed" });
  expect(of("Edges")?.sentences.length).toBeGreaterThan(0);
});

test("expressions are read in words, each with the names of its own document", () => {
  const condition = (when: string): ProcedureDocument["nodes"][number] => ({
    id: "size",
    kind: "condition",
    branches: [{ name: "large", when }],
    otherwise: "small",
  });
  const before = { ...first, nodes: [...first.nodes, condition("input.amount > 1000")] };
  const input = { type: "object", properties: { amount: { type: "integer", title: "Total" } } };
  const after = { ...first, input, nodes: [...first.nodes, condition("input.amount > 5000")] };
  const fields = groupChanges(before, after).find(({ title }) => title === "size")?.fields;
  expect(fields).toEqual([
    {
      name: "branches[0].when",
      before: "input.amount > 1000",
      after: "input.amount > 5000",
      readings: { before: "amount is greater than 1,000", after: "total is greater than 5,000" },
    },
  ]);
  const added = groupChanges(first, after).find(({ title }) => title === "size")?.fields;
  expect(added).toContainEqual({
    name: "branches[0].when",
    after: "input.amount > 5000",
    readings: { before: undefined, after: "total is greater than 5,000" },
  });
  expect(added).toContainEqual({ name: "branches[0].name", after: "large" });
});

test("equal documents have no changes", () => {
  expect(groupChanges(first, structuredClone(first))).toEqual([]);
});
