import type { JsonObject } from "@procedo/contract";
import type { RunResult } from "@procedo/procedure";

/** How a run ended, or that it waits for a person. `timeout`: the run was still executing when the time was over. */
export type RunOutcome =
  | {
      /** Identifier of the run. */
      readonly runId: string;
      readonly status: "completed";
      /** Output of the run. */
      readonly output: JsonObject;
      /** Time of the run's end, in milliseconds since the epoch. */
      readonly completedAtMs: number;
    }
  | {
      /** Identifier of the run. */
      readonly runId: string;
      readonly status: "failed";
      /** Message of the failure. */
      readonly error: string;
      /** Time of the run's end, in milliseconds since the epoch. */
      readonly completedAtMs: number;
    }
  | {
      /** Identifier of the run. */
      readonly runId: string;
      readonly status: "awaiting_review";
    }
  | {
      /** Identifier of the run. */
      readonly runId: string;
      readonly status: "timeout";
    };

export function endedOutcome(runId: string, result: RunResult, completedAtMs: number): RunOutcome {
  return { runId, ...result, completedAtMs };
}
