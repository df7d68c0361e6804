import { interceptVerbs } from "@procedo-testing/faults";
import type { Storage } from "@procedo/storage";
import { pointsOfRow, type PointName, type Side } from "./loop-points.ts";
import type { Stops } from "./stops.ts";

/** A storage with a stop before and after each durable write of the agent's loop. */
export function withStops(storage: Storage, stops: Stops): Storage {
  const around = async <T>(points: ReadonlySet<PointName>, work: () => Promise<T>): Promise<T> => {
    await reachAll(points, "before");
    const result = await work();
    await reachAll(points, "after");
    return result;
  };
  const reachAll = async (points: ReadonlySet<PointName>, side: Side): Promise<void> => {
    for (const point of points) await stops.reach(point, side);
  };
  return interceptVerbs(storage, {
    "runs.commit": (send, commit) => around(new Set(pointsOfRow(commit)), send),
    "runs.claim": async (send) => {
      await stops.reach("run.takeover", "before");
      const result = await send();
      if (result.runs.some(({ takenOver }) => takenOver)) await stops.reach("run.takeover", "after");
      return result;
    },
    "reviews.decide": (send, { next }) => {
      // The run's next row becomes durable with the decision.
      const row = next === undefined ? [] : pointsOfRow(next);
      return around(new Set<PointName>(["review.decide", ...row]), send);
    },
    "budgets.reserve": (send, { key }) =>
      around(new Set<PointName>([key.startsWith("model:") ? "reserve.turn" : "reserve.call"]), send),
  });
}
