import type { JsonValue, ProcedureNode } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { sentenceOf } from "./change-sentence.ts";

const member = (path: string, before?: JsonValue, after?: JsonValue, nodeId?: string): string =>
  sentenceOf({
    kind: "member_changed",
    path,
    ...(nodeId !== undefined && { nodeId }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  });

describe("the sentence of a changed member", () => {
  test("names the member with both values", () => {
    expect(member("/name", "Pay", "Payment")).toBe('Name: changed from "Pay" to "Payment".');
    expect(member("/input/properties/amount/maximum", 100, 200)).toBe(
      "Input schema, properties.amount.maximum: changed from 100 to 200.",
    );
    expect(member("/reference", undefined, "{{ input.invoiceId }}")).toBe(
      'Reference of runs: "{{ input.invoiceId }}" was added.',
    );
    expect(member("/budgets/day/toolCalls", undefined, 100)).toBe("Budgets, day.toolCalls: 100 was added.");
    expect(member("/nodes/3/retry", { maxAttempts: 3 }, undefined, "pay")).toBe(
      'Node "pay", retry: {"maxAttempts":3} was removed.',
    );
    expect(member("/nodes/3/guards/0/check", "args.amount > 1", "args.amount > 2", "pay")).toBe(
      'Node "pay", guards[0].check: changed from "args.amount > 1" to "args.amount > 2".',
    );
    expect(member("/nodes/3/arguments/a~1b c/0", null, false, "pay")).toBe(
      'Node "pay", arguments["a/b c"][0]: changed from null to false.',
    );
  });

  test("has all digits of a number, without an exponent, also within a value", () => {
    expect(member("/input/maximum", 9_007_199_254_740_991, 1e21)).toBe(
      "Input schema, maximum: changed from 9007199254740991 to 1000000000000000000000.",
    );
    expect(member("/input/a", [1e-7], { b: 1e22 })).toBe(
      'Input schema, a: changed from [0.0000001] to {"b":10000000000000000000000}.',
    );
    expect(member("/input/const", "9007199254740993", "9007199254740995")).toContain('"9007199254740993"');
  });

  test("names the items of a list that were removed and added, with the place of an added one", () => {
    expect(member("/nodes/1/reviewers/roles", ["ops", "risk"], ["treasury", "risk"], "ask")).toBe(
      'Node "ask", reviewers.roles: "ops" was removed, "treasury" was added as item 1 of 2.',
    );
    expect(member("/input/enum", [1, 1, 2], [1, 2, 2])).toBe(
      "Input schema, enum: 1 was removed, 2 was added as item 3 of 3.",
    );
  });

  test("shows both lists if items changed their order", () => {
    expect(member("/input/enum", ["a", "b"], ["b", "a", "c"])).toBe(
      'Input schema, enum: changed from ["a","b"] to ["b","a","c"].',
    );
  });

  test("shows the difference of long texts completely, and divides no character", () => {
    const text = (middle: string) => `${"🟢".repeat(100)} more than ${middle} EUR ${"🔴".repeat(100)}`;
    const sentence = member("/nodes/1/instructions", text("100"), text("2000"), "pay");
    expect(sentence).toMatch(
      /^Node "pay", instructions: changed from …"🟢+ more than 100 EUR 🔴+"… to …"🟢+ more than 2000 EUR 🔴+"…\.$/u,
    );
    expect(sentence.length).toBeLessThan(250);
    const whole = "x".repeat(500);
    expect(member("/description", whole, `${whole}y`)).toMatch(/^Description: changed from …"x{24}" to …"x{24}y"\.$/);
    expect(member("/description", "x".repeat(130), "y".repeat(130))).toContain("x".repeat(130));
  });
});

describe("the sentence of a node", () => {
  const pay: ProcedureNode = { id: "pay", kind: "tool_call", connection: "ledger", action: "post", timeoutMs: 1e3 };

  test("contains an added node completely", () => {
    const change = { path: "/nodes/1", nodeId: "pay", node: pay };
    expect(sentenceOf({ kind: "node_added", ...change })).toBe(
      'Node "pay" (Tool Call) was added: {"connection":"ledger","action":"post","timeoutMs":1000}.',
    );
    expect(sentenceOf({ kind: "node_removed", ...change })).toBe('Node "pay" (Tool Call) was removed.');
    const end = { path: "/nodes/2", nodeId: "end", node: { id: "end", kind: "end" as const } };
    expect(sentenceOf({ kind: "node_added", ...end })).toBe('Node "end" (End) was added.');
  });

  test("says that the sums of a day begin anew under a new id", () => {
    const renamed = (node: ProcedureNode) =>
      sentenceOf({ kind: "node_renamed", path: "/nodes/1", nodeId: "pay", before: "send", node });
    expect(renamed(pay)).toBe('Node "send" was renamed to "pay".');
    const limit = { name: "total", sum: "args.amount", atMost: 5, per: "day" as const, timeZone: "UTC" };
    expect(renamed({ ...pay, sumLimits: [limit] })).toBe(
      'Node "send" was renamed to "pay". Its sums of a day begin at 0 under the new id.',
    );
    expect(renamed({ ...pay, sumLimits: [{ ...limit, per: "run" }] })).toBe('Node "send" was renamed to "pay".');
  });
});

test("the sentence of an edge names both nodes and the branch", () => {
  const edge = { from: "size", to: "pay", branch: "large" };
  const change = { path: "/edges/1", nodeId: "size", edge };
  expect(sentenceOf({ kind: "edge_added", ...change })).toBe(
    'The edge from "size", branch "large", to "pay" was added.',
  );
  expect(sentenceOf({ kind: "edge_removed", ...change, edge: { from: "size", to: "pay" } })).toBe(
    'The edge from "size" to "pay" was removed.',
  );
  expect(sentenceOf({ kind: "edge_redirected", ...change, before: "refuse" })).toBe(
    'The edge from "size", branch "large", leads to "pay", no longer to "refuse".',
  );
});
