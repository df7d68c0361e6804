import type { JsonObject } from "@procedo/contract";
import type { RunResult } from "@procedo/procedure";

/** How a run ended, or that it waits for a person. `timeout`: the run was still executing when the time was over. */
export type RunOutcome =
  | {
      readonly runId: string;
      readonly status: "completed";
      readonly output: JsonObject;
      readonly completedAtMs: number;
    }
  | { readonly runId: string; readonly status: "failed"; readonly error: string; readonly completedAtMs: number }
  | { readonly runId: string; readonly status: "awaiting_review" }
  | { readonly runId: string; readonly status: "timeout" };

export function endedOutcome(runId: string, result: RunResult, completedAtMs: number): RunOutcome {
  return { runId, ...result, completedAtMs };
}
