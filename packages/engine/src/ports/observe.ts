import type { Entry, RunState } from "@procedo/procedure";
import { errorText, type Log } from "./log.ts";

/**
 * Told of the entries of each journal row, in order, once the row is durable: enough to derive metrics and traces from.
 * By the process that wrote the row; not of rows that were written before a crash. It is called between a run's steps
 * and must be quick.
 */
export type Observe = (run: RunState["facts"], entries: readonly Entry[]) => void;

/** An observer that fails is no reason for a run to do so. */
export function harmless(observe: Observe | undefined, log: Log): Observe {
  if (observe === undefined) return () => {};
  return (run, entries) => {
    try {
      observe(run, entries);
    } catch (error) {
      log.warn("The observer failed.", { runId: run.runId, error: errorText(error) });
    }
  };
}
