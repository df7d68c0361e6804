/* The path of a run through its flowchart. */

export interface VisitedStep {
  readonly nodeId: string;
  readonly status: "running" | "awaiting_review" | "completed" | "failed";
  readonly branch?: string | undefined;
}

export interface PathEdge {
  readonly from: string;
  readonly to: string;
  readonly branch?: string | undefined;
}

export interface RunPath {
  /** Visits by node id, with the status of the latest one. */
  readonly visits: ReadonlyMap<string, { readonly count: number; readonly status: VisitedStep["status"] }>;
  /** Indexes of the edges that were taken. */
  readonly taken: ReadonlySet<number>;
}

/**
 * The nodes that a run visited and the edges that it took.
 *
 * @param steps in the order in which they began: one after another, as a run is at one node at a time
 */
export function runPath(edges: readonly PathEdge[], steps: readonly VisitedStep[]): RunPath {
  const visits = new Map<string, { readonly count: number; readonly status: VisitedStep["status"] }>();
  const taken = new Set<number>();
  steps.forEach((step, index) => {
    const before = visits.get(step.nodeId);
    visits.set(step.nodeId, { count: (before?.count ?? 0) + 1, status: step.status });
    const next = steps[index + 1];
    if (next === undefined) return;
    const edge = edges.findIndex(
      ({ from, to, branch }) =>
        from === step.nodeId && to === next.nodeId && (step.branch === undefined || step.branch === branch),
    );
    if (edge >= 0) taken.add(edge);
  });
  return { visits, taken };
}
