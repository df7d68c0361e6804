import { LruCache } from "@procedo/contract/syntax";
import type { ServerLog } from "./log.ts";
import type { FiringOutcome } from "./watch-firings.ts";

/** Triggers whose last failure is known, at most. Beyond it, a failure may be logged again. */
const maxTriggers = 10_000;

/**
 * Warns of a trigger that cannot start its runs: once for each reason, until the reason changes or a run starts. A
 * trigger that fails at every event of a busy service does not fill the log.
 */
export function createTriggerLog(log: Pick<ServerLog, "warn">): (outcome: FiringOutcome) => void {
  const reasons = new LruCache<string, string>(maxTriggers);
  return (outcome) => {
    if (outcome.status === "skipped" || outcome.triggerId === undefined) return;
    const { triggerId } = outcome;
    if (outcome.status === "started") return void reasons.delete(triggerId);
    const { reason } = outcome;
    if (reasons.get(triggerId) === reason) return;
    reasons.set(triggerId, reason);
    log.warn("A trigger needs attention: it could not start a run. Its firings name the places.", {
      triggerId,
      reason,
    });
  };
}
