import { environments } from "@procedo/contract";
import type { ClaimedRun, Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { HeldRuns } from "./held-runs.ts";

/** Claims runs from storage: when some are announced, when the next one wakes, and at least every `pollMs`. */
export interface ClaimLoop {
  /** Starts the loop with a claim. */
  start(): void;
  /** Claims now instead of at the next planned time. */
  soon(): void;
  /** A run left this worker. Claims now if storage may have runs for which there was no room. */
  roomMade(): void;
  /** Plans a claim for this time; a claim that is planned earlier stays. */
  at(atMs: number): void;
  /** Stops claiming. Resolves once storage has answered a claim under way, whose runs are not executed. */
  stop(): Promise<void>;
}

export interface ClaimPorts {
  readonly storage: { readonly runs: Pick<Storage["runs"], "claim"> };
  readonly workspace: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ClaimSettings {
  readonly workerId: string;
  readonly capacity: number;
  readonly pollMs: number;
  /** Whether a claimed run could be executed now. */
  readonly mayClaim: () => boolean;
}

/** Minimum gap between planned claims. Without it, a storage clock behind this one would cause a busy loop. */
const minGapMs = 10;

/** Runs per claim: their journals are read in one turn of the event loop. */
const maxRuns = 32;

export function createClaimLoop(
  { storage, workspace, clock, log }: ClaimPorts,
  { workerId, capacity, pollMs, mayClaim }: ClaimSettings,
  held: Pick<HeldRuns, "claimed" | "room" | "size">,
  adopt: (claim: ClaimedRun) => Promise<void>,
): ClaimLoop {
  let working = false;
  let claiming: Promise<void> | undefined;
  let again = false;
  /** Whether storage may have had more runs than there was room for. */
  let moreMayWait = false;
  let nextAtMs = Infinity;
  let cancelTimer = (): void => {};

  const at = (atMs: number): void => {
    if (!working || atMs >= nextAtMs) return;
    cancelTimer();
    nextAtMs = atMs;
    // Without the bound, a clock that is set back would delay the claim by as much.
    const delayMs = Math.min(pollMs, Math.max(minGapMs, atMs - clock.now()));
    cancelTimer = clock.after(delayMs, soon);
  };

  const soon = (): void => {
    if (!working) return;
    if (claiming !== undefined) {
      again = true;
      return;
    }
    claiming = claim().finally(() => {
      claiming = undefined;
      if (again) {
        again = false;
        soon();
      }
    });
  };

  const claim = async (): Promise<void> => {
    cancelTimer();
    nextAtMs = Infinity;
    let wakeAtMs = clock.now() + pollMs;
    const limit = Math.min(maxRuns, capacity - held.size);
    const perEnvironment = { sandbox: held.room("sandbox"), live: held.room("live") };
    const claimable = environments.filter((environment) => perEnvironment[environment] > 0);
    moreMayWait = true;
    if (claimable.length > 0 && mayClaim()) {
      try {
        const { runs, nextWakeAtMs } = await storage.runs.claim({ workspace, workerId, limit, perEnvironment });
        claimable.forEach(held.claimed);
        // `release` releases the runs of a stopping worker.
        if (working) for (const run of runs) void adopt(run);
        if (runs.length === limit) again = true;
        moreMayWait =
          again ||
          environments.some(
            (one) => runs.filter(({ scope }) => scope.environment === one).length >= perEnvironment[one],
          );
        if (nextWakeAtMs !== undefined) wakeAtMs = Math.min(wakeAtMs, nextWakeAtMs);
      } catch (error) {
        log.warn("Runs could not be claimed; trying again.", { workerId, error: errorText(error) });
      }
    }
    at(wakeAtMs);
  };

  return {
    start: () => {
      working = true;
      soon();
    },
    soon,
    roomMade: () => {
      if (moreMayWait && environments.some((environment) => held.room(environment) > 0)) soon();
    },
    at,
    stop: async () => {
      working = false;
      cancelTimer();
      await claiming;
    },
  };
}
