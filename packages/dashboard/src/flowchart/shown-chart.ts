import type { Version } from "../api/models.ts";
import type { ShownEdge, ShownNode } from "./flowchart.tsx";
import { runPath, type VisitedStep } from "./run-path.ts";

type Document = Version["document"];
type DocumentNode = Document["nodes"][number];

/** A document as a chart, with the path of a run where there is one. */
export function shownChart(
  { nodes, edges }: Pick<Document, "nodes" | "edges">,
  steps: readonly VisitedStep[] = [],
): { readonly nodes: readonly ShownNode[]; readonly edges: readonly ShownEdge[] } {
  const { visits, taken } = runPath(edges, steps);
  return {
    nodes: nodes.map((node): ShownNode => {
      const visited = visits.get(node.id);
      return {
        id: node.id,
        kind: node.kind,
        title: titleOf(node),
        detail: detailOf(node),
        isAgent: isAgent(node),
        status: visited?.status,
        visits: visited?.count ?? 0,
      };
    }),
    edges: edges.map((edge, index) => ({ ...edge, isTaken: taken.has(index) })),
  };
}

/** Titles of reviews are templates, which only a run fills: the chart shows their text. */
function titleOf(node: DocumentNode): string {
  return "title" in node && node.title !== undefined ? node.title : node.id;
}

function detailOf(node: DocumentNode): string | undefined {
  return node.kind === "tool_call" ? `${node.connection} · ${node.action}` : undefined;
}

function isAgent(node: DocumentNode): boolean {
  return "instructions" in node && node.instructions !== undefined;
}
