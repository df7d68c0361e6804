import type { Graph } from "./graph.ts";
import type { Report } from "./report.ts";

/** Reports how many starts and ends there are, nodes that no run reaches, and nodes from which no run can end. */
export function checkReachability(graph: Graph, allEdgesKnown: boolean, report: Report): void {
  const { nodes } = graph;
  const unread = nodes.some(({ kind }) => kind === undefined);
  const starts = positionsOf(graph, "start");
  const ends = positionsOf(graph, "end");
  if (starts.length === 0 && !unread) {
    report.error("/nodes", "start_count", 'There is no start node; add { "id": "start", "kind": "start" }.');
  }
  for (const position of starts.slice(1)) {
    const node = nodes[position];
    if (node !== undefined) {
      report.error(node.path, "start_count", `"${node.id}" is a second start node; a procedure has exactly one.`);
    }
  }
  if (ends.length === 0 && !unread) {
    report.error("/nodes", "missing_end", 'There is no end node; add { "id": "done", "kind": "end" }.');
  }
  // Ways that could not be read might lead anywhere.
  if (!allEdgesKnown || starts.length === 0) return;

  const forward = graph.exits.map((exits) => [...exits.values()]);
  const reached = reachedFrom(starts, forward);
  // A node that could not be read may be an end, and a way that is missing may lead to one.
  const endings = [...ends, ...graph.incomplete, ...nodes.flatMap(({ node }, at) => (node === undefined ? [at] : []))];
  const ending = endings.length === 0 ? undefined : reachedFrom(endings, reversed(forward));
  for (const [position, node] of nodes.entries()) {
    if (reached[position] !== 1) {
      report.error(
        node.path,
        "unreachable",
        `No way leads from the start to "${node.id}"; add an edge to it or remove it.`,
      );
    } else if (ending?.[position] === 0) {
      report.error(node.path, "no_way_to_end", `No way leads from "${node.id}" to an end; add one out of the loop.`);
    }
  }
}

function positionsOf(graph: Graph, kind: "start" | "end"): number[] {
  return graph.nodes.flatMap((node, position) => (node.kind === kind ? [position] : []));
}

/** 1 for every position that a way leads to from one of `roots`, they among them; else 0. */
export function reachedFrom(roots: readonly number[], to: readonly (readonly number[])[]): Uint8Array {
  const reached = new Uint8Array(to.length);
  const open = [...roots];
  for (const root of roots) reached[root] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of to[at] ?? []) {
      if (reached[next] === 1) continue;
      reached[next] = 1;
      open.push(next);
    }
  }
  return reached;
}

/**
 * Which of these ways do not exist, whatever lies between their ends. 31 beginnings walk the graph together, a bit each, so
 * a thousand of them cost little more than thirty.
 */
export function waysMissing<Way extends { readonly from: number; readonly to: number }>(
  ways: readonly Way[],
  to: readonly (readonly number[])[],
): ReadonlySet<Way> {
  const byStart = Map.groupBy(ways, ({ from }) => from);
  const starts = [...byStart.keys()];
  const missing = new Set<Way>();
  for (let first = 0; first < starts.length; first += 31) {
    const group = starts.slice(first, first + 31);
    const masks = new Int32Array(to.length);
    const open: number[] = [];
    const mark = (positions: readonly number[], mask: number) => {
      for (const position of positions) {
        const marked = masks[position] ?? 0;
        if ((marked | mask) === marked) continue;
        masks[position] = marked | mask;
        open.push(position);
      }
    };
    for (const [bit, start] of group.entries()) mark(to[start] ?? [], 1 << bit);
    for (let at = open.pop(); at !== undefined; at = open.pop()) mark(to[at] ?? [], masks[at] ?? 0);
    for (const [bit, start] of group.entries()) {
      for (const way of byStart.get(start) ?? []) {
        if (((masks[way.to] ?? 0) & (1 << bit)) === 0) missing.add(way);
      }
    }
  }
  return missing;
}

export function reversed(to: readonly (readonly number[])[]): number[][] {
  const from: number[][] = to.map(() => []);
  for (const [position, successors] of to.entries()) {
    for (const next of successors) from[next]?.push(position);
  }
  return from;
}
