/* A document as its chart and its outline show it, with the path of a run where there is one. */
import { plainReading } from "@procedo/procedure";
import type { Version } from "../api/models.ts";
import type { ShownStatus } from "../ui/status-word.ts";
import { runPath, type VisitedStep } from "./run-path.ts";
import { plainTitle } from "./plain-title.ts";
import { valueNames } from "./value-names.ts";

type Document = Version["document"];
type DocumentNode = Document["nodes"][number];

export type NodeKind = DocumentNode["kind"];

export interface ShownNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly title: string;
  /** The action of a call, the question of an agent, or who decides. */
  readonly detail?: string | undefined;
  readonly isAgent: boolean;
  /** Of the latest visit; left out for a node without one. */
  readonly status?: ShownStatus | undefined;
  readonly visits: number;
}

export interface ShownEdge {
  readonly from: string;
  readonly to: string;
  readonly branch?: string | undefined;
  /** When the branch is taken, in words. */
  readonly when?: string | undefined;
  /** The expression that the words read. */
  readonly expression?: string | undefined;
  readonly isTaken: boolean;
}

export interface ShownChart {
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly ShownEdge[];
}

export function shownChart(
  document: Pick<Document, "nodes" | "edges" | "input">,
  steps: readonly VisitedStep[] = [],
): ShownChart {
  const { nodes, edges } = document;
  const conditionAt = branchConditions(document);
  const { visits, taken } = runPath(edges, steps);
  return {
    nodes: nodes.map((node): ShownNode => {
      const visited = visits.get(node.id);
      return {
        id: node.id,
        kind: node.kind,
        title: visited?.title ?? titleOf(node),
        detail: detailOf(node),
        isAgent: isAgent(node),
        status: visited?.status,
        visits: visited?.count ?? 0,
      };
    }),
    edges: edges.map((edge, index) => ({
      from: edge.from,
      to: edge.to,
      branch: edge.branch,
      ...conditionAt(edge.from, edge.branch),
      isTaken: taken.has(index),
    })),
  };
}

function titleOf(node: DocumentNode): string {
  if ("title" in node && node.title !== undefined) return plainTitle(node.title);
  return node.id;
}

function detailOf(node: DocumentNode): string | undefined {
  switch (node.kind) {
    case "tool_call":
      return `${node.connection} · ${node.action}`;
    case "condition":
      return node.question;
    case "human_review":
      return whoDecides(node);
    default:
      return undefined;
  }
}

function whoDecides({ reviewers, approvals = 1 }: Extract<DocumentNode, { kind: "human_review" }>): string {
  const named = [...(reviewers?.roles ?? []), ...(reviewers?.people ?? [])];
  const who = named.length === 0 ? "any reviewer" : named.join(", ");
  return approvals === 1 ? who : `${who}, ${approvals} approvals`;
}

function isAgent(node: DocumentNode): boolean {
  if (node.kind === "condition") return node.question !== undefined;
  return "instructions" in node && node.instructions !== undefined;
}

/** When a branch is taken: an expression in words, or the words for an agent. */
export function branchConditions(
  document: Pick<Document, "nodes" | "input">,
): (nodeId: string, branch: string | undefined) => Pick<ShownEdge, "when" | "expression"> {
  const names = valueNames(document as Parameters<typeof valueNames>[0]);
  const byId = new Map(document.nodes.map((node) => [node.id, node]));
  return (nodeId, branch) => {
    const node = byId.get(nodeId);
    if (node?.kind !== "condition") return {};
    if (branch === node.otherwise) return { when: "otherwise" };
    const { when: expression, description } = node.branches.find(({ name }) => name === branch) ?? {};
    return expression === undefined ? { when: description } : { when: plainReading(expression, names), expression };
  };
}
