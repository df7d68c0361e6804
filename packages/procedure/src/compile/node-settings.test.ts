import { describe, expect, it } from "vitest";
import { changed, edge, problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings } from "../../test/vendor-payment.ts";
import { compileProcedure } from "./compile-procedure.ts";

describe("a node's settings", () => {
  const question = {
    question: "Which one?",
    branches: [
      { name: "a", description: "A" },
      { name: "b", description: "B" },
    ],
  };
  const withQuestion: Change = (document, node) => {
    const { when: _when, ...size } = { ...node("size"), when: undefined };
    document.nodes = document.nodes.map((one) =>
      one["id"] === "size" ? { ...size, ...question, otherwise: undefined } : one,
    );
    document.nodes = JSON.parse(JSON.stringify(document.nodes)) as typeof document.nodes;
    edge(document, "size", "large").at.branch = "a";
    edge(document, "size", "normal").at.branch = "b";
  };

  it.each<[string, Change, string[]]>([
    [
      "maxCalls without instructions",
      (_document, node) => (node("vendor")["maxCalls"] = 2),
      ["node_settings /nodes/1/maxCalls"],
    ],
    [
      "a budget without instructions",
      (_document, node) => (node("vendor")["budget"] = { tokens: 1 }),
      ["node_settings /nodes/1/budget"],
    ],
    [
      "a confidence without a question",
      (_document, node) => (node("size")["confidence"] = { atLeast: 1, otherwise: "fail" }),
      ["node_settings /nodes/2/confidence"],
    ],
    [
      "a budget without a question",
      (_document, node) => (node("size")["budget"] = { modelCalls: 1 }),
      ["node_settings /nodes/2/budget"],
    ],
    [
      "a first delay above the longest",
      (_document, node) => (node("pay")["retry"] = { initialDelayMs: 5, maxDelayMs: 1 }),
      ["node_settings /nodes/4/retry/initialDelayMs"],
    ],
    [
      "a branch without a condition",
      (_document, node) => (node("size")["branches"] = [{ name: "large" }]),
      ["node_settings /nodes/2/branches/0"],
    ],
    [
      "no otherwise",
      (document, node) => {
        delete node("size")["otherwise"];
        document.edges.splice(edge(document, "size", "normal").index, 1);
      },
      ["node_settings /nodes/2"],
    ],
    [
      "two branches with one name",
      (_document, node) =>
        (node("size")["branches"] = [
          { name: "large", when: "true" },
          { name: "large", when: "true" },
        ]),
      ["duplicate_branch /nodes/2/branches/1/name"],
    ],
    [
      "a question and a condition",
      (document, node) => {
        withQuestion(document, node);
        Object.assign(document.nodes[2]?.["branches"] as object, { 0: { name: "a", description: "A", when: "true" } });
      },
      ["model_missing /nodes/2/question", "node_settings /nodes/2/branches/0/when"],
    ],
    [
      "more approvals than people",
      (_document, node) => Object.assign(node("approve"), { approvals: 2, reviewers: { people: ["ann", "ann"] } }),
      ["node_settings /nodes/3/approvals"],
    ],
    [
      "more approvals in a call's reviews than people",
      (_document, node) => (node("vendor")["review"] = { approvals: 2, reviewers: { people: ["ann"] } }),
      ["node_settings /nodes/1/review/approvals"],
    ],
    [
      "people for a condition without a question",
      (_document, node) => (node("size")["review"] = { excludeStarter: true }),
      ["node_settings /nodes/2/review"],
    ],
    [
      "people for a question whose every answer counts",
      (document, node) => {
        withQuestion(document, node);
        node("size")["review"] = { approvals: 2 };
      },
      ["model_missing /nodes/2/question", "node_settings /nodes/2/review"],
    ],
    [
      "people for a question that fails on low confidence",
      (document, node) => {
        withQuestion(document, node);
        Object.assign(node("size"), { confidence: { atLeast: 0.8, otherwise: "fail" }, review: { approvals: 2 } });
      },
      ["model_missing /nodes/2/question", "node_settings /nodes/2/review"],
    ],
    [
      "a duration that does not parse",
      (_document, node) => (node("approve")["expiresAfter"] = "a week"),
      ["duration /nodes/3/expiresAfter"],
    ],
    [
      "instructions but no model",
      (_document, node) => (node("vendor")["instructions"] = "Find the vendor."),
      ["model_missing /nodes/1/instructions"],
    ],
    ["a question but no model", withQuestion, ["model_missing /nodes/2/question"]],
  ])("with %s are refused at that place", (_name, change, expected) => {
    expect(problemsOf(change).sort()).toEqual(expected.sort());
  });

  it("for an agent compile if there is a model", () => {
    const compiled = compileProcedure(
      changed((document, node) => {
        withQuestion(document, node);
        Object.assign(node("vendor"), {
          instructions: "Find the vendor.",
          maxCalls: 3,
          budget: { modelCalls: 5, tokens: 9_000 },
          arguments: { id: "{{ input.vendorId }}" },
          review: { excludeStarter: true },
        });
        Object.assign(node("size"), {
          confidence: { atLeast: 0.9, otherwise: "review" },
          review: { reviewers: { people: ["ann", "ben"] }, approvals: 2 },
          budget: { tokens: 500 },
        });
        Object.assign(node("approve"), { title: "Pay {{ nodes.vendor.output.calls[0].output.name }}?", data: {} });
        document.nodes = JSON.parse(JSON.stringify(document.nodes)) as typeof document.nodes;
      }),
      { ...surroundings, model: true },
    );
    expect(compiled.problems).toEqual([]);
    if (!compiled.ok) return;
    expect(compiled.procedure.nodes.get("vendor")).toMatchObject({
      agent: {
        instructions: "Find the vendor.",
        maxCalls: 3,
        budget: { modelCalls: 5, tokens: 9_000 },
        fixed: new Map([["id", ["input.vendorId"]]]),
      },
      answeredBy: { roles: [], people: [], approvals: 1, excludeStarter: true, excludeApproversOf: [] },
    });
    expect(compiled.procedure.nodes.get("size")).toMatchObject({
      branches: [],
      question: {
        text: "Which one?",
        answers: question.branches,
        confidence: { atLeast: 0.9, otherwise: "review" },
        budget: { tokens: 500 },
        answeredBy: { roles: [], people: ["ann", "ben"], approvals: 2, excludeStarter: false, excludeApproversOf: [] },
      },
    });
  });
});
