import type { JsonValue } from "@procedo/contract";

/** The reason why a step failed. */
export interface StepError {
  /** The reason, for people. */
  readonly message: string;
  /**
   * `limit`: a value exceeded the size or depth limit of a run, which ends the run. `not_started`: the worker stopped
   * or was too late before this attempt's call began, or the service refused the connection's access token; the call is made
   * again. `action_unavailable`: the call's
   * connection or action was missing, could not be used, or had changed since the call was decided on.
   */
  readonly code?: "limit" | "not_started" | "action_unavailable";
  /** Details of the other service's answer. Absent: it did not answer. */
  readonly details?: JsonValue;
}
