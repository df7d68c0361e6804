import { environments } from "@procedo/contract";
import type { Scope } from "@procedo/storage";
import { invocationIdOf } from "../journal/invocation.ts";
import { outcomeKey } from "../journal/effect-keys.ts";
import { runIdOf, type ActiveRun } from "./active-run.ts";
import { createTransientMap } from "./transient-map.ts";

/**
 * Runs that this worker left waiting for a person, or for the result of a call that they handed out, as it left them: who
 * brings that here finds the run without reading its past. Only a memory: storage takes nothing that does not follow from
 * what it has itself.
 */
export interface ParkedRunCache {
  /** Keeps a run that waits so; forgets those of its environment that were kept longest when there are too many. */
  keep(run: ActiveRun): void;
  get(scope: Scope, runId: string): ActiveRun | undefined;
  /** The run that waits for the result of this invocation. */
  ofCall(scope: Scope, invocationId: string): ActiveRun | undefined;
  forget(runId: string): void;
}

/**
 * Bounds for each environment: runs, and bytes of their journals. A run takes some three times its journal in memory.
 * docs/performance/runs.md#constants
 */
const maxRuns = 1_024;
const maxBytes = 8 * 1024 * 1024;
const maxBytesOfRun = 256 * 1024;

interface Kept {
  readonly run: ActiveRun;
  readonly invocationId: string | undefined;
}

export function createParkedRunCache(): ParkedRunCache {
  const runsIn = { sandbox: cacheOfOne(), live: cacheOfOne() };
  return {
    keep: (run) => runsIn[run.writer.head.scope.environment].keep(run),
    get: (scope, runId) => runsIn[scope.environment].get(scope, runId),
    ofCall: (scope, invocationId) => runsIn[scope.environment].ofCall(scope, invocationId),
    forget: (runId) => {
      for (const environment of environments) runsIn[environment].forget(runId);
    },
  };
}

function cacheOfOne(): ParkedRunCache {
  const runs = createTransientMap<Kept>();
  const ofCalls = createTransientMap<Kept>();
  let bytes = 0;

  const forget = (runId: string): void => {
    const kept = runs.get(runId);
    if (kept === undefined) return;
    runs.delete(runId);
    if (kept.invocationId !== undefined) ofCalls.delete(kept.invocationId);
    bytes -= bytesOf(kept.run);
  };

  return {
    keep: (run) => {
      const invocationId = invocationAwaited(run);
      const waits = run.state.cursor.at === "review" || invocationId !== undefined;
      if (!waits || bytesOf(run) > maxBytesOfRun) return;
      forget(runIdOf(run));
      const kept: Kept = { run, invocationId };
      runs.set(runIdOf(run), kept);
      if (invocationId !== undefined) ofCalls.set(invocationId, kept);
      bytes += bytesOf(run);
      for (const [runId] of runs.entries()) {
        if (runs.size <= maxRuns && bytes <= maxBytes) break;
        forget(runId);
      }
    },
    get: (scope, runId) => inScope(scope, runs.get(runId)),
    ofCall: (scope, invocationId) => inScope(scope, ofCalls.get(invocationId)),
    forget,
  };
}

function inScope({ workspace }: Scope, kept: Kept | undefined): ActiveRun | undefined {
  return kept?.run.writer.head.scope.workspace === workspace ? kept.run : undefined;
}

/** The call that a run has handed out and waits for. */
function invocationAwaited(run: ActiveRun): string | undefined {
  const { cursor } = run.state;
  if (cursor.at !== "calling" || cursor.intent.frozen.dispatched !== true) return undefined;
  return invocationIdOf(runIdOf(run), outcomeKey(cursor.intent));
}

function bytesOf(run: ActiveRun): number {
  return run.writer.head.bytes;
}
