/* The path of a run through its flowchart. */
import type { ShownStatus } from "../ui/status-word.ts";

export interface VisitedStep {
  readonly nodeId: string;
  readonly status: ShownStatus;
  readonly branch?: string | undefined;
  /** As the run shows it. */
  readonly title?: string | undefined;
}

export interface PathEdge {
  readonly from: string;
  readonly to: string;
  readonly branch?: string | undefined;
}

export interface Visits {
  readonly count: number;
  /** Of the latest visit. */
  readonly status: ShownStatus;
  readonly title: string | undefined;
}

export interface RunPath {
  /** Visits by node id. */
  readonly visits: ReadonlyMap<string, Visits>;
  /** Indexes of the edges that were taken. */
  readonly taken: ReadonlySet<number>;
}

/**
 * The nodes that a run visited and the edges that it took.
 *
 * @param steps in the order in which they began: one after another, as a run is at one node at a time
 */
export function runPath(edges: readonly PathEdge[], steps: readonly VisitedStep[]): RunPath {
  const visits = new Map<string, Visits>();
  const taken = new Set<number>();
  const ways = Map.groupBy(edges.entries(), ([, { from, to }]) => JSON.stringify([from, to]));
  steps.forEach(({ nodeId, status, title, branch }, index) => {
    visits.set(nodeId, { count: (visits.get(nodeId)?.count ?? 0) + 1, status, title });
    const next = steps[index + 1];
    if (next === undefined) return;
    const found = ways
      .get(JSON.stringify([nodeId, next.nodeId]))
      ?.find(([, edge]) => branch === undefined || branch === edge.branch);
    if (found !== undefined) taken.add(found[0]);
  });
  return { visits, taken };
}
