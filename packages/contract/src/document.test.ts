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
const question = { id: "sort", kind: "condition", question: "Which?", branches: [{ name: "a", description: "A." }] };
const sum = { name: "eur", sum: "args.amount", atMost: 5_000_000, per: "run" };
const review = { id: "approve", kind: "human_review", title: "Pay?" };

describe("a document's node", () => {
  test.each([
    { id: "done", kind: "end", output: { id: "{{ nodes.pay.output.id }}" } },
    { ...call, arguments: { amount: 1 }, guards: [{ check: "args.amount < 2", otherwise: "review" }] },
    { ...call, instructions: "Pay it.", maxCalls: 2, retry: { maxAttempts: 1 }, onUnknownOutcome: "fail" },
    { ...call, emit: { name: "payment_sent", data: {} }, timeoutMs: 1_000 },
    { id: "size", kind: "condition", branches: [{ name: "large", when: "true" }], otherwise: "small" },
    { ...question, confidence: { atLeast: 0.8, otherwise: "review" }, budget: { modelCalls: 1_000 } },
    { ...question, confidence: { atLeast: 0, otherwise: "fail" }, budget: { tokens: 100_000_000 } },
    { ...call, instructions: "Pay it.", budget: { modelCalls: 1, tokens: 1 }, maxCalls: 50 },
    { ...call, sumLimits: [{ ...sum, timeZone: "Europe/Berlin", per: "day", when: "true", otherwise: "review" }] },
    { ...call, sumLimits: [{ ...sum, atMost: 0 }] },
    { ...call, review: { reviewers: { roles: ["treasury"], people: ["cfo"] }, approvals: 20, excludeStarter: true } },
    { ...question, confidence: { atLeast: 0.8, otherwise: "review" }, review: { approvals: 1 } },
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
    [{ ...review, review: { approvals: 1 } }, "/nodes/1/review"],
    [{ ...call, review: { approvals: 0 } }, "/nodes/1/review/approvals"],
    [{ ...call, review: { approvals: 21 } }, "/nodes/1/review/approvals"],
    [{ ...call, review: { roles: ["treasury"] } }, "/nodes/1/review/roles"],
    [{ ...call, review: { reviewers: { roles: [""] } } }, "/nodes/1/review/reviewers/roles/0"],
    [{ ...call, review: { excludeStarter: "yes" } }, "/nodes/1/review/excludeStarter"],
    [{ ...call, review: { expiresAfter: "P1D" } }, "/nodes/1/review/expiresAfter"],
    [{ ...review, title: undefined }, "/nodes/1/title"],
    [{ id: "size", kind: "condition", branches: [] }, "/nodes/1/branches"],
    [{ ...call, budget: { modelCalls: 0 } }, "/nodes/1/budget/modelCalls"],
    [{ ...call, budget: { modelCalls: 1_001 } }, "/nodes/1/budget/modelCalls"],
    [{ ...call, budget: { tokens: 0 } }, "/nodes/1/budget/tokens"],
    [{ ...call, budget: { tokens: 100_000_001 } }, "/nodes/1/budget/tokens"],
    [{ ...call, budget: { money: 1 } }, "/nodes/1/budget/money"],
    [{ ...call, maxCalls: 51 }, "/nodes/1/maxCalls"],
    [{ ...call, confidence: { atLeast: 1, otherwise: "fail" } }, "/nodes/1/confidence"],
    [{ ...question, confidence: { atLeast: 1.1, otherwise: "fail" } }, "/nodes/1/confidence/atLeast"],
    [{ ...question, confidence: { atLeast: -0.1, otherwise: "fail" } }, "/nodes/1/confidence/atLeast"],
    [{ ...question, confidence: { atLeast: 1 } }, "/nodes/1/confidence/otherwise"],
    [{ ...question, confidence: { atLeast: 1, otherwise: "go" } }, "/nodes/1/confidence/otherwise"],
    [{ ...question, budget: { tokens: 1.5 } }, "/nodes/1/budget/tokens"],
    [{ ...question, sumLimits: [sum] }, "/nodes/1/sumLimits"],
    [{ ...call, sumLimits: Array.from({ length: 21 }, () => sum) }, "/nodes/1/sumLimits"],
    [{ ...call, sumLimits: [{ ...sum, name: "EUR" }] }, "/nodes/1/sumLimits/0/name"],
    [{ ...call, sumLimits: [{ ...sum, name: "a".repeat(65) }] }, "/nodes/1/sumLimits/0/name"],
    [{ ...call, sumLimits: [{ ...sum, sum: 1 }] }, "/nodes/1/sumLimits/0/sum"],
    [{ ...call, sumLimits: [{ ...sum, atMost: -1 }] }, "/nodes/1/sumLimits/0/atMost"],
    [{ ...call, sumLimits: [{ ...sum, atMost: 2 ** 53 }] }, "/nodes/1/sumLimits/0/atMost"],
    [{ ...call, sumLimits: [{ ...sum, per: "week" }] }, "/nodes/1/sumLimits/0/per"],
    [{ ...call, sumLimits: [{ ...sum, timeZone: "" }] }, "/nodes/1/sumLimits/0/timeZone"],
    [{ ...call, sumLimits: [{ ...sum, timeZone: "a".repeat(65) }] }, "/nodes/1/sumLimits/0/timeZone"],
    [{ ...call, sumLimits: [{ ...sum, otherwise: "ask" }] }, "/nodes/1/sumLimits/0/otherwise"],
  ])("may not be %j", (node, path) => {
    expect(pathsOf(node)).toEqual([path]);
  });
});

describe("a document's budgets", () => {
  const withBudgets = (budgets: unknown) => ({ ...documentWith(call), budgets });
  const problems = (budgets: unknown): readonly string[] => {
    const result = procedureDocumentSchema.safeParse(withBudgets(budgets));
    return result.success ? [] : requestProblems(result.error).map(({ path }) => path);
  };

  test.each([
    {},
    { run: {} },
    { run: { modelCalls: 50, tokens: 200_000 } },
    { run: { toolCalls: 100_000 } },
    { day: { timeZone: "Europe/Berlin" } },
    { day: { modelCalls: 1, tokens: 1, toolCalls: 1, timeZone: "UTC" } },
    { day: { modelCalls: 100_000, tokens: 10_000_000_000, toolCalls: 50_000, timeZone: "UTC" } },
  ])("may be %j", (budgets) => {
    expect(procedureDocumentSchema.parse(withBudgets(budgets)).budgets).toEqual(budgets);
  });

  test.each<[unknown, string]>([
    [null, "/budgets"],
    [{ week: {} }, "/budgets/week"],
    [{ run: { toolCalls: 0 } }, "/budgets/run/toolCalls"],
    [{ run: { toolCalls: 100_001 } }, "/budgets/run/toolCalls"],
    [{ run: { timeZone: "UTC" } }, "/budgets/run/timeZone"],
    [{ run: { tokens: 0 } }, "/budgets/run/tokens"],
    [{ day: { tokens: 1 } }, "/budgets/day/timeZone"],
    [{ day: { toolCalls: 0, timeZone: "UTC" } }, "/budgets/day/toolCalls"],
    [{ day: { modelCalls: 0, timeZone: "UTC" } }, "/budgets/day/modelCalls"],
    [{ day: { tokens: 0.5, timeZone: "UTC" } }, "/budgets/day/tokens"],
    [{ run: { modelCalls: 1_001 } }, "/budgets/run/modelCalls"],
  ])("may not be %j", (budgets, path) => {
    expect(problems(budgets)).toEqual([path]);
  });
});
