import { environments, type Environment } from "@procedo/contract";
import type { Scope } from "@procedo/storage";
import { outcomeKey } from "../journal/effect-keys.ts";
import { invocationIdOf } from "../journal/invocation.ts";
import { runIdOf, type ActiveRun } from "./active-run.ts";
import { createTransientMap, type TransientMap } from "./transient-map.ts";

/**
 * Bounds for each environment: runs, and bytes of their journals. A run takes about three times its journal in memory.
 * docs/performance/runs.md#constants
 */
const maxRuns = 1_024;
const maxJournalBytes = 8 * 1024 * 1024;
const maxJournalBytesOfRun = 256 * 1024;

interface Entry {
  readonly run: ActiveRun;
  readonly invocationId: string | undefined;
}

interface Side {
  readonly runs: TransientMap<Entry>;
  readonly byInvocation: TransientMap<Entry>;
  journalBytes: number;
}

/**
 * The runs that this worker parked at a review or at an invocation, in their state at that time, so that a decision or
 * result resumes them without a read of their journal. Only a cache: storage refuses a row that does not follow from
 * its own state of the run.
 */
export class ParkedRunCache {
  readonly #sides: Record<Environment, Side> = { sandbox: emptySide(), live: emptySide() };

  /**
   * Keeps a run that waits for a decision or a result. Beyond the bounds, the oldest runs of its environment are
   * dropped.
   */
  keep(run: ActiveRun): void {
    const invocationId = awaitedInvocation(run);
    const waits = run.state.cursor.at === "review" || invocationId !== undefined;
    if (!waits || journalBytesOf(run) > maxJournalBytesOfRun) return;
    const runId = runIdOf(run);
    this.forget(runId);
    const side = this.#sides[run.writer.head.scope.environment];
    const entry: Entry = { run, invocationId };
    side.runs.set(runId, entry);
    if (invocationId !== undefined) side.byInvocation.set(invocationId, entry);
    side.journalBytes += journalBytesOf(run);
    for (const [oldest] of side.runs.entries()) {
      if (side.runs.size <= maxRuns && side.journalBytes <= maxJournalBytes) break;
      forgetIn(side, oldest);
    }
  }

  get(scope: Scope, runId: string): ActiveRun | undefined {
    return inScope(scope, this.#sides[scope.environment].runs.get(runId));
  }

  /** The run that waits for the result of this invocation. */
  ofInvocation(scope: Scope, invocationId: string): ActiveRun | undefined {
    return inScope(scope, this.#sides[scope.environment].byInvocation.get(invocationId));
  }

  forget(runId: string): void {
    for (const environment of environments) forgetIn(this.#sides[environment], runId);
  }
}

function emptySide(): Side {
  return { runs: createTransientMap(), byInvocation: createTransientMap(), journalBytes: 0 };
}

function forgetIn(side: Side, runId: string): void {
  const entry = side.runs.get(runId);
  if (entry === undefined) return;
  side.runs.delete(runId);
  if (entry.invocationId !== undefined) side.byInvocation.delete(entry.invocationId);
  side.journalBytes -= journalBytesOf(entry.run);
}

function inScope({ workspace }: Scope, entry: Entry | undefined): ActiveRun | undefined {
  return entry?.run.writer.head.scope.workspace === workspace ? entry.run : undefined;
}

function awaitedInvocation(run: ActiveRun): string | undefined {
  const { cursor } = run.state;
  if (cursor.at !== "calling" || cursor.intent.frozen.dispatched !== true) return undefined;
  return invocationIdOf(runIdOf(run), outcomeKey(cursor.intent));
}

function journalBytesOf(run: ActiveRun): number {
  return run.writer.head.bytes;
}
