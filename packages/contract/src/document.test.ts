import { describe, expect, test } from "vitest";
import { procedureDocumentSchema } from "./document.ts";
import { requestProblems } from "./request-problems.ts";

const documentWith = (node: object) => ({
  schemaVersion: 1,
  procedureId: "vendor-payment",
  name: "Vendor payment",
  input: { type: "object" },
  nodes: [{ id: "start", kind: "start" }, node],
  edges: [{ from: "start", to: "pay", branch: "large" }],
});
const pathsOf = (node: object): readonly string[] => {
  const result = procedureDocumentSchema.safeParse(documentWith(node));
  return result.success ? [] : requestProblems(result.error).map(({ path }) => path);
};
const call = { id: "pay", kind: "tool_call", connection: "ledger", action: "post_payments" };
const review = { id: "approve", kind: "human_review", title: "Pay?" };

describe("a document's node", () => {
  test.each([
    { id: "done", kind: "end", output: { id: "{{ nodes.pay.output.id }}" } },
    { ...call, arguments: { amount: 1 }, guards: [{ check: "args.amount < 2", otherwise: "review" }] },
    { ...call, instructions: "Pay it.", maxCalls: 2, retry: { maxAttempts: 1 }, onUnknownOutcome: "fail" },
    { ...call, emit: { name: "payment_sent", data: {} }, timeoutMs: 1_000 },
    { id: "size", kind: "condition", branches: [{ name: "large", when: "true" }], otherwise: "small" },
    { ...review, outputs: { type: "object" }, reviewers: { roles: ["reviewer"] }, approvals: 2, covers: "pay" },
  ])("may be %j", (node) => {
    expect(procedureDocumentSchema.parse(documentWith(node)).nodes[1]).toEqual(node);
  });

  test.each<[object, string]>([
    [{ id: "x", kind: "wait" }, "/nodes/1/kind"],
    [{ ...call, id: "1st" }, "/nodes/1/id"],
    [{ ...call, conection: "ledger" }, "/nodes/1/conection"],
    [{ ...call, retry: { maxAttempts: 0 } }, "/nodes/1/retry/maxAttempts"],
    [{ ...call, emit: { name: "a b" } }, "/nodes/1/emit/name"],
    [{ ...call, arguments: [] }, "/nodes/1/arguments"],
    [{ ...review, approvals: 0 }, "/nodes/1/approvals"],
    [{ ...review, title: undefined }, "/nodes/1/title"],
    [{ id: "size", kind: "condition", branches: [] }, "/nodes/1/branches"],
  ])("may not be %j", (node, path) => {
    expect(pathsOf(node)).toEqual([path]);
  });
});
