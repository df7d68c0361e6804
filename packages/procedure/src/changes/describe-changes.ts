/*
 * The differences between two documents, for people who publish, compare and review versions.
 *
 *   document-change.ts      the kinds of changes
 *   node-renames.ts         nodes that have another id only; node-references.ts: the places that refer to a node
 *   align-lists.ts          pairs of nodes and edges; member-differences.ts: the members in which a pair differs
 *   change-sentence.ts      a change in words
 */
import type { JsonValue, ProcedureDocument, ProcedureEdge, ProcedureNode } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { alignLists, type AlignmentKey } from "./align-lists.ts";
import type { DocumentChange } from "./document-change.ts";
import { memberDifferences } from "./member-differences.ts";
import { mapNodeIds } from "./node-references.ts";
import { findNodeRenames, type PlainDocument, type PlainNode } from "./node-renames.ts";

/**
 * Describes the changes that lead from one document to another: none if and only if the documents are equal. The order
 * of nodes, of edges and of the members of an object has no meaning and is not compared. The changes are in the order
 * of the later document; a removed node or edge stands behind the one that it followed. Pure.
 *
 * A node whose id alone changed is one change, which includes every reference to the node. A node that keeps its id
 * with another kind was removed and added.
 *
 * @example
 * ```ts
 * import type { ProcedureDocument } from "@procedo/contract";
 * import { describeChanges, sentenceOf } from "@procedo/procedure";
 *
 * function printChanges(before: ProcedureDocument, after: ProcedureDocument): void {
 *   for (const change of describeChanges(before, after)) console.log(change.path, sentenceOf(change));
 * }
 * ```
 */
export function describeChanges(before: ProcedureDocument, after: ProcedureDocument): readonly DocumentChange[] {
  const was = plain(before);
  const is = plain(after);
  const renames = findNodeRenames(was, is);
  const expected = renames.size === 0 ? was : (mapNodeIds(was, (id) => renames.get(id) ?? id) as PlainDocument);
  const names = new Set([...Object.keys(is), ...Object.keys(was)]);
  return [...names].flatMap((name) => {
    if (name === "nodes") return nodeChanges(withExpected(was.nodes, expected.nodes), is.nodes);
    if (name === "edges") return edgeChanges(withExpected(was.edges, expected.edges), is.edges);
    return memberChanges(was[name], expected[name], is[name], [name]);
  });
}

/** A copy without members that are `undefined`, and with 0 for -0, which are one number in JSON. */
function plain(document: ProcedureDocument): PlainDocument {
  return JSON.parse(JSON.stringify(document)) as PlainDocument;
}

/** A part of the earlier document, also with the references to renamed nodes replaced. */
interface Former<Part> {
  readonly was: Part;
  readonly expected: Part;
}

function withExpected<Part>(was: readonly Part[], expected: readonly Part[]): readonly Former<Part>[] {
  return was.map((part, index) => ({ was: part, expected: expected[index] ?? part }));
}

function keyOf<Part>(key: (part: Part) => string): AlignmentKey<Former<Part>, Part> {
  return { before: ({ expected }) => key(expected), after: key };
}

const nodeKeys = [keyOf((node: PlainNode) => JSON.stringify([node.id, node.kind]))];

function nodeChanges(former: readonly Former<PlainNode>[], nodes: readonly PlainNode[]): readonly DocumentChange[] {
  return alignLists(former, nodes, nodeKeys).flatMap((aligned): readonly DocumentChange[] => {
    const place = ["nodes", aligned.at];
    const path = jsonPointer(place);
    switch (aligned.kind) {
      case "added":
        return [{ kind: "node_added", path, nodeId: aligned.after.id, node: nodeOf(aligned.after) }];
      case "removed": {
        const { was } = aligned.before;
        return [{ kind: "node_removed", path, nodeId: was.id, node: nodeOf(was) }];
      }
      case "kept": {
        const { before, after } = aligned;
        const nodeId = after.id;
        const changes = memberChanges(before.was, before.expected, after, place, nodeId);
        if (before.was.id === nodeId) return changes;
        return [{ kind: "node_renamed", path, nodeId, before: before.was.id, node: nodeOf(after) }, ...changes];
      }
    }
  });
}

function nodeOf(node: PlainNode): ProcedureNode {
  return node as unknown as ProcedureNode;
}

const branchOf = ({ from, branch }: ProcedureEdge): string => JSON.stringify([from, branch ?? null]);
const edgeKeys = [keyOf((edge: ProcedureEdge) => JSON.stringify([branchOf(edge), edge.to])), keyOf(branchOf)];

function edgeChanges(
  former: readonly Former<ProcedureEdge>[],
  edges: readonly ProcedureEdge[],
): readonly DocumentChange[] {
  return alignLists(former, edges, edgeKeys).flatMap((aligned): readonly DocumentChange[] => {
    const path = jsonPointer(["edges", aligned.at]);
    switch (aligned.kind) {
      case "added":
        return [{ kind: "edge_added", path, nodeId: aligned.after.from, edge: aligned.after }];
      case "removed": {
        const { was } = aligned.before;
        return [{ kind: "edge_removed", path, nodeId: was.from, edge: was }];
      }
      case "kept": {
        const { before, after: edge } = aligned;
        if (before.expected.to === edge.to) return [];
        return [{ kind: "edge_redirected", path, nodeId: edge.from, before: before.was.to, edge }];
      }
    }
  });
}

function memberChanges(
  was: JsonValue | undefined,
  expected: JsonValue | undefined,
  is: JsonValue | undefined,
  place: readonly (string | number)[],
  nodeId?: string,
): readonly DocumentChange[] {
  return memberDifferences(was, expected, is, place).map(({ path, ...values }) => ({
    kind: "member_changed",
    path: jsonPointer(path),
    ...(nodeId !== undefined && { nodeId }),
    ...values,
  }));
}
