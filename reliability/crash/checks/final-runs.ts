import type { TracedRun } from "../evidence.ts";

/** Keeps the state of each ended run, and reports later changes. */
export interface FinalRuns {
  check(runs: readonly TracedRun[]): readonly string[];
}

export function createFinalRuns(): FinalRuns {
  const known = new Map<string, string>();
  return {
    check: (runs) => {
      const present = new Map(runs.map((run) => [run.stored.runId, run]));
      const faults = [...known].flatMap(([runId, mark]) => {
        const run = present.get(runId);
        return run !== undefined && markOf(run) === mark ? [] : [`Run ${runId} has changed after its end.`];
      });
      for (const run of runs) if (run.stored.ended) known.set(run.stored.runId, markOf(run));
      return faults;
    },
  };
}

/** The last hash of the chain covers all rows before it. */
function markOf({ stored }: TracedRun): string {
  return JSON.stringify([stored.status, stored.error, stored.journal.length, stored.journal.at(-1)?.hash]);
}
