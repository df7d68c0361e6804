import { meantName, nearestName } from "@procedo/contract";
import type { Draft, DraftEdge, DraftNode } from "./read-document.ts";
import type { Report } from "./report.ts";

/** The flowchart: nodes by position, and the target position of each outgoing edge. */
export interface Graph {
  /** Nodes with distinct ids. If several have the same id, only the first is included. */
  readonly nodes: readonly DraftNode[];
  readonly positions: ReadonlyMap<string, number>;
  /**
   * By position: the branch (`undefined` for the plain edge) and its target. A misspelt name counts as the name it
   * resembles.
   */
  readonly exits: readonly ReadonlyMap<string | undefined, number>[];
  /** Edges that were refused or could be read only in part. Any missing edge may be one of them. */
  readonly doubtful: readonly DoubtfulEdge[];
  /** Positions of nodes that may have an outgoing edge that is not in `exits`. */
  readonly open: ReadonlySet<number>;
  /** Number of missing edges. Each is reported or may be a doubtful edge. */
  readonly missing: number;
  /** Every node has an id of its own, so that an unknown id belongs to no node. */
  readonly allIdsKnown: boolean;
  /** All edges are known, so that conclusions from the graph do not merely repeat another problem. */
  readonly isCertain: boolean;
}

/** Positions of the edge's ends, as far as they are known. */
export interface DoubtfulEdge {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * Suggestions per document: the search for a similar name is slow, and a document with more wrong names has a larger
 * problem.
 */
const maxHints = 20;

/** Connects the nodes, and reports duplicate ids and impossible edges. */
export function connect(draft: Draft, report: Report): Graph {
  const { nodes, positions, repeated } = placeNodes(draft, report);
  const findEnd = createEndFinder(draft, positions, repeated, report);
  const exits = nodes.map(() => new Map<string | undefined, number>());
  const doubtful: DoubtfulEdge[] = [];
  const misspelt: { readonly from: number; readonly to: number; readonly branch: string }[] = [];
  for (const draftEdge of draft.edges) {
    const from = findEnd(draftEdge, "from");
    const to = findEnd(draftEdge, "to");
    const source = from === undefined ? undefined : nodes[from];
    if (from === undefined || to === undefined || source === undefined || !draftEdge.isWhole) {
      doubtful.push({ from, to });
      continue;
    }
    const { branch } = draftEdge.edge;
    const judged = judge(draftEdge, source, nodes[to], report);
    if (judged.meant !== undefined) misspelt.push({ from, to, branch: judged.meant });
    else if (!judged.isPossible) doubtful.push({ from, to });
    else if (exits[from]?.has(branch) !== true) exits[from]?.set(branch, to);
    else {
      doubtful.push({ from, to });
      // The id is used twice, so the edge may belong to the other node.
      if (repeated.has(source.id)) continue;
      const way = branch === undefined ? "an edge" : `an edge for "${branch}"`;
      report.error(draftEdge.path, "duplicate_edge", `Node "${source.id}" already has ${way}; remove one of the two.`);
    }
  }
  for (const { from, to, branch } of misspelt) {
    if (exits[from]?.has(branch) === true) doubtful.push({ from, to });
    else exits[from]?.set(branch, to);
  }
  const { open, missing } = reportMissing(nodes, exits, doubtful, report);
  const allIdsKnown = draft.allIdsKnown && repeated.size === 0;
  const isCertain = doubtful.length === 0 && open.size === 0 && allIdsKnown;
  return { nodes, positions, exits, doubtful, open, missing, allIdsKnown, isCertain };
}

function placeNodes(draft: Draft, report: Report) {
  const nodes: DraftNode[] = [];
  const positions = new Map<string, number>();
  const repeated = new Set<string>();
  for (const node of draft.nodes) {
    if (positions.has(node.id)) {
      repeated.add(node.id);
      report.error(
        `${node.path}/id`,
        "duplicate_id",
        `Another node has the id "${node.id}"; give each node its own id.`,
      );
    } else {
      positions.set(node.id, nodes.length);
      nodes.push(node);
    }
    if (node.id in Object.prototype) {
      report.shape(`${node.path}/id`, `The id "${node.id}" is a reserved name; choose another one.`);
    }
  }
  return { nodes, positions, repeated };
}

/** Finds the node at an edge's end. For a misspelt id, finds the node with the closest id. */
function createEndFinder(
  draft: Draft,
  positions: ReadonlyMap<string, number>,
  repeated: ReadonlySet<string>,
  report: Report,
): (draftEdge: DraftEdge, end: "from" | "to") => number | undefined {
  const names = [...positions.keys()];
  let hintsLeft = maxHints;
  return ({ path, edge }, end) => {
    const id = edge[end];
    const found = id === undefined ? undefined : positions.get(id);
    if (id === undefined || found !== undefined) return found;
    hintsLeft -= 1;
    const meant = hintsLeft >= 0 ? meantName(id, names) : undefined;
    // The id may belong to a node whose own id could not be read.
    if (meant === undefined && (!draft.allIdsKnown || repeated.size > 0)) return undefined;
    const hint = hintsLeft >= 0 ? `; ${nearestName(id, meant === undefined ? names : [meant])}` : ".";
    report.error(`${path}/${end}`, "unknown_node", `There is no node "${id}"${hint}`);
    return meant === undefined ? undefined : positions.get(meant);
  };
}

interface Judgement {
  readonly isPossible: boolean;
  /** The branch that a misspelt name resembles. */
  readonly meant?: string | undefined;
}

function judge({ path, edge }: DraftEdge, from: DraftNode, to: DraftNode | undefined, report: Report): Judgement {
  let isPossible = true;
  const refuse = (place: string, message: string): void => {
    report.error(path + place, "unexpected_edge", message);
    isPossible = false;
  };
  if (to?.kind === "start")
    refuse("/to", `An edge cannot lead into the start node "${to.id}"; connect it to the node after it.`);
  const ways = waysOut(from);
  if (ways === undefined) return { isPossible };
  const { branch } = edge;
  if (from.kind === "end") refuse("/from", `A run ends at "${from.id}", so an edge cannot leave it; remove the edge.`);
  else if (!ways.required.includes(branch) && !ways.optional.includes(branch)) {
    const names = [...ways.required, ...ways.optional].filter((name) => name !== undefined);
    const listed = names.map((name) => `"${name}"`).join(", ");
    const meant = branch === undefined ? undefined : meantName(branch, names);
    if (branch === undefined) refuse("", `An edge from "${from.id}" needs a branch: ${listed}.`);
    else if (names.length === 0) refuse("/branch", `Node "${from.id}" has no branches; remove "branch".`);
    else if (meant === undefined) refuse("/branch", `Node "${from.id}" has no branch "${branch}"; use ${listed}.`);
    else refuse("/branch", `Node "${from.id}" has no branch "${branch}"; did you mean "${meant}"?`);
    return { isPossible, meant };
  }
  return { isPossible };
}

/** Reports missing edges, unless a refused edge may be the missing one. */
function reportMissing(
  nodes: readonly DraftNode[],
  exits: readonly ReadonlyMap<string | undefined, number>[],
  doubtful: readonly DoubtfulEdge[],
  report: Report,
): { readonly open: ReadonlySet<number>; readonly missing: number } {
  const open = new Set<number>();
  let missing = 0;
  const fromAnywhere = doubtful.filter(({ from }) => from === undefined).length;
  const doubtfulFrom = Map.groupBy(doubtful, ({ from }) => from);
  for (const [position, node] of nodes.entries()) {
    const ways = waysOut(node);
    const lacking = (ways?.required ?? []).filter((branch) => exits[position]?.has(branch) !== true);
    if (ways === undefined || lacking.length > 0) open.add(position);
    missing += ways === undefined ? 1 : lacking.length;
    if (lacking.length <= fromAnywhere + (doubtfulFrom.get(position)?.length ?? 0)) continue;
    for (const branch of lacking) {
      const what = branch === undefined ? "No edge leads on" : `No edge leads on from the branch "${branch}"`;
      const field = branch === undefined ? "" : `, "branch": ${JSON.stringify(branch)}`;
      report.error(
        node.path,
        "missing_edge",
        `${what} from "${node.id}"; add { "from": "${node.id}"${field}, "to": … }.`,
      );
    }
  }
  for (const { from, to } of doubtful) if (from !== undefined && to === undefined) open.add(from);
  return { open, missing };
}

interface Ways {
  readonly required: readonly (string | undefined)[];
  readonly optional: readonly (string | undefined)[];
}

/** The outgoing branches that a node needs; `undefined` if they could not be read. */
function waysOut({ node, broken }: DraftNode): Ways | undefined {
  switch (node?.kind) {
    case undefined:
      return undefined;
    case "end":
      return { required: [], optional: [] };
    case "start":
    case "human_review":
      return { required: [undefined], optional: [] };
    case "tool_call":
      return { required: [undefined], optional: ["error", "rejected"] };
    case "condition": {
      if ([...broken].some((field) => /^\/(branches(\/\d+(\/name)?)?|otherwise)$/.test(field))) return undefined;
      const names = new Set(node.branches.map(({ name }) => name));
      if (node.otherwise !== undefined) names.add(node.otherwise);
      return { required: [...names], optional: [] };
    }
  }
}
