import { describe, expect, it } from "vitest";
import { edge, problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings, vendorPayment } from "../../test/vendor-payment.ts";
import { compileProcedure } from "./compile-procedure.ts";

describe("the flowchart", () => {
  it.each<[string, Change, string[]]>([
    [
      "two nodes with one id",
      (document) => document.nodes.push({ id: "done", kind: "end" }),
      ["duplicate_id /nodes/7/id"],
    ],
    [
      "an id that every object inherits",
      (document) => document.nodes.push({ id: "constructor", kind: "end" }),
      ["shape /nodes/7/id", "unreachable /nodes/7"],
    ],
    [
      "no start",
      (document) => (document.nodes = document.nodes.slice(1)),
      ["unknown_node /edges/0/from", "start_count /nodes"],
    ],
    [
      "two starts",
      (document) => {
        document.nodes.push({ id: "again", kind: "start" });
        document.edges.push({ from: "again", to: "vendor" });
      },
      ["start_count /nodes/7"],
    ],
    ["an unreachable node", (document) => document.nodes.push({ id: "lost", kind: "end" }), ["unreachable /nodes/7"]],
    [
      "a loop without an exit",
      (document) => {
        document.nodes.push({
          id: "a",
          kind: "tool_call",
          connection: "ledger",
          action: "get_vendors_id",
          arguments: { id: "1" },
        });
        edge(document, "size", "normal").at.to = "a";
        document.edges.push({ from: "a", to: "a" });
      },
      ["no_way_to_end /nodes/7"],
    ],
    [
      "a node without an outgoing edge",
      (document) => document.edges.splice(edge(document, "approve").index, 1),
      ["missing_edge /nodes/3"],
    ],
    [
      "a branch without an edge",
      (document) => document.edges.splice(edge(document, "size", "normal").index, 1),
      ["missing_edge /nodes/2"],
    ],
    [
      "two edges for one branch",
      (document) => document.edges.push({ from: "pay", to: "refused" }),
      ["duplicate_edge /edges/7"],
    ],
    [
      "an edge out of an end",
      (document) => document.edges.push({ from: "done", to: "pay" }),
      ["unexpected_edge /edges/7/from"],
    ],
    [
      "an edge into the start",
      (document) => document.edges.push({ from: "pay", branch: "rejected", to: "start" }),
      ["unexpected_edge /edges/7/to"],
    ],
    [
      "an unknown branch of a node",
      (document) => document.edges.push({ from: "size", branch: "huge", to: "pay" }),
      ["unexpected_edge /edges/7/branch"],
    ],
    [
      "a branch of a node without any",
      (document) => document.edges.push({ from: "approve", branch: "rejected", to: "refused" }),
      ["unexpected_edge /edges/7/branch"],
    ],
    [
      "an edge of a condition without a branch",
      (document) => document.edges.push({ from: "size", to: "pay" }),
      ["unexpected_edge /edges/7"],
    ],
    [
      "edges to and from unknown nodes",
      (document) => document.edges.push({ from: "nobody", to: "nowhere" }),
      ["unknown_node /edges/7/from", "unknown_node /edges/7/to"],
    ],
  ])("with %s is refused at that place", (_name, change, expected) => {
    expect(problemsOf(change).sort()).toEqual(expected.sort());
  });

  it("without any end is refused", () => {
    expect(
      compileProcedure(
        {
          ...vendorPayment(),
          nodes: [
            { id: "start", kind: "start" },
            { id: "size", kind: "condition", branches: [{ name: "a", when: "true" }], otherwise: "b" },
          ],
          edges: [
            { from: "start", to: "size" },
            { from: "size", branch: "a", to: "size" },
            { from: "size", branch: "b", to: "size" },
          ],
        },
        surroundings,
      ).problems.map(({ path, code }) => `${code} ${path}`),
    ).toEqual(["missing_end /nodes"]);
  });

  it("may leave a tool call by error and rejected, and loop back", () => {
    expect(problemsOf((document) => document.edges.push({ from: "pay", branch: "rejected", to: "vendor" }))).toEqual(
      [],
    );
  });
});
