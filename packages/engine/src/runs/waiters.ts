import type { RunOutcome } from "./run-outcome.ts";
import { createTransientMap } from "./transient-map.ts";

/** The callers in this process that wait for the outcome of a run. */
export interface Waiters {
  /** Calls back once: with the next outcome that this process sees, or `changed`. The returned function cancels the wait. */
  wait(runId: string, callback: (outcome: RunOutcome | "changed") => void): () => void;
  /** This process has ended the run or parked it at a review, durably. */
  settled(outcome: RunOutcome): void;
  /** Another process has changed the run: its waiters read it again. */
  changed(runId: string): void;
  /** Any run may have changed. */
  allChanged(): void;
}

export function createWaiters(): Waiters {
  const waiting = createTransientMap<((outcome: RunOutcome | "changed") => void)[]>();
  const tell = (runId: string, outcome: RunOutcome | "changed"): void => {
    const callbacks = waiting.get(runId);
    if (callbacks === undefined) return;
    waiting.delete(runId);
    for (const callback of callbacks) callback(outcome);
  };
  return {
    wait: (runId, callback) => {
      const callbacks = waiting.get(runId);
      if (callbacks === undefined) waiting.set(runId, [callback]);
      else callbacks.push(callback);
      return () => {
        const left = waiting.get(runId)?.filter((each) => each !== callback) ?? [];
        if (left.length > 0) waiting.set(runId, left);
        else waiting.delete(runId);
      };
    },
    settled: (outcome) => tell(outcome.runId, outcome),
    changed: (runId) => tell(runId, "changed"),
    allChanged: () => {
      for (const [runId] of [...waiting.entries()]) tell(runId, "changed");
    },
  };
}
