/* Edits of the flowchart: steps come in, go and move, and the ways around them close. */
import type { ProcedureDocument, ProcedureEdge, ProcedureNode } from "@procedo/contract";
import { isAt, targetOf, waysOf, type Place } from "./ways.ts";

/** Lets a way lead to a step, or nowhere. */
export function connect(document: ProcedureDocument, from: Place, to: string | undefined): ProcedureDocument {
  const { edges } = document;
  const present = edges.filter((edge) => isAt(edge, from));
  if (to === undefined) {
    return present.length === 0 ? document : { ...document, edges: edges.filter((edge) => !isAt(edge, from)) };
  }
  const [first] = present;
  if (first === undefined) return { ...document, edges: [...edges, edgeOf(from, to)] };
  if (present.length === 1 && first.to === to) return document;
  // A second edge of the same way is a fault that only a document from elsewhere has.
  const kept = edges.filter((edge) => edge === first || !isAt(edge, from));
  return { ...document, edges: kept.map((edge) => (edge === first ? edgeOf(from, to) : edge)) };
}

/** Puts a step of the document, which no edge leads to, behind a way. The steps that followed come after it. */
export function insertAfter(document: ProcedureDocument, node: ProcedureNode, after: Place): ProcedureDocument {
  const next = targetOf(document, after);
  const led = connect(document, after, node.id);
  if (next === undefined || next === node.id) return led;
  const main = mainTarget(document, node);
  return waysOf(node)
    .filter(({ isRequired }) => isRequired)
    .map(({ branch }): Place => ({ nodeId: node.id, branch }))
    .filter((place) => targetOf(document, place) === main)
    .reduce((before, place) => connect(before, place, next), led);
}

/** Takes a step out. The ways to it then lead to the step that followed, by its first way where it has several. */
export function detach(document: ProcedureDocument, node: ProcedureNode): ProcedureDocument {
  const next = mainTarget(document, node);
  const edges = document.edges.flatMap((edge): readonly ProcedureEdge[] => {
    if (edge.to !== node.id || edge.from === node.id) return [edge];
    return next === undefined ? [] : [{ ...edge, to: next }];
  });
  return { ...document, edges };
}

/** The document without a step and the edges that leave it. */
export function withoutNode(document: ProcedureDocument, nodeId: string): ProcedureDocument {
  return {
    ...document,
    nodes: document.nodes.filter(({ id }) => id !== nodeId),
    edges: document.edges.filter(({ from, to }) => from !== nodeId && to !== nodeId),
  };
}

/** Where a step leads, by the first of its ways that leads to another step. */
function mainTarget(document: ProcedureDocument, node: ProcedureNode): string | undefined {
  return waysOf(node)
    .map(({ branch }) => targetOf(document, { nodeId: node.id, branch }))
    .find((target) => target !== undefined && target !== node.id);
}

function edgeOf({ nodeId, branch }: Place, to: string): ProcedureEdge {
  return branch === undefined ? { from: nodeId, to } : { from: nodeId, to, branch };
}
