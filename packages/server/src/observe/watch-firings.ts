import type { ClaimedFiring, FiringSettlement, Storage } from "@procedo/storage";

/** The end of a firing. */
export type FiringOutcome =
  | {
      readonly status: "started";
      readonly triggerId: string;
      /** Time from its nominal time or its arrival to the start of its run; `undefined` after another process's claim. */
      readonly lateMs: number | undefined;
    }
  | {
      readonly status: "skipped";
      readonly reason: string;
      /** How many occurrences. */
      readonly count: number;
    }
  | { readonly status: "failed"; readonly reason: string; readonly triggerId: string | undefined };

/** Firings of this process whose run or reason is not known yet, at most; beyond it, the oldest is forgotten. */
const maxClaimed = 10_000;

/** Wraps a storage and calls `observe` with the end of each firing, as storage accepts it. */
export function watchFirings(storage: Storage, observe: (outcome: FiringOutcome) => void): Storage {
  const { runs, inbox, reviews, invocations, budgets, workers } = storage;
  const { deliveries, triggers, procedures, records, sessions, audit, retention } = storage;
  const claimed = new Map<string, ClaimedFiring>();
  const forget = (firingId: string): ClaimedFiring | undefined => {
    const firing = claimed.get(firingId);
    claimed.delete(firingId);
    return firing;
  };
  const remember = (firing: ClaimedFiring): void => {
    claimed.set(firing.firingId, firing);
    const [oldest] = claimed.keys();
    if (claimed.size > maxClaimed && oldest !== undefined) claimed.delete(oldest);
  };
  const observeSettled = ({ firingId, next }: FiringSettlement): void => {
    const triggerId = forget(firingId)?.triggerId;
    if (next.status === "skipped") observe({ status: "skipped", reason: next.reason, count: 1 });
    if (next.status === "failed") observe({ status: "failed", reason: next.reason, triggerId });
  };

  return {
    inbox,
    reviews,
    invocations,
    budgets,
    workers,
    deliveries,
    procedures,
    records,
    sessions,
    audit,
    retention,
    runs: {
      ...runs,
      commit: async (commit) => {
        const result = await runs.commit(commit);
        const firing = commit.create?.firing;
        if (firing === undefined) return result;
        const known = forget(firing.firingId);
        if (result.status === "committed") {
          observe({ status: "started", triggerId: firing.triggerId, lateMs: latenessOf(known, commit.create) });
        }
        return result;
      },
    },
    triggers: {
      ...triggers,
      take: async (batch) => {
        const results = await triggers.take(batch);
        if (results === "backlog") return results;
        for (const [index, { skip }] of batch.events.entries()) {
          const result = results[index];
          if (skip === undefined || result?.status !== "taken") continue;
          observe({ status: "skipped", reason: skip, count: result.firings });
        }
        return results;
      },
      advance: async (items) => {
        const results = await triggers.advance(items);
        for (const [index, { firings }] of items.entries()) {
          if (results[index] !== "advanced") continue;
          for (const { skipped } of firings) {
            if (skipped !== undefined) observe({ status: "skipped", ...skipped });
          }
        }
        return results;
      },
      claim: async (request) => {
        const result = await triggers.claim(request);
        for (const { reason, count } of result.skipped) observe({ status: "skipped", reason, count });
        result.firings.forEach(remember);
        return result;
      },
      settle: async (items) => {
        const results = await triggers.settle(items);
        for (const [index, item] of items.entries()) {
          if (results[index] === "settled") observeSettled(item);
          else forget(item.firingId);
        }
        return results;
      },
    },
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  };
}

function latenessOf(
  firing: ClaimedFiring | undefined,
  created: { readonly createdAtMs: number } | undefined,
): number | undefined {
  if (firing === undefined || created === undefined) return undefined;
  // Two clocks are compared, and one may be behind.
  return Math.max(0, created.createdAtMs - (firing.scheduledAtMs ?? firing.receivedAtMs));
}
