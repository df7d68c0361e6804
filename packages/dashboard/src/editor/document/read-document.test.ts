import type { JsonObject } from "@procedo/contract";
import { expect, test } from "vitest";
import { payment } from "./documents.fixture.ts";
import { newDocument } from "../../values/new-document.ts";
import { readDocument } from "./read-document.ts";

const draft = payment as unknown as JsonObject;

test("documents of the contract are read, also those that cannot be published yet", () => {
  expect(readDocument(draft)).toBe(payment);
  expect(readDocument(newDocument("new", "New") as unknown as JsonObject)).toBeDefined();
  expect(readDocument({ ...draft, nodes: [], unknown: true })).toBeDefined();
});

test("a draft of another shape is not read", () => {
  const [start, ...others] = payment.nodes as unknown as readonly JsonObject[];
  const withNode = (node: JsonObject): JsonObject => ({ ...draft, nodes: [...others, node] });
  const wrong: readonly JsonObject[] = [
    {},
    { ...draft, nodes: {} },
    { ...draft, name: 1 },
    { ...draft, edges: [{ from: "start" }] },
    { ...draft, edges: [{ from: "start", to: "done", branch: 1 }] },
    withNode({ ...start, kind: "wait" }),
    withNode({ ...start, kind: "toString" }),
    withNode({ id: "pay", kind: "tool_call", connection: "bank" }),
    withNode({ id: "pay", kind: "tool_call", connection: "bank", action: "pay", guards: [{ check: "true" }] }),
    withNode({ id: "size", kind: "condition", branches: [{}] }),
    withNode({ id: "approve", kind: "human_review" }),
    withNode({ id: "approve", kind: "human_review", title: "?", reviewers: { roles: [1] } }),
  ];
  expect(wrong.map(readDocument).filter((read) => read !== undefined)).toEqual([]);
});
