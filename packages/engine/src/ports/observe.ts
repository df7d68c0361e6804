import type { Entry, RunState } from "@procedo/procedure";
import { errorText, type Log } from "./log.ts";

/**
 * Receives the entries of each journal row, in order, once the row is durable: enough to derive metrics and traces. The
 * process that wrote the row calls it; rows that were written before a crash are not repeated. It is called between the
 * steps of a run and must be fast.
 */
export type Observe = (run: RunState["facts"], entries: readonly Entry[]) => void;

/** Logs the exceptions of an observer, so that they do not fail the run. */
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
