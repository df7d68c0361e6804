import { describe, expect, it } from "vitest";
import type { HumanReviewNode } from "@procedo/contract";
import { surroundings } from "../../test/vendor-payment.ts";
import { compileProcedure } from "./compile-procedure.ts";

type Settings = Partial<Omit<HumanReviewNode, "id" | "kind">>;

/**
 * `first`, then `second`, then a call `pay` whose own questions have `review`; `back`: from the call to the reviews.
 */
function twoReviews(first: Settings, second: Settings, more: { readonly review?: object; readonly back?: true } = {}) {
  return {
    schemaVersion: 1,
    procedureId: "p",
    name: "P",
    input: { type: "object" },
    nodes: [
      { id: "start", kind: "start" },
      { id: "first", kind: "human_review", title: "First?", ...first },
      { id: "second", kind: "human_review", title: "Second?", ...second },
      {
        id: "pay",
        kind: "tool_call",
        connection: "ledger",
        action: "get_vendors_id",
        arguments: { id: "1" },
        ...(more.review !== undefined && { review: more.review }),
      },
      { id: "done", kind: "end" },
    ],
    edges: [
      { from: "start", to: "first" },
      { from: "first", to: "second" },
      { from: "second", to: "pay" },
      { from: "pay", to: "done" },
      ...(more.back === true ? [{ from: "pay", branch: "error", to: "first" }] : []),
    ],
  };
}

function problemsOf(document: unknown): string[] {
  const { problems } = compileProcedure(document, surroundings);
  return problems.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

const ofFirst = { excludeApproversOf: ["first"] };
const at = "/nodes/2/excludeApproversOf/0";

describe("the approvers of another review", () => {
  it("may be excluded by a later review, and by the reviews of a later call", () => {
    expect(problemsOf(twoReviews({}, ofFirst, { review: { excludeApproversOf: ["first", "second"] } }))).toEqual([]);
  });

  it("may be excluded by an earlier review if a loop leads back", () => {
    expect(problemsOf(twoReviews({ excludeApproversOf: ["second"] }, {}, { back: true }))).toEqual([]);
  });

  it.each([
    ["a node that does not exist", "frist", 'There is no node "frist"; did you mean "first"?'],
    ["itself", "second", "its own approvers"],
    ["a call", "pay", '"pay" is not a human_review'],
    ["the start", "start", '"start" is not a human_review'],
  ])("are not those of %s", (_what, named, message) => {
    const { problems } = compileProcedure(twoReviews({}, { excludeApproversOf: [named] }), surroundings);
    expect(problems).toMatchObject([{ severity: "error", code: "reviewers", path: at }]);
    expect(problems[0]?.message).toContain(message);
  });

  it("are unknown if no path leads from it", () => {
    const problems = problemsOf(twoReviews({ excludeApproversOf: ["second"] }, {}));
    expect(problems).toEqual(["error reviewers /nodes/1/excludeApproversOf/0"]);
  });

  it.each<[string, Settings, Settings, string[]]>([
    [
      "one of two must have approved before",
      { reviewers: { people: ["ann"] } },
      { reviewers: { people: ["Ann", "ben"] }, approvals: 2 },
      [`error reviewers ${at}`],
    ],
    [
      "the same one alone may approve both",
      { reviewers: { people: ["ann"] } },
      { reviewers: { people: ["ann"] } },
      [`error reviewers ${at}`],
    ],
    ["another may have approved", { reviewers: { people: ["ann", "cyd"] } }, { reviewers: { people: ["ann"] } }, []],
    [
      "both may have approved, and the second needs one of three",
      { reviewers: { people: ["ann", "ben"] }, approvals: 2 },
      { reviewers: { people: ["ann", "ben", "cyd"] } },
      [],
    ],
    ["a role may have approved", { reviewers: { roles: ["r"] } }, { reviewers: { people: ["ann"] } }, []],
    ["a role may approve", { reviewers: { people: ["ann"] } }, { reviewers: { people: ["ann"], roles: ["r"] } }, []],
  ])("leave enough people: %s", (_what, first, second, problems) => {
    expect(problemsOf(twoReviews(first, { ...second, ...ofFirst }))).toEqual(problems);
  });

  it.each<[string, string[], Settings, string[]]>([
    ["of two, after two that exclude each other", ["ann", "ben"], { excludeApproversOf: ["first"] }, ["warning"]],
    ["of three, after two that exclude each other", ["ann", "ben", "cyd"], { excludeApproversOf: ["first"] }, []],
    ["of two, after two that one person may approve", ["ann", "ben"], {}, []],
    [
      "of two, after two with one that others approve",
      ["ann", "ben"],
      { excludeApproversOf: ["first"], reviewers: { people: ["cyd"] } },
      [],
    ],
  ])("leave enough people %s", (_what, people, second, severities) => {
    const reviewers = { people };
    const document = twoReviews({ reviewers }, { reviewers, ...second });
    const third = {
      id: "third",
      kind: "human_review",
      title: "Third?",
      reviewers,
      excludeApproversOf: ["first", "second"],
    };
    const nodes = [...document.nodes, third];
    const edges = document.edges.map((edge) => (edge.from === "second" ? { ...edge, to: "third" } : edge));
    const to = document.edges.find(({ from }) => from === "second")?.to;
    const problems = problemsOf({ ...document, nodes, edges: [...edges, { from: "third", to }] });
    const path = `/nodes/${nodes.length - 1}/excludeApproversOf`;
    expect(problems).toEqual(severities.map((severity) => `${severity} reviewers ${path}`));
  });

  it("are in the compiled review, also in that of a covered call", () => {
    const compiled = compileProcedure(twoReviews({}, { ...ofFirst, covers: "pay" }), surroundings);
    const nodes = compiled.ok ? compiled.procedure.nodes : new Map<string, never>();
    expect(nodes.get("second")).toMatchObject(ofFirst);
    expect(nodes.get("pay")).toMatchObject({ answeredBy: ofFirst });
  });
});

describe("people and roles", () => {
  it("are compiled to their normal form, each once", () => {
    const reviewers = { people: ["Ann@Example.com", " ann@example.com"], roles: ["Treasury", "treasury "] };
    const compiled = compileProcedure(twoReviews({ reviewers }, {}), surroundings);
    const node = compiled.ok ? compiled.procedure.nodes.get("first") : undefined;
    expect(node).toMatchObject({ reviewers: { people: ["ann@example.com"], roles: ["treasury"] } });
  });

  it("count once if they are written in two ways", () => {
    const reviewers = { people: ["Ann@Example.com", "ann@example.com"] };
    expect(problemsOf(twoReviews({ reviewers, approvals: 2 }, {}))).toEqual(["error node_settings /nodes/1/approvals"]);
  });

  it.each([
    ["people", " "],
    ["people", "ann\u200b"],
    ["roles", "trea\u00adsury"],
  ])("of %s need visible names: %j is refused", (list, name) => {
    const problems = problemsOf(twoReviews({ reviewers: { [list]: [name] } }, {}));
    expect(problems).toEqual([`error reviewers /nodes/1/reviewers/${list}/0`]);
  });

  it("are too few if all are needed and one of them starts the run", () => {
    const few = { reviewers: { people: ["ann", "ben"] }, approvals: 2, excludeStarter: true };
    expect(problemsOf(twoReviews(few, {}))).toEqual(["warning reviewers /nodes/1/excludeStarter"]);
    expect(problemsOf(twoReviews({ ...few, approvals: 1 }, {}))).toEqual([]);
  });
});

describe("a review's outputs", () => {
  it("must be an object, because an approval has no other outputs", () => {
    expect(problemsOf(twoReviews({ outputs: { type: "string" } }, {}))).toEqual(["error schema /nodes/1/outputs/type"]);
    expect(problemsOf(twoReviews({ outputs: { type: ["object", "null"] } }, {}))).toEqual([]);
  });
});
