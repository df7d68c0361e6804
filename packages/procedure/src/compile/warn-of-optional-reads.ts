import type { JsonObject, JsonValue, ProcedureNode } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { findDominators } from "./dominators.ts";
import type { Graph } from "./graph.ts";
import { parseExpression } from "../expressions/syntax.ts";
import { optionalReads, optionalReadsOfTemplate, pathsAskedFor, type ReadableSchemas } from "./optional-reads.ts";
import type { Report } from "./report.ts";

/**
 * Warns of values that a node reads and that may be missing when the node is reached: optional inputs and outputs, and
 * outputs of nodes that some paths avoid. Such a document works only until a value is left out.
 */
export function warnOfOptionalReads(
  graph: Graph,
  input: JsonObject | undefined,
  outputs: ReadonlyMap<string, JsonObject | undefined>,
  report: Report,
): void {
  const start = graph.nodes.findIndex(({ kind }) => kind === "start");
  if (start === -1) return;
  const dominates = findDominators(
    start,
    graph.exits.map((exits) => [...exits.values()]),
  );
  const conditions = graph.nodes.flatMap(({ node }) => (node?.kind === "condition" ? node.branches : []));
  // A condition that does not parse may check any path.
  if (conditions.some(({ when }) => when !== undefined && "problem" in parseExpression(when))) return;
  const asked = new Set(conditions.flatMap(({ when }) => (when === undefined ? [] : [...pathsAskedFor(when)])));
  for (const [position, { path, node }] of graph.nodes.entries()) {
    if (node === undefined) continue;
    const schemas: ReadableSchemas = {
      input,
      output: (nodeId) => outputs.get(nodeId),
      mayLeaveOutAll: (nodeId) => graph.nodes[graph.positions.get(nodeId) ?? -1]?.kind === "human_review",
      isAlwaysVisited: (nodeId) => {
        const gate = graph.positions.get(nodeId);
        return gate === undefined || dominates(gate, position);
      },
      asked,
    };
    const tell = (at: string, message: string): void => report.warning(path + at, "optional", message);
    for (const { at, source } of expressionsOf(node)) {
      for (const message of optionalReads(source, schemas)) tell(at, message);
    }
    for (const { at, template } of templatesOf(node)) {
      for (const read of optionalReadsOfTemplate(template, schemas)) tell(at + read.path, read.message);
    }
  }
}

function expressionsOf(node: ProcedureNode): readonly { readonly at: string; readonly source: string }[] {
  switch (node.kind) {
    case "tool_call": {
      const guards = (node.guards ?? []).map(({ check }, index) => ({
        at: jsonPointer(["guards", index, "check"]),
        source: check,
      }));
      const sums = (node.sumLimits ?? []).flatMap(({ sum, when }, index) => [
        { at: jsonPointer(["sumLimits", index, "sum"]), source: sum },
        ...(when === undefined ? [] : [{ at: jsonPointer(["sumLimits", index, "when"]), source: when }]),
      ]);
      return [...guards, ...sums];
    }
    case "condition":
      return node.branches.flatMap(({ when }, index) =>
        when === undefined ? [] : [{ at: jsonPointer(["branches", index, "when"]), source: when }],
      );
    default:
      return [];
  }
}

function templatesOf(node: ProcedureNode): readonly { readonly at: string; readonly template: JsonValue }[] {
  switch (node.kind) {
    case "end":
      return [{ at: jsonPointer(["output"]), template: node.output ?? {} }];
    case "tool_call":
      return [
        { at: jsonPointer(["arguments"]), template: node.arguments ?? {} },
        { at: jsonPointer(["emit", "data"]), template: node.emit?.data ?? {} },
      ];
    case "human_review":
      return [
        { at: jsonPointer(["title"]), template: node.title },
        { at: jsonPointer(["data"]), template: node.data ?? {} },
      ];
    default:
      return [];
  }
}
