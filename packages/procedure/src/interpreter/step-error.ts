import type { JsonValue } from "@procedo/contract";

/** Why a step failed. */
export interface StepError {
  readonly message: string;
  /**
   * `limit`: a value was larger or deeper than a run's may be, which ends the run. `not_started`: the worker stopped or was
   * too late before this attempt's call began; the call is made again.
   */
  readonly code?: "limit" | "not_started";
  readonly details?: JsonValue;
}
