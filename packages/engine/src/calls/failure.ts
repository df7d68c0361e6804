import type { JsonValue } from "@procedo/contract";
import { ActionError } from "../integrations/action-error.ts";
import type { Exchange } from "../integrations/integration.ts";
import { EgressError } from "../egress/egress-error.ts";
import { errorText } from "../ports/log.ts";

/** Longest message of a failure in the record, in characters. */
export const maxMessageLength = 2_000;

/** A failed attempt, and its effect as far as known. */
export type Failure = {
  readonly effect: "none" | "unknown";
  /** Whether a repetition of the call may succeed. */
  readonly retryable: boolean;
  /**
   * The worker had to stop or was too late before the call started, or the service refused the connection's access token, so
   * there is no effect.
   */
  readonly notStarted?: true;
  /**
   * The other service refused because of another operation in progress, perhaps an earlier attempt of the same call.
   */
  readonly conflict?: true;
  /** The thrown message, neither redacted nor cut. */
  readonly message: string;
  readonly details?: JsonValue;
  readonly retryAfterMs?: number;
  /** The request and its response, as the action reports them. */
  readonly exchange?: Exchange;
};

/**
 * Reads the exception of an action. An `ActionError` is trusted, also as the cause of another error. An error of the
 * guarded client describes its last request, and thus the attempt, unless an earlier request may have had an effect.
 * For any other exception the effect is unknown.
 *
 * @param abortedBy the reason for which the engine ended the attempt, if it did
 */
export function readFailure(error: unknown, mayHaveActed: boolean, abortedBy?: Error): Failure {
  const message = messageOf(abortedBy !== undefined && isAbort(error, abortedBy) ? abortedBy : error);
  // Not a failure of the call: it is made once the connection is authorized, under any retry policy.
  const isUnauthorized = !mayHaveActed && [...causes(error)].some(isWithoutToken);
  for (const cause of causes(error)) {
    if (cause instanceof ActionError) {
      return {
        effect: cause.outcome === "unknown" ? "unknown" : "none",
        retryable: cause.mayRetry || cause.outcome === "unknown",
        message,
        ...(isUnauthorized && cause.outcome === "not_sent" && { notStarted: true as const }),
        ...(cause.outcome === "conflict" && { conflict: true as const }),
        ...(cause.failureDetails === undefined ? {} : { details: cause.failureDetails }),
        ...(cause.retryAfterMs === undefined ? {} : { retryAfterMs: cause.retryAfterMs }),
        ...(cause.exchange === undefined ? {} : { exchange: cause.exchange }),
      };
    }
    if (cause instanceof EgressError) {
      // A refused destination, request or header is refused again.
      const isPermanent = cause.failure === "destination" || cause.failure === "request";
      const none = cause.sent === "no" && !mayHaveActed;
      const notStarted = isUnauthorized && none ? { notStarted: true as const } : {};
      return { effect: none ? "none" : "unknown", retryable: !isPermanent, message, ...notStarted };
    }
  }
  // An exception right after an abort is a consequence of it.
  return { effect: "unknown", retryable: true, message: abortedBy?.message ?? message };
}

function isWithoutToken(cause: object): boolean {
  return cause instanceof EgressError && cause.failure === "unauthorized";
}

/** Whether an exception is caused by the engine's signal: the signal's reason, or an error in place of that reason. */
function isAbort(error: unknown, reason: Error): boolean {
  for (const cause of causes(error)) {
    if (cause === reason) return true;
    if (cause instanceof EgressError && (cause.failure === "aborted" || cause.failure === "timeout")) return true;
    if (cause instanceof Error && cause.name === "AbortError") return true;
  }
  return false;
}

/** The error and its causes, of at most eight levels. */
export function* causes(error: unknown): Generator<object> {
  let at = error;
  for (let depth = 0; depth < 8 && typeof at === "object" && at !== null; depth++) {
    yield at;
    at = (at as { cause?: unknown }).cause;
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error || typeof error === "string" ? errorText(error) : "";
  return text === "" ? "The action failed without a message." : text;
}
