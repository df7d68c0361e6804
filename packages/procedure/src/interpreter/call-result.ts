import type { JsonValue } from "@procedo/contract";
import type { StepError } from "./step-error.ts";

/** A recorded request and its answer, without secrets and within the limits of a step. */
export interface RecordedExchange {
  /** The request as it was sent. */
  readonly request: RecordedMessage & {
    /** The HTTP method. */
    readonly method: string;
    /** The complete address. */
    readonly url: string;
  };
  /** Absent if none was received. */
  readonly response?: RecordedMessage & {
    /** The HTTP status. */
    readonly status: number;
  };
  /** A note about omitted parts. */
  readonly note?: string;
}

/** A message of a recorded conversation. */
export interface RecordedMessage {
  /** The headers, by name. */
  readonly headers: { readonly [name: string]: string };
  /** Absent for a successful answer, whose body is the result's output. */
  readonly body?: JsonValue;
}

/** The result of a call: its output, an error, or an unknown outcome. */
export type CallResult =
  | {
      readonly status: "ok";
      /** The output of the call. */
      readonly output: JsonValue;
    }
  /** The call did not do its work, or the service answered that it failed. */
  | { readonly status: "error"; readonly error: StepError }
  /**
   * The request may have been sent, and its result is not known. `answered`: the other side has answered, but the
   * answer does not tell the result; no late answer will follow.
   */
  | { readonly status: "unknown"; readonly reason: string; readonly answered?: true };
