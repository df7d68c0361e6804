import type { JsonValue } from "@procedo/contract";

/** The reason why a step failed. */
export interface StepError {
  /** The reason, for people. */
  readonly message: string;
  /**
   * `limit`: a value exceeded the size or depth limit of a run, which ends the run. `not_started`: the worker stopped
   * or was too late before this attempt's call began; the call is made again.
   */
  readonly code?: "limit" | "not_started";
  /** Details of the other service's answer. Absent: it did not answer. */
  readonly details?: JsonValue;
}
