import type { JsonObject, ProcedureEdge, ProcedureNode } from "@procedo/contract";
import { canonicalText } from "../schemas/json-equality.ts";
import { mapIdsOfNode, mapNodeIds } from "./node-references.ts";

/** New ids of renamed nodes, by their former ids. */
export type NodeRenames = ReadonlyMap<string, string>;

/** A node as plain JSON. */
export type PlainNode = JsonObject & Pick<ProcedureNode, "id" | "kind">;

/** A document as plain JSON. */
export type PlainDocument = JsonObject & {
  readonly nodes: readonly PlainNode[];
  readonly edges: readonly ProcedureEdge[];
};

/** Stands for any id that only one document has. No id contains it. */
const anyId = "*";

/** Maximum number of times that pairs which do not fit are dropped. Each time costs as much as reading the document. */
const maxRounds = 4;

/**
 * Finds the nodes that have another id and the same content otherwise. A node whose former id is still referred to
 * counts as removed, not as renamed.
 */
export function findNodeRenames(before: PlainDocument, after: PlainDocument): NodeRenames {
  const gone = onlyIn(before, after);
  const fresh = onlyIn(after, before);
  if (gone.size === 0 || fresh.size === 0) return new Map();
  const mentioned = mentionedIds(after);
  const candidates = Map.groupBy(
    before.nodes.filter(({ id }) => gone.has(id) && !mentioned.has(id)),
    (node) => contentOf(node, (id) => (gone.has(id) ? anyId : id)),
  );
  let pairs: (readonly [from: PlainNode, to: PlainNode])[] = [];
  for (const node of after.nodes) {
    if (!fresh.has(node.id)) continue;
    const from = candidates.get(contentOf(node, (id) => (fresh.has(id) ? anyId : id)))?.shift();
    if (from !== undefined) pairs.push([from, node]);
  }
  // Two nodes may be alike except for the renamed nodes that they refer to.
  for (let round = 0; round < maxRounds; round++) {
    const renames = new Map(pairs.map(([from, to]) => [from.id, to.id]));
    const fitting = pairs.filter(
      ([from, to]) => contentOf(from, (id) => renames.get(id) ?? id) === contentOf(to, (id) => id),
    );
    if (fitting.length === pairs.length) return renames;
    pairs = fitting;
  }
  return new Map();
}

/** The ids of `document` that `other` lacks. An id of several nodes, which only a draft can have, is left out. */
function onlyIn(document: PlainDocument, other: PlainDocument): ReadonlySet<string> {
  const others = new Set(other.nodes.map(({ id }) => id));
  const byId = Map.groupBy(document.nodes, ({ id }) => id);
  return new Set([...byId].filter(([id, nodes]) => nodes.length === 1 && !others.has(id)).map(([id]) => id));
}

function mentionedIds(document: PlainDocument): ReadonlySet<string> {
  const ids = new Set<string>();
  mapNodeIds(document, (id) => {
    ids.add(id);
    return id;
  });
  return ids;
}

function contentOf(node: JsonObject, mapId: (id: string) => string): string {
  return canonicalText(mapIdsOfNode(node, mapId), () => undefined);
}
