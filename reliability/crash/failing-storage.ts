import type { RunCommit, Storage } from "@procedo/storage";
import { pointsOf } from "./commit-points.ts";
import type { FailpointName, Failpoints, Phase } from "./failpoints.ts";

/**
 * The storage port with a failpoint on both sides of each durable write. `applied` hears of each row that became durable.
 */
export function withFailpoints(storage: Storage, failpoints: Failpoints, applied: () => void): Storage {
  /** Runs that sleep, by the time at which they wake. */
  const alarms = new Map<string, number>();
  let beats = 0;

  const around = async <T>(names: Iterable<FailpointName>, work: () => Promise<T>): Promise<T> => {
    const points = [...names];
    reachAll(points, "before");
    const result = await work();
    reachAll(points, "after");
    return result;
  };
  const reachAll = (points: readonly FailpointName[], phase: Phase): void => {
    for (const point of points) failpoints.reach(point, phase);
  };

  return {
    ...rooms(storage),
    runs: {
      ...methods(storage.runs),
      commit: async (commit) => {
        noteAlarm(alarms, commit);
        const result = await around(pointsOf(commit), () => storage.runs.commit(commit));
        applied();
        return result;
      },
      claim: async (request) => {
        const now = Date.now();
        if ([...alarms.values()].some((wakeAtMs) => wakeAtMs <= now)) failpoints.reach("timer.fire", "before");
        failpoints.reach("run.takeover", "before");
        const result = await storage.runs.claim(request);
        if (result.runs.some(({ runId }) => alarms.has(runId))) failpoints.reach("timer.fire", "after");
        if (result.runs.some(({ takenOver }) => takenOver)) failpoints.reach("run.takeover", "after");
        for (const { runId } of result.runs) alarms.delete(runId);
        return result;
      },
    },
    inbox: {
      ...methods(storage.inbox),
      post: (items) => {
        const expiry = items.some(({ closeReview }) => closeReview === "expired");
        return around(expiry ? ["review.expire"] : [], () => storage.inbox.post(items));
      },
    },
    reviews: {
      ...methods(storage.reviews),
      decide: async (decision) => {
        // The row with which a run goes on becomes durable with the decision.
        const { next } = decision;
        const points = new Set<FailpointName>(["review.decide", ...(next === undefined ? [] : pointsOf(next))]);
        const result = await around(points, () => storage.reviews.decide(decision));
        if (result.status === "recorded" && result.continued === true) applied();
        return result;
      },
    },
    invocations: {
      ...methods(storage.invocations),
      settle: async (given) => {
        // The row with which a run goes on becomes durable with the result.
        const { next } = given;
        const result = await around(next === undefined ? [] : pointsOf(next), () => storage.invocations.settle(given));
        if (result.status === "accepted" && result.continued === true) applied();
        return result;
      },
    },
    workers: {
      ...methods(storage.workers),
      heartbeat: (request) =>
        around([beats++ === 0 ? "lease.take" : "lease.renew"], () => storage.workers.heartbeat(request)),
    },
  };
}

function noteAlarm(alarms: Map<string, number>, { runId, then }: RunCommit): void {
  if (then.kind === "parked" && then.wakeAtMs !== undefined) alarms.set(runId, then.wakeAtMs);
  else alarms.delete(runId);
}

/** The rooms of a storage that is an instance of a class. */
function rooms(storage: Storage): Storage {
  const { runs, inbox, reviews, invocations, budgets, workers } = storage;
  const { deliveries, procedures, records, audit, retention } = storage;
  const watch: Storage["watch"] = (listener) => storage.watch(listener);
  const all = {
    runs,
    inbox,
    reviews,
    invocations,
    budgets,
    workers,
    deliveries,
    procedures,
    records,
    audit,
    retention,
  };
  return { ...all, watch, close: () => storage.close() };
}

/** An adapter's room is an object of functions. */
function methods<Room extends object>(room: Room): Room {
  return { ...room };
}
