import type { Storage } from "@procedo/storage";
import { pointsOfRow, type PointName, type Side } from "./loop-points.ts";
import type { Stops } from "./stops.ts";

/** The storage port with a stop on both sides of each durable write that the loop makes. */
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
  const { runs, inbox, reviews, invocations, budgets, workers } = storage;
  const { deliveries, procedures, records, audit, retention } = storage;
  return {
    inbox,
    invocations,
    workers,
    deliveries,
    procedures,
    records,
    audit,
    retention,
    runs: {
      ...runs,
      commit: (commit) => around(new Set(pointsOfRow(commit)), () => storage.runs.commit(commit)),
      claim: async (request) => {
        await stops.reach("run.takeover", "before");
        const result = await storage.runs.claim(request);
        if (result.runs.some(({ takenOver }) => takenOver)) await stops.reach("run.takeover", "after");
        return result;
      },
    },
    reviews: {
      ...reviews,
      decide: (decision) => {
        // The row with which a run goes on becomes durable with the decision.
        const row = decision.next === undefined ? [] : pointsOfRow(decision.next);
        return around(new Set<PointName>(["review.decide", ...row]), () => storage.reviews.decide(decision));
      },
    },
    budgets: {
      ...budgets,
      reserve: (request) => {
        const point = request.key.startsWith("model:") ? "reserve.turn" : "reserve.call";
        return around(new Set<PointName>([point]), () => storage.budgets.reserve(request));
      },
    },
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  };
}
