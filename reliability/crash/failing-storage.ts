import { interceptVerbs } from "@procedo-testing/faults";
import type { RunCommit, Storage } from "@procedo/storage";
import { pointsOf } from "./commit-points.ts";
import type { FailpointName, Failpoints, Phase } from "./failpoints.ts";

/** A storage with a failpoint before and after each durable write. `applied` is called for each row that became durable. */
export function withFailpoints(storage: Storage, failpoints: Failpoints, applied: () => void): Storage {
  /** When each parked run that waits for time wakes, by its id. */
  const alarms = new Map<string, number>();
  let beats = 0;
  /** Whether firings may be pending that this process has stored. */
  let isFireable = false;

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

  return interceptVerbs(storage, {
    "runs.commit": async (send, commit) => {
      noteAlarm(alarms, commit);
      const result = await around(pointsOf(commit), send);
      applied();
      return result;
    },
    "runs.claim": async (send) => {
      const now = Date.now();
      if ([...alarms.values()].some((wakeAtMs) => wakeAtMs <= now)) failpoints.reach("timer.fire", "before");
      failpoints.reach("run.takeover", "before");
      const result = await send();
      if (result.runs.some(({ runId }) => alarms.has(runId))) failpoints.reach("timer.fire", "after");
      if (result.runs.some(({ takenOver }) => takenOver)) failpoints.reach("run.takeover", "after");
      for (const { runId } of result.runs) alarms.delete(runId);
      return result;
    },
    "inbox.post": (send, items) => {
      const isExpiry = items.some(({ closeReview }) => closeReview === "expired");
      return around(isExpiry ? ["review.expire"] : [], send);
    },
    "reviews.decide": async (send, { next }) => {
      // The run's next row becomes durable with the decision.
      const points = new Set<FailpointName>(["review.decide", ...(next === undefined ? [] : pointsOf(next))]);
      const result = await around(points, send);
      if (result.status === "recorded" && result.continued === true) applied();
      return result;
    },
    "invocations.settle": async (send, { next }) => {
      // The run's next row becomes durable with the result.
      const result = await around(next === undefined ? [] : pointsOf(next), send);
      if (result.status === "accepted" && result.continued === true) applied();
      return result;
    },
    "triggers.take": async (send) => {
      const result = await around(["trigger.dedupe"], send);
      isFireable = true;
      return result;
    },
    "triggers.advance": async (send) => {
      const result = await around(["schedule.advance"], send);
      isFireable = true;
      return result;
    },
    "triggers.claim": async (send) => {
      if (isFireable) failpoints.reach("firing.claim", "before");
      const result = await send();
      isFireable = result.firings.length > 0;
      if (isFireable) failpoints.reach("firing.claim", "after");
      return result;
    },
    "workers.heartbeat": (send) => around([beats++ === 0 ? "lease.take" : "lease.renew"], send),
  });
}

function noteAlarm(alarms: Map<string, number>, { runId, then }: RunCommit): void {
  if (then.kind === "parked" && then.wakeAtMs !== undefined) alarms.set(runId, then.wakeAtMs);
  else alarms.delete(runId);
}
