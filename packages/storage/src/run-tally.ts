import type { Scope } from "./scope.ts";

/** The runs to count. */
export interface RunTallyRequest {
  /** The workspace and environment of the runs. */
  readonly scope: Scope;
  /** Only failures from this time on are counted in `failedSince`, in milliseconds since the epoch. */
  readonly sinceMs: number;
  /** The beginnings of consecutive days, ascending, at least one; the last day has no end. */
  readonly dayStartsMs: readonly number[];
}

/** The number of a scope's runs. A cancelled run is not counted as failed. */
export interface RunTally {
  /** All runs that are running. */
  readonly running: number;
  /** All runs that wait for a review. */
  readonly awaitingReview: number;
  /** Runs of the days below that failed at `sinceMs` or later. */
  readonly failedSince: number;
  /** The runs that were started on each day, in the order of the request. */
  readonly days: readonly EndedRuns[];
  /** The runs that were started on any of the days, for each procedure that has ever had a run, ordered by its id. */
  readonly procedures: readonly ProcedureTally[];
}

/** Number of runs that have ended, by their ends. */
export interface EndedRuns {
  /** Completed runs. */
  readonly completed: number;
  /** Failed runs, without those that were cancelled. */
  readonly failed: number;
  /** Cancelled runs: their status is `failed`, and their error begins with {@link cancelledError}. */
  readonly cancelled: number;
}

/** The runs of a procedure. */
export interface ProcedureTally extends EndedRuns {
  /** The procedure that the runs execute. */
  readonly procedureId: string;
  /** Start of its newest run, on whichever day, in milliseconds since the epoch. */
  readonly newestAtMs: number;
}

/** The runs that call for a person. */
export interface RunAttention {
  /** Failed runs count if they failed at this time or later, in milliseconds since the epoch. */
  readonly failedSinceMs: number;
  /** Failed runs count if they were started at this time or later, in milliseconds since the epoch. */
  readonly startedSinceMs: number;
}

/** The beginning of the error of a cancelled run. */
export const cancelledError = "Cancelled by ";

/** Runs of one procedure that were started on one day. */
export interface TallyCell {
  /** The procedure that the runs execute. */
  readonly procedureId: string;
  /** Number of the day, from 0; -1 for an earlier one. */
  readonly day: number;
  /** `any` counts the runs of all statuses. */
  readonly what: "any" | "running" | "awaiting_review" | "failed" | "cancelled";
  /** Number of runs. */
  readonly count: number;
}

/** The number of the day of a time: -1 for a time before all days. For adapters. */
export function dayOf({ dayStartsMs }: Pick<RunTallyRequest, "dayStartsMs">, atMs: number): number {
  return dayStartsMs.findLastIndex((startMs) => startMs <= atMs);
}

/**
 * Adds up the cells that an adapter counted. Completed runs are the difference: they are in no index of their own, and
 * far more than all others. For adapters.
 *
 * @param newest the start of the newest run of each procedure that has one
 */
export function tallyRuns(
  { dayStartsMs }: Pick<RunTallyRequest, "dayStartsMs">,
  cells: Iterable<TallyCell>,
  failedSince: number,
  newest: Iterable<readonly [procedureId: string, newestAtMs: number]>,
): RunTally {
  const all = noRuns();
  const days = dayStartsMs.map(noRuns);
  const procedures = new Map<string, Counts>();
  for (const { procedureId, day, what, count } of cells) {
    all[what] += count;
    const ofDay = days[day];
    if (ofDay === undefined) continue;
    ofDay[what] += count;
    const ofProcedure = procedures.get(procedureId) ?? noRuns();
    ofProcedure[what] += count;
    procedures.set(procedureId, ofProcedure);
  }
  return {
    running: all.running,
    awaitingReview: all.awaiting_review,
    failedSince,
    days: days.map(endedOf),
    procedures: [...newest]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([procedureId, newestAtMs]) => {
        return { procedureId, newestAtMs, ...endedOf(procedures.get(procedureId) ?? noRuns()) };
      }),
  };
}

type Counts = Record<TallyCell["what"], number>;

function noRuns(): Counts {
  return { any: 0, running: 0, awaiting_review: 0, failed: 0, cancelled: 0 };
}

/** Not negative, although an adapter may have counted the parts one after another. */
function endedOf({ any, running, awaiting_review, failed, cancelled }: Counts): EndedRuns {
  return { completed: Math.max(0, any - running - awaiting_review - failed - cancelled), failed, cancelled };
}
