import { environments, type Environment } from "@procedo/contract";
import type { RunState } from "@procedo/procedure";
import type { ClaimedFiring, Storage } from "@procedo/storage";
import { sleep, type Clock } from "../ports/clock.ts";
import { errorText } from "../ports/log.ts";
import { again } from "./firing-end.ts";
import { pauseIfFailing } from "./pause-after-failures.ts";
import { removeExpiredFirings } from "./remove-expired.ts";
import { createScheduleReview } from "./review-schedules.ts";
import { takeScheduleTurn, type ScheduleTurn } from "./schedule-turn.ts";
import { startFiring, type StartFiringPorts } from "./start-firing.ts";
import { createUnreadableSchedules } from "./unreadable-schedules.ts";

export interface PumpPorts extends StartFiringPorts {
  readonly storage: Pick<Storage, "records" | "triggers">;
  readonly clock: Clock;
  /** Called after each change of a trigger's firings. */
  readonly onFiring: (environment: Environment, triggerId: string) => void;
}

/**
 * Turns due schedules into firings, and firings into runs. Every node has one, and none is the leader: storage gives
 * each time and each firing to one of them.
 */
export interface Pump {
  start(): void;
  /** Makes the pump look now: schedules may be due, or firings claimable. */
  wake(): void;
  /** A run that a trigger started has ended: another firing may start now. */
  runEnded(run: Pick<RunState, "facts" | "trigger" | "cursor">): void;
  /** Stops claiming, and waits for the starts under way, at most `drainMs`. Others take over the firings that are left. */
  stop(drainMs: number): Promise<void>;
}

/** A start takes some milliseconds. Another node takes over the firings of one that died after this time. */
const leaseMs = 5_000;

/**
 * The longest time between two looks: a change feed may miss a firing, and a node may die that claimed one. Not longer
 * than a lease.
 */
const pollMs = leaseMs;

/** The same while nothing is planned and nothing happens, so that a workspace without triggers costs little. */
const idlePollMs = 15_000;

/** The shortest time between two planned looks: another node may hold a gate for a moment. */
const minPollMs = 50;

/** Delay after a failure of storage. */
const retryMs = 1_000;

/** Starts of one environment that are under way. */
const maxStarting = 64;

/** Between two removals of old firings, and after one that has left some. */
const retentionMs = 3_600_000;
const nextRetentionMs = 5_000;

export function createPump(ports: PumpPorts): Pump {
  const { storage, workspace, clock, log } = ports;
  let state: "new" | "working" | "stopped" = "new";
  const starting = { sandbox: 0, live: 0 };
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const schedulePorts = { ...ports, unreadable: createUnreadableSchedules(log) };
  const reviewSchedules = createScheduleReview(schedulePorts);
  let isLooking = false;
  /** Whether another node may be working on a firing that it claimed: an empty claim does not tell. */
  let isActive = false;
  let lookAgain = false;
  let cancelTimer = (): void => {};
  let cancelRetention = (): void => {};

  const isWorking = (): boolean => state === "working";

  const wake = (): void => {
    isActive = true;
    lookSoon();
  };

  const lookSoon = (): void => {
    if (!isWorking()) return;
    lookAgain = true;
    if (isLooking) return;
    isLooking = true;
    // Once for all that happens in one turn of the event loop.
    clock.soon(() => track(lookUntilDone()));
  };

  const lookUntilDone = async (): Promise<void> => {
    cancelTimer();
    let nextMs = 0;
    while (isWorking() && (lookAgain || nextMs === 0)) {
      lookAgain = false;
      nextMs = await look();
    }
    isLooking = false;
    if (isWorking()) cancelTimer = clock.after(nextMs, lookSoon);
  };

  /** @returns milliseconds until the next look; 0 to look again at once */
  const look = async (): Promise<number> => {
    // Each is tried even when the other fails.
    const schedules = await attempt(accountForSchedules);
    const nextFiringAtMs = await attempt(claim);
    if (schedules === undefined || nextFiringAtMs === undefined) {
      await sleep(clock, retryMs, stopping.signal);
      return 0;
    }
    const { hasMore, nowMs, nextInMs = Infinity } = schedules;
    if (hasMore) return 0;
    const nextMs = Math.min(nextInMs, nextFiringAtMs - nowMs);
    const longestMs = nextMs === Infinity && !isActive ? idlePollMs : pollMs;
    isActive = false;
    return Math.max(minPollMs, Math.min(longestMs, nextMs));
  };

  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      log.warn("Storage did not answer about triggers; trying again.", { error: errorText(error) });
      return undefined;
    }
  };

  const accountForSchedules = async (): Promise<ScheduleTurn> => {
    const turn = await takeScheduleTurn(schedulePorts);
    await reviewSchedules(turn.nowMs);
    return turn;
  };

  /** @returns when the next firing becomes due, by storage's clock */
  const claim = async (): Promise<number> => {
    if (!isWorking()) return Infinity;
    const limits = { sandbox: maxStarting - starting.sandbox, live: maxStarting - starting.live };
    // The end of a start wakes the pump.
    if (environments.every((environment) => limits[environment] === 0)) return Infinity;
    const { firings, skipped, nextDueAtMs } = await storage.triggers.claim({ workspace, limits, leaseMs });
    for (const { scope, triggerId } of skipped) ports.onFiring(scope.environment, triggerId);
    if (!isWorking()) {
      await giveBack(firings);
      return Infinity;
    }
    if (firings.length > 0) isActive = true;
    for (const firing of firings) take(firing);
    const isFull = environments.some(
      (its) => limits[its] > 0 && firings.filter(({ scope }) => scope.environment === its).length === limits[its],
    );
    if (isFull) lookAgain = true;
    return nextDueAtMs ?? Infinity;
  };

  /** Lets other nodes start the firings of a claim that was under way when this node was stopped. */
  const giveBack = async (firings: readonly ClaimedFiring[]): Promise<void> => {
    if (firings.length === 0) return;
    const next = again(0);
    await storage.triggers.settle(firings.map(({ scope, firingId, epoch }) => ({ scope, firingId, epoch, next })));
  };

  const take = (firing: ClaimedFiring): void => {
    const { environment } = firing.scope;
    starting[environment]++;
    const work = settleFiring(firing)
      .catch((error: unknown) => {
        // Its lease ends, and then it is claimed again.
        const { triggerId, firingId } = firing;
        log.warn("A firing could not be settled; it is claimed again.", {
          triggerId,
          firingId,
          error: errorText(error),
        });
      })
      .finally(() => {
        starting[environment]--;
        ports.onFiring(environment, firing.triggerId);
        wake();
      });
    track(work);
  };

  const settleFiring = async (firing: ClaimedFiring): Promise<void> => {
    const next = await startFiring(ports, firing);
    if (next === undefined) return;
    const { scope, triggerId, firingId, epoch } = firing;
    const [result] = await storage.triggers.settle([{ scope, firingId, epoch, next }]);
    if (result !== "settled" || next.status !== "failed") return;
    log.warn("A firing has failed.", { triggerId, firingId, reason: next.reason });
    await judge(scope.environment, triggerId);
  };

  /** Pauses a trigger that failed too often. The next failure, or the next start, judges it again. */
  const judge = async (environment: Environment, triggerId: string): Promise<void> => {
    try {
      const trigger = await ports.triggers.find({ environment, triggerId });
      if (trigger !== undefined) await pauseIfFailing(ports, trigger);
    } catch (error) {
      log.warn("A trigger could not be judged.", { triggerId, error: errorText(error) });
    }
  };

  const track = (work: Promise<void>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };

  /** Resolves once nothing is under way. Work may begin other work. */
  const drained = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  const removeExpired = (): void => {
    if (!isWorking()) return;
    const work = removeExpiredFirings(ports)
      .catch((error: unknown) => {
        log.warn("Old firings could not be removed; trying again later.", { error: errorText(error) });
        return false;
      })
      .then((isMore) => {
        if (isWorking()) cancelRetention = clock.after(isMore ? nextRetentionMs : retentionMs, removeExpired);
      });
    track(work);
  };

  return {
    start: () => {
      if (state !== "new") return;
      state = "working";
      wake();
      cancelRetention = clock.after(retentionMs, removeExpired);
    },
    wake,
    runEnded: ({ facts: { environment }, trigger, cursor }) => {
      if (!isWorking() || trigger?.triggerId === undefined) return;
      const { triggerId } = trigger;
      const hasFailed = cursor.at === "ended" && cursor.result.status === "failed";
      const work = (hasFailed ? judge(environment, triggerId) : Promise.resolve()).finally(() => {
        ports.onFiring(environment, triggerId);
        wake();
      });
      track(work);
    },
    stop: async (drainMs) => {
      if (state === "stopped") return;
      state = "stopped";
      cancelTimer();
      cancelRetention();
      stopping.abort();
      const over = new AbortController();
      await Promise.race([drained(), sleep(clock, drainMs, over.signal)]);
      over.abort();
    },
  };
}
