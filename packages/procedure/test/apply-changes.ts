import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue, ProcedureDocument, ProcedureEdge } from "@procedo/contract";
import { pointerTokens } from "@procedo/contract/syntax";
import type { DocumentChange, MemberChanged } from "@procedo/procedure";
import { mapNodeIds } from "../src/changes/node-references.ts";
import { canonicalText } from "../src/schemas/json-equality.ts";

type Mutable = Record<string, JsonValue> & { nodes: Record<string, JsonValue>[]; edges: ProcedureEdge[] };
type Of<Kind extends DocumentChange["kind"]> = Extract<DocumentChange, { readonly kind: Kind }>;

/** A document as it is compared: the order of nodes and edges has no meaning. */
export function unordered(document: object): unknown {
  const { nodes, edges, ...rest } = plain(document);
  const sorted = (parts: readonly object[]): readonly string[] =>
    parts.map((part) => canonicalText(part as JsonObject, () => undefined)).sort();
  return { ...rest, nodes: sorted(nodes), edges: sorted(edges) };
}

/** The document to which the changes lead from `before`. */
export function applyChanges(before: ProcedureDocument, changes: readonly DocumentChange[]): object {
  const of = <Kind extends DocumentChange["kind"]>(kind: Kind): readonly Of<Kind>[] =>
    changes.filter((change): change is Of<Kind> => change.kind === kind);
  const renames = new Map(of("node_renamed").map((change) => [change.before, change.nodeId]));
  const renamed = (id: string): string => renames.get(id) ?? id;
  const document = plain(mapNodeIds(plain(before), renamed));

  for (const { node } of of("node_removed")) {
    const at = document.nodes.findIndex(({ id, kind }) => id === node.id && kind === node.kind);
    if (at === -1) throw new Error(`There is no node ${node.id} to remove.`);
    document.nodes.splice(at, 1);
  }
  document.nodes.push(...of("node_added").map(({ node }) => plain(node)));

  const edgeAt = ({ to, ...rest }: ProcedureEdge): number => {
    const edge = { ...rest, from: renamed(rest.from), to: renamed(to) };
    const at = document.edges.findIndex((one) => isDeepStrictEqual(plain(one), plain(edge)));
    if (at === -1) throw new Error(`There is no edge ${JSON.stringify(edge)}.`);
    return at;
  };
  for (const { edge } of of("edge_removed")) document.edges.splice(edgeAt(edge), 1);
  const redirected = of("edge_redirected").map((change) => ({
    at: edgeAt({ ...change.edge, to: change.before }),
    edge: change.edge,
  }));
  for (const { at, edge } of redirected) document.edges[at] = edge;
  document.edges.push(...of("edge_added").map(({ edge }) => edge));

  for (const change of of("member_changed")) {
    const [, , ...within] = pointerTokens(change.path);
    const node = document.nodes.find(({ id }) => id === change.nodeId);
    if (change.nodeId === undefined) setMember(document, pointerTokens(change.path), change);
    else setMember(node, within, change);
  }
  return document;
}

function setMember(whole: unknown, path: readonly string[], { before, after }: MemberChanged): void {
  const name = path.at(-1) ?? "";
  const owner = path.slice(0, -1).reduce((value, token) => (value as Record<string, unknown>)[token], whole);
  const members = owner as Record<string, unknown>;
  // Renamed references in `before` are the rename's own change.
  if (Object.hasOwn(members, name) !== (before !== undefined)) throw new Error(`${path.join("/")} does not fit.`);
  if (after === undefined) delete members[name];
  else members[name] = after;
}

function plain<Value extends object>(value: Value): Mutable {
  return JSON.parse(JSON.stringify(value)) as Mutable;
}
