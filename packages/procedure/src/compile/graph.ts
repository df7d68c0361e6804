import { nearestName } from "@procedo/contract";
import type { Draft, DraftEdge, DraftNode } from "./read-document.ts";
import type { Report } from "./report.ts";

/** The flowchart: nodes by position, and which position each way out leads to. */
export interface Graph {
  /** Nodes with different ids; of several with one id, the first. */
  readonly nodes: readonly DraftNode[];
  readonly positions: ReadonlyMap<string, number>;
  /** By position: the branch (`undefined` for the plain way on) and where it leads. */
  readonly exits: readonly ReadonlyMap<string | undefined, number>[];
  /** Positions of nodes that lack a way on which they need. */
  readonly incomplete: ReadonlySet<number>;
}

/** Looking for a similar name takes a while; whoever got more names than this wrong has another problem. */
const maxHints = 20;

/** Connects the nodes, reporting ids given twice and edges that cannot be. */
export function connect(draft: Draft, report: Report): Graph {
  const nodes: DraftNode[] = [];
  const positions = new Map<string, number>();
  for (const node of draft.nodes) {
    if (positions.has(node.id)) {
      report.error(`${node.path}/id`, "duplicate_id", `Another node has the id "${node.id}"; give each node its own.`);
    } else {
      positions.set(node.id, nodes.length);
      nodes.push(node);
    }
    if (node.id in Object.prototype) {
      report.error(`${node.path}/id`, "shape", `The id "${node.id}" is a reserved name; choose another one.`);
    }
  }
  const exits = nodes.map(() => new Map<string | undefined, number>());
  const names = [...positions.keys()];
  let hintsLeft = maxHints;
  const position = (draftEdge: DraftEdge, end: "from" | "to"): number | undefined => {
    const id = draftEdge.edge[end];
    const found = positions.get(id);
    if (found === undefined && draft.allIdsKnown) {
      hintsLeft -= 1;
      const hint = hintsLeft >= 0 ? `; ${nearestName(id, names)}` : ".";
      report.error(`${draftEdge.path}/${end}`, "unknown_node", `There is no node "${id}"${hint}`);
    }
    return found;
  };
  for (const draftEdge of draft.edges) {
    const from = position(draftEdge, "from");
    const to = position(draftEdge, "to");
    const source = from === undefined ? undefined : nodes[from];
    if (from === undefined || to === undefined || source === undefined) continue;
    if (!isPossible(draftEdge, source, nodes[to], report)) continue;
    const { branch } = draftEdge.edge;
    if (exits[from]?.has(branch) === true) {
      const way = branch === undefined ? "an edge" : `an edge for "${branch}"`;
      report.error(draftEdge.path, "duplicate_edge", `Node "${source.id}" already has ${way}; remove one of the two.`);
    } else {
      exits[from]?.set(branch, to);
    }
  }
  const incomplete = draft.allEdgesKnown ? reportMissing(nodes, exits, report) : new Set<number>();
  return { nodes, positions, exits, incomplete };
}

function isPossible({ path, edge }: DraftEdge, from: DraftNode, to: DraftNode | undefined, report: Report): boolean {
  let possible = true;
  const refuse = (place: string, message: string) => {
    report.error(path + place, "unexpected_edge", message);
    possible = false;
  };
  if (to?.kind === "start")
    refuse("/to", `No edge leads into the start node "${to.id}"; lead it to the node after it.`);
  const ways = waysOut(from);
  if (ways === undefined) return possible;
  const { branch } = edge;
  if (from.kind === "end") refuse("/from", `A run ends at "${from.id}", so no edge leaves it; remove the edge.`);
  else if (!ways.required.includes(branch) && !ways.optional.includes(branch)) {
    const names = [...ways.required, ...ways.optional].filter((name) => name !== undefined).map((name) => `"${name}"`);
    if (branch === undefined) refuse("", `An edge from "${from.id}" needs a branch: ${names.join(", ")}.`);
    else if (names.length === 0) refuse("/branch", `Node "${from.id}" has no branches; remove "branch".`);
    else refuse("/branch", `Node "${from.id}" has no branch "${branch}"; it may be ${names.join(", ")}.`);
  }
  return possible;
}

function reportMissing(
  nodes: readonly DraftNode[],
  exits: readonly ReadonlyMap<string | undefined, number>[],
  report: Report,
): ReadonlySet<number> {
  const incomplete = new Set<number>();
  for (const [position, node] of nodes.entries()) {
    for (const branch of waysOut(node)?.required ?? []) {
      if (exits[position]?.has(branch) === true) continue;
      incomplete.add(position);
      const what = branch === undefined ? "No edge leads on" : `No edge leads on from the branch "${branch}"`;
      const field = branch === undefined ? "" : `, "branch": ${JSON.stringify(branch)}`;
      report.error(
        node.path,
        "missing_edge",
        `${what} from "${node.id}"; add { "from": "${node.id}"${field}, "to": … }.`,
      );
    }
  }
  return incomplete;
}

interface Ways {
  readonly required: readonly (string | undefined)[];
  readonly optional: readonly (string | undefined)[];
}

/** The ways on that a node has; `undefined` when the node could not be read. */
function waysOut({ node }: DraftNode): Ways | undefined {
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
      const names = new Set(node.branches.map(({ name }) => name));
      if (node.otherwise !== undefined) names.add(node.otherwise);
      return { required: [...names], optional: [] };
    }
  }
}
