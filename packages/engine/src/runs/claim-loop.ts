import { environments, type Environment } from "@procedo/contract";
import type { ClaimedRun, Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { HeldRuns } from "./held-runs.ts";

/** Looks for runs that can be claimed: when it is told of some, when the next one wakes, and at the latest after `pollMs`. */
export interface ClaimLoop {
  /** Looks at once, and from now on. */
  start(): void;
  /** Looks now rather than at its time; while runs are put off a little later, as that is told again and again. */
  soon(): void;
  /** Fewer runs are held: looks soon if there may be some that found no room. */
  roomMade(): void;
  /** Looks at that time, or sooner. */
  at(atMs: number): void;
  /** Looks no more. Resolves when a claim that is under way has been answered; what it brings is not taken. */
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
  /** Whether what is found could be executed now. */
  readonly maySearch: () => boolean;
  /** Whether runs of this environment are left where they are for now. */
  readonly putsOff: (environment: Environment) => boolean;
  /** Whether runs of this environment were left that nobody waits for. */
  readonly hasBacklog: (environment: Environment) => boolean;
  /** Told when an environment has nothing more to claim. */
  readonly workedOff: (environment: Environment) => void;
}

/** Storage's clock may be behind this one: a run that it does not find due yet is not asked for in a busy loop. */
const minGapMs = 10;

/** Runs that one claim may bring, all of which are read in one turn of the event loop; more come with the next one. */
const maxRuns = 32;

/** The part of the capacity that is worth a claim of its own; less is claimed for together. */
const worthAClaim = 8;

/** The part of the capacity that a backlog leaves to runs that begin meanwhile. */
const keptForNew = 4;

/** So often is it looked for runs of one environment while those of the other are put off. */
const whilePutOffMs = 50;

export function createClaimLoop(
  { storage, workspace, clock, log }: ClaimPorts,
  { workerId, capacity, pollMs, maySearch, putsOff, hasBacklog, workedOff }: ClaimSettings,
  held: Pick<HeldRuns, "claimed" | "room" | "size">,
  adopt: (claim: ClaimedRun) => Promise<void>,
): ClaimLoop {
  let working = false;
  let claiming = false;
  let claimed: Promise<void> = Promise.resolve();
  let again = false;
  /** Storage may have more than there was room for when it was asked last. */
  let moreMayWait = false;
  let nextAtMs = Infinity;
  let cancelTimer = (): void => {};

  const at = (atMs: number): void => {
    if (!working || atMs >= nextAtMs) return;
    cancelTimer();
    nextAtMs = atMs;
    // A clock that was set back meanwhile would have it wait for as long as it lost.
    const delayMs = Math.min(pollMs, Math.max(minGapMs, atMs - clock.now()));
    cancelTimer = clock.after(delayMs, look);
  };

  const look = (): void => {
    if (!working) return;
    if (claiming) {
      again = true;
      return;
    }
    claiming = true;
    claimed = claim().finally(() => {
      claiming = false;
      if (again) {
        again = false;
        look();
      }
    });
  };

  const soon = (): void => {
    if (environments.some(putsOff)) at(clock.now() + whilePutOffMs);
    else look();
  };

  /** How many runs of an environment are to be claimed. */
  const wanted = (environment: Environment): number => {
    if (putsOff(environment)) return 0;
    const kept = hasBacklog(environment) ? Math.floor(capacity / keptForNew) : 0;
    return held.room(environment, kept);
  };

  const claim = async (): Promise<void> => {
    cancelTimer();
    nextAtMs = Infinity;
    let wakeAtMs = clock.now() + pollMs;
    const limit = Math.min(maxRuns, capacity - held.size);
    const most = { sandbox: wanted("sandbox"), live: wanted("live") };
    moreMayWait = true;
    if (environments.some((environment) => most[environment] > 0) && maySearch()) {
      try {
        const { runs, nextWakeAtMs } = await storage.runs.claim({ workspace, workerId, limit, most });
        environments.filter((environment) => most[environment] > 0).forEach(held.claimed);
        // What comes to a worker that stops is handed back with its lease.
        if (working) for (const run of runs) void adopt(run);
        const brought = (of: Environment): number => runs.filter(({ scope }) => scope.environment === of).length;
        if (runs.length === limit) again = true;
        const foundAll = environments.filter((environment) => brought(environment) < most[environment]);
        if (!again) foundAll.forEach(workedOff);
        moreMayWait = again || environments.some((one) => !foundAll.includes(one) && !putsOff(one));
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
      look();
    },
    soon,
    roomMade: () => {
      if (!moreMayWait) return;
      const most = Math.max(...environments.map(wanted));
      if (most >= Math.min(maxRuns, capacity / worthAClaim)) look();
      else if (most > 0) at(clock.now());
    },
    at,
    stop: () => {
      working = false;
      cancelTimer();
      return claimed;
    },
  };
}
