import type { JsonValue } from "@procedo/contract";
import { ActionError } from "../integrations/action-error.ts";
import type { Exchange } from "../integrations/integration.ts";
import { EgressError } from "../egress/egress-error.ts";
import { errorText } from "../ports/log.ts";

/** Of a failure's message in the record, in characters. */
export const maxMessageLength = 2_000;

/** How an attempt went wrong, by what is known of its effect. */
export type Failure = {
  readonly effect: "none" | "unknown";
  /** Whether the same call is worth making again at all. */
  readonly retryable: boolean;
  /** The call had not started when its worker had to stop or was too late; then there is no effect. */
  readonly notStarted?: true;
  /** The other side refused because of something else that goes on there: perhaps an earlier attempt of the same call. */
  readonly conflict?: true;
  /** As it was thrown: neither redacted nor cut. */
  readonly message: string;
  readonly details?: JsonValue;
  readonly retryAfterMs?: number;
  /** What went over the wire, as the action tells it. */
  readonly exchange?: Exchange;
};

/**
 * Reads an action's exception. What the action itself says is believed, also as the cause of another error; what the
 * guarded client says of its last request holds for the attempt as long as no earlier request can have done anything.
 * Of anything else the effect is unknown.
 *
 * @param abortedBy why the engine ended the attempt, if it did; the reason of an exception that this has caused
 */
export function readFailure(error: unknown, mayHaveActed: boolean, abortedBy?: Error): Failure {
  const message = messageOf(abortedBy !== undefined && isAbort(error, abortedBy) ? abortedBy : error);
  for (const cause of causes(error)) {
    if (cause instanceof ActionError) {
      return {
        effect: cause.outcome === "unknown" ? "unknown" : "none",
        retryable: cause.mayRetry || cause.outcome === "unknown",
        message,
        ...(cause.outcome === "conflict" && { conflict: true as const }),
        ...(cause.failureDetails === undefined ? {} : { details: cause.failureDetails }),
        ...(cause.retryAfterMs === undefined ? {} : { retryAfterMs: cause.retryAfterMs }),
        ...(cause.exchange === undefined ? {} : { exchange: cause.exchange }),
      };
    }
    if (cause instanceof EgressError) {
      // A destination, request or header that was refused once is refused the next time as well.
      const hopeless = cause.failure === "destination" || cause.failure === "request";
      const none = cause.sent === "no" && !mayHaveActed;
      return { effect: none ? "none" : "unknown", retryable: !hopeless, message };
    }
  }
  // Whatever ends an action right after it was aborted comes of that.
  return { effect: "unknown", retryable: true, message: abortedBy?.message ?? message };
}

/** Whether an exception comes of the signal that the engine gave: its reason, or what is thrown in the place of that. */
function isAbort(error: unknown, reason: Error): boolean {
  for (const cause of causes(error)) {
    if (cause === reason) return true;
    if (cause instanceof EgressError && (cause.failure === "aborted" || cause.failure === "timeout")) return true;
    if (cause instanceof Error && cause.name === "AbortError") return true;
  }
  return false;
}

/** The error and its chain of causes, as far as it is one. */
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
