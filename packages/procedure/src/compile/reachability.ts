import type { Graph } from "./graph.ts";
import type { Report } from "./report.ts";

/**
 * Reports a wrong number of start or end nodes, unreachable nodes, and nodes from which no run can end. Of each
 * connected part only one node is reported, as the others follow from it. Nothing is reported if an edge that is
 * reported elsewhere may be the missing one.
 */
export function checkReachability(graph: Graph, report: Report): void {
  const { nodes, doubtful } = graph;
  const starts = positionsOf(graph, "start");
  const ends = positionsOf(graph, "end");
  const allKindsKnown = graph.allIdsKnown && nodes.every(({ kind }) => kind !== undefined);
  if (starts.length === 0 && allKindsKnown) {
    report.error("/nodes", "start_count", 'There is no start node; add { "id": "start", "kind": "start" }.');
  }
  for (const position of starts.slice(1)) {
    const node = nodes[position];
    if (node !== undefined) {
      report.error(node.path, "start_count", `"${node.id}" is a second start node; a procedure has exactly one.`);
    }
  }
  if (ends.length === 0 && allKindsKnown) {
    report.error("/nodes", "missing_end", 'There is no end node; add { "id": "done", "kind": "end" }.');
  }
  if (starts.length === 0) return;

  const forward = graph.exits.map((exits) => [...exits.values()]);
  for (const { from, to } of doubtful) if (from !== undefined && to !== undefined) forward[from]?.push(to);
  const roots = doubtful.flatMap(({ from, to }) => (from === undefined && to !== undefined ? [to] : []));
  const reached = reachedFrom([...starts, ...roots], forward);
  const unreached = sources((position) => reached[position] !== 1, forward);
  // The missing edges may lead to as many of them.
  const waysLeft = graph.missing + doubtful.filter(({ to }) => to === undefined).length;
  for (const position of unreached.length > waysLeft ? unreached : []) {
    const node = nodes[position];
    const message = `No path leads from the start to "${node?.id}"; add an edge to it or remove it.`;
    report.error(node?.path ?? "", "unreachable", message);
  }

  if (ends.length + graph.open.size === 0 || doubtful.some(({ from }) => from === undefined)) return;
  const backward = reversed(forward);
  const ending = reachedFrom([...ends, ...graph.open], backward);
  for (const position of sources((at) => reached[at] === 1 && ending[at] !== 1, backward)) {
    const node = nodes[position];
    const message = `No way leads from "${node?.id}" to an end; add one out of the loop.`;
    report.error(node?.path ?? "", "no_way_to_end", message);
  }
}

/**
 * Representatives of the nodes for which a test holds: one of each component that no other component reaches. All such
 * nodes are reachable from these. The node that a depth-first walk finishes last belongs to such a component
 * (Kosaraju).
 */
function sources(holds: (position: number) => boolean, to: readonly (readonly number[])[]): readonly number[] {
  const left: number[] = [];
  const seen = new Uint8Array(to.length);
  for (const root of to.keys()) {
    if (seen[root] === 1 || !holds(root)) continue;
    seen[root] = 1;
    const path = [{ at: root, next: 0 }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = to[step.at]?.[step.next++];
      if (next === undefined) {
        left.push(step.at);
        path.pop();
      } else if (seen[next] !== 1 && holds(next)) {
        seen[next] = 1;
        path.push({ at: next, next: 0 });
      }
    }
  }
  const covered = new Uint8Array(to.length);
  const found: number[] = [];
  for (const position of left.reverse()) {
    if (covered[position] === 1) continue;
    found.push(position);
    const open = [position];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (covered[at] === 1) continue;
      covered[at] = 1;
      open.push(...(to[at] ?? []));
    }
  }
  return found;
}

function positionsOf(graph: Graph, kind: "start" | "end"): number[] {
  return graph.nodes.flatMap((node, position) => (node.kind === kind ? [position] : []));
}

/** 1 for every position that can be reached from one of `roots`, including the roots; otherwise 0. */
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
 * The pairs of nodes that no path connects. 31 sources are searched together, one bit each, so that a thousand pairs
 * cost little more than thirty.
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
