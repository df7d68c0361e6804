import type { Scope } from "@procedo/storage";
import { runIdOf, type HotRun } from "./hot-run.ts";

/**
 * Runs that this worker left waiting for a person, as it left them: who decides on one here finds it without reading its
 * past. Only a memory: storage takes nothing that does not follow from what it has itself.
 */
export interface RestingRuns {
  /** Keeps a run that waits for a person; forgets those that were kept longest when there are too many. */
  keep(run: HotRun): void;
  get(scope: Scope, runId: string): HotRun | undefined;
  forget(runId: string): void;
}

/** Bounds of what is kept: runs, and bytes of their journals. A run takes some three times its journal. */
const maxRuns = 1_024;
const maxBytes = 8 * 1024 * 1024;
const maxBytesOfRun = 256 * 1024;

export function createRestingRuns(): RestingRuns {
  const runs = new Map<string, HotRun>();
  let bytes = 0;

  const forget = (runId: string): void => {
    const run = runs.get(runId);
    if (run === undefined) return;
    runs.delete(runId);
    bytes -= bytesOf(run);
  };

  return {
    keep: (run) => {
      const { at } = run.state.cursor;
      if (at !== "review" || bytesOf(run) > maxBytesOfRun) return;
      forget(runIdOf(run));
      runs.set(runIdOf(run), run);
      bytes += bytesOf(run);
      for (const runId of runs.keys()) {
        if (runs.size <= maxRuns && bytes <= maxBytes) break;
        forget(runId);
      }
    },
    get: ({ workspace, environment }, runId) => {
      const run = runs.get(runId);
      const scope = run?.writer.head.scope;
      return scope?.workspace === workspace && scope.environment === environment ? run : undefined;
    },
    forget,
  };
}

function bytesOf(run: HotRun): number {
  return run.writer.head.bytes;
}
