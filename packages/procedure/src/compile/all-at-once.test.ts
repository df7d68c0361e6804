import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { changed, edge, messagesOf, problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings, vendorPayment } from "../../test/vendor-payment.ts";
import { compileProcedure } from "./compile-procedure.ts";

/** Problems as an author reads them: the node, the code and the path. */
const reported = (change: Change): readonly string[] =>
  compileProcedure(changed(change), surroundings).problems.map(
    ({ nodeId = "-", path, code }) => `${nodeId} ${code} ${path}`,
  );

describe("one round of validation reports", () => {
  test("shapes, names and expressions of the same document, by path and with their nodes", () => {
    const change: Change = (document, node) => {
      Object.assign(document, { colour: "red" });
      Object.assign(node("vendor"), { connection: "legder", tittle: "Vendor" });
      node("size")["branches"] = [{ name: "large", when: "input.amont > args.limit" }];
      Object.assign(node("pay"), { action: "post_paymants", timeoutMs: "fast" });
      edge(document, "size", "large").at.branch = "lareg";
    };
    expect(reported(change)).toEqual([
      "vendor unknown_connection /nodes/1/connection",
      "vendor shape /nodes/1/tittle",
      "size expression /nodes/2/branches/0/when",
      "size expression /nodes/2/branches/0/when",
      "pay unknown_action /nodes/4/action",
      "pay shape /nodes/4/timeoutMs",
      "size unexpected_edge /edges/2/branch",
      "- shape /colour",
    ]);
    const messages = messagesOf(change);
    for (const meant of ["ledger", "title", "amount", "post_payments", "large"]) {
      expect(messages).toContain(`did you mean "${meant}"?`);
    }
  });

  test("faults within a node whose shape is broken in other fields", () => {
    const change: Change = (_document, node) => {
      Object.assign(node("pay"), {
        kind: "toolcall",
        retry: { maxAttempts: "5" },
        arguments: { vendorId: "{{ input.vendrId }}", amount: "{{ input.amount }}" },
        guards: [{ check: "args.amont < 5", otherwise: "revew" }],
      });
      delete node("approve")["covers"];
    };
    expect(reported(change)).toEqual([
      "pay shape /nodes/4/kind",
      "pay expression /nodes/4/arguments/vendorId",
      "pay expression /nodes/4/guards/0/check",
      "pay shape /nodes/4/guards/0/otherwise",
      "pay shape /nodes/4/retry/maxAttempts",
    ]);
    expect(messagesOf(change)).toContain('did you mean "review"?');
  });

  test("faults within a node without an id", () => {
    const change: Change = (_document, node) => {
      const pay = node("pay");
      delete node("approve")["covers"];
      delete pay["id"];
      pay["action"] = "nothing_like_it";
    };
    expect(reported(change)).toEqual(["- unknown_action /nodes/4/action", "- shape /nodes/4/id"]);
  });
});

describe("a problem that follows from another is not reported beside it:", () => {
  test.each<[string, Change, readonly string[]]>([
    [
      "a required field that is present under a misspelt name",
      (_document, node) => {
        const { action, ...others } = node("vendor");
        const vendor = node("vendor");
        for (const name of Object.keys(vendor)) if (!(name in others)) Reflect.deleteProperty(vendor, name);
        vendor["acton"] = action;
      },
      ["shape /nodes/1/acton"],
    ],
    [
      "settings of an agent whose instructions are misspelt",
      (_document, node) => Object.assign(node("vendor"), { instrutions: "Look.", maxCalls: 2 }),
      ["shape /nodes/1/instrutions"],
    ],
    [
      "missing edges, unreachable nodes and approvals, for a misspelt end of an edge",
      (document) => (edge(document, "approve").at.to = "apy"),
      ["unknown_node /edges/4/to"],
    ],
    [
      "the same, for a completely different name",
      (document) => (edge(document, "start").at.to = "beginning"),
      ["unknown_node /edges/0/to"],
    ],
    [
      "unreachable nodes after a missing edge",
      (document) => document.edges.splice(edge(document, "start").index, 1),
      ["missing_edge /nodes/0"],
    ],
    [
      "the branch without an edge because of a misspelt one",
      (document) => (edge(document, "size", "normal").at.branch = "norml"),
      ["unexpected_edge /edges/3/branch"],
    ],
    [
      "the branch without an edge because of another name",
      (document) => (edge(document, "size", "normal").at.branch = "small"),
      ["unexpected_edge /edges/3/branch"],
    ],
    [
      "the edges of a condition with unreadable branches",
      (_document, node) => (node("size")["branches"] = "large"),
      ["shape /nodes/2/branches"],
    ],
    [
      "edges and expressions that name a node with an unreadable id",
      (_document, node) => (node("vendor")["id"] = 7),
      ["shape /nodes/1/id"],
    ],
    [
      "edges to a node with another one's id",
      (_document, node) => {
        node("vendor")["id"] = "start";
      },
      ["duplicate_id /nodes/1/id"],
    ],
    [
      "an argument that is present under a misspelt name",
      (_document, node) => (node("pay")["arguments"] = { vendorIdd: "{{ input.vendorId }}", amount: 5 }),
      ["arguments /nodes/4/arguments/vendorIdd"],
    ],
    ["fields of the input, for an unreadable schema", (document) => (document.input = [] as never), ["shape /input"]],
    [
      "the length of a list with a broken item",
      (document) => document.edges.push({ from: "pay" } as never),
      ["shape /edges/7/to"],
    ],
    [
      "the other nodes of a loop without an exit",
      (document) => {
        const call = { kind: "tool_call", connection: "ledger", action: "get_vendors_id", arguments: { id: "1" } };
        document.nodes.push({ id: "a", ...call }, { id: "b", ...call });
        edge(document, "size", "normal").at.to = "a";
        document.edges.push({ from: "a", to: "b" }, { from: "b", to: "a" });
      },
      ["no_way_to_end /nodes/7"],
    ],
    [
      "nodes that are reachable only from an unreachable node",
      (document) => {
        const call = { kind: "tool_call", connection: "ledger", action: "get_vendors_id", arguments: { id: "1" } };
        document.nodes.push({ id: "a", ...call }, { id: "b", ...call });
        document.edges.push({ from: "b", to: "a" }, { from: "a", to: "done" });
      },
      ["unreachable /nodes/8"],
    ],
  ])("%s", (_name, change, expected) => {
    expect(problemsOf(change)).toEqual(expected);
  });
});

test("reports missing edges beside a misspelt edge that cannot account for all of them", () => {
  expect(
    problemsOf((document) => {
      edge(document, "size", "normal").at.branch = "small";
      document.edges.splice(edge(document, "size", "large").index, 1);
    }),
  ).toEqual(["missing_edge /nodes/2", "missing_edge /nodes/2", "unexpected_edge /edges/2/branch"]);
});

test("reports a name without its prefix together with the prefix", () => {
  const message = (when: string): string =>
    messagesOf((_document, node) => (node("size")["branches"] = [{ name: "large", when }]));
  expect(message("amount > 5")).toContain('There is no "amount" here; did you mean input.amount?');
  expect(message("vendor.output.name == 'x'")).toContain("did you mean nodes.vendor?");
  expect(message("total > 5")).toContain('known are "input", "nodes", "run"');
  expect(message("agrs.x > 5")).not.toContain("args");
});

test("offers args to a guard, but not to other expressions", () => {
  const guard = messagesOf(
    (_document, node) => (node("pay")["guards"] = [{ check: "arg.amount > 5", otherwise: "fail" }]),
  );
  expect(guard).toContain('did you mean "args"?');
});

test("reports the position of an expression's problem within its text", () => {
  const compiled = compileProcedure(
    changed((_document, node) => {
      node("approve")["title"] = "Pay {{ input.amont }} to {{ nodes.vndor.output.name }}?";
    }),
    surroundings,
  );
  expect(compiled.problems).toMatchObject([{ offset: 7 }, { offset: 28 }]);
});

test("a document without problems has none, in any order of its members", () => {
  const { nodes, ...others } = vendorPayment();
  expect(compileProcedure({ nodes, ...others }, surroundings)).toMatchObject({ ok: true, problems: [] });
});

describe("a document with lists that are too short or too long is checked to its items:", () => {
  const items = (count: number, item: unknown): unknown[] => Array.from({ length: count }, () => item);

  test("the only node that is there", () => {
    const change: Change = (document) => {
      document.nodes = [{ id: "pay", kind: "condition", branches: [{ name: "large", when: 5 }], otherwise: 1 }];
      document.edges = [];
    };
    expect(reported(change)).toEqual(
      expect.arrayContaining([
        "- shape /nodes",
        "pay shape /nodes/0/branches/0/when",
        "pay shape /nodes/0/otherwise",
        "- start_count /nodes",
      ]),
    );
  });

  test.each<[string, Change, string]>([
    [
      "nodes",
      (document) => Object.assign(document, { nodes: items(5_001, { id: 1, kind: "condition", branches: 1 }) }),
      "/nodes",
    ],
    ["edges", (document) => Object.assign(document, { edges: items(20_001, { from: 1, to: [] }) }), "/edges"],
    ["branches", (_document, node) => (node("size")["branches"] = items(51, { when: 5 })), "/nodes/2/branches"],
    ["guards", (_document, node) => (node("pay")["guards"] = items(21, 5)), "/nodes/4/guards"],
    [
      "roles",
      (_document, node) => (node("approve")["reviewers"] = { roles: items(51, 5), people: items(201, {}) }),
      "/nodes/3/reviewers/roles",
    ],
    [
      "reviews that are excluded",
      (_document, node) => (node("approve")["excludeApproversOf"] = items(21, 5)),
      "/nodes/3",
    ],
  ])("too many %s with items of the wrong type", (_name, change, path) => {
    expect(reported(change).some((problem) => problem.includes(` shape ${path}`))).toBe(true);
  });
});

test("a node without a kind is checked as the kind that its type or its fields suggest", () => {
  const change: Change = (_document, node) => {
    const { kind, ...pay } = node("pay");
    Object.assign(node("pay"), { ...pay, type: kind, action: "post_paymants" });
    delete node("pay")["kind"];
    node("size")["branches"] = [{ name: "large", when: "input.amont > 1" }];
    delete node("size")["kind"];
  };
  const problems = reported(change);
  for (const problem of [
    "size expression /nodes/2/branches/0/when",
    "size shape /nodes/2/kind",
    "pay unknown_action /nodes/4/action",
    "pay shape /nodes/4/kind",
  ]) {
    expect(problems).toContain(problem);
  }
});

test("the search for similar names stays below quadratic time if a node has no id", () => {
  const nodes: JsonObject[] = Array.from({ length: 4_000 }, (_, index) => ({
    ...{ id: `node_number_${index}`, kind: "human_review", title: "Pay?", covers: `other_number_${index}` },
    excludeApproversOf: Array.from({ length: 20 }, (_one, other) => `other_number_${index}_${other}`),
  }));
  const document = { ...vendorPayment(), nodes: [...nodes, { kind: "end" }], edges: [] };
  expect(compileProcedure(document, surroundings).problems.length).toBeGreaterThan(0);
});
