import { retryAfterMs } from "@procedo/contract/syntax";
import type { ClaimedDelivery } from "@procedo/storage";
import { EgressError } from "../egress/egress-error.ts";
import type { Egress, EgressResponse } from "../egress/egress.ts";
import type { Clock } from "../ports/clock.ts";
import { envelopeOf, signedHeaders } from "./envelope.ts";
import type { Receiver } from "./receivers.ts";

/** Bound on an attempt from resolving the name to the last byte that is read, in milliseconds. */
const timeoutMs = 15_000;

/** Only the status counts. This much of the response body is read, so that the connection can be reused. */
const maxAnswerBytes = 20_480;

/** The outcome of an attempt. */
export type AttemptEnd =
  | { readonly kind: "accepted"; readonly responseCode: number }
  | {
      readonly kind: "failed";
      readonly responseCode: number | undefined;
      /** Class of the failure. */
      readonly failure: string;
      /** Description of the failure, for people. */
      readonly error: string;
      readonly retryAfterMs: number | undefined;
    }
  /** The sender was stopped before anything was sent. */
  | { readonly kind: "unsent"; readonly error: string };

/**
 * Sends a delivery once. A failure of the request is an outcome, not an exception.
 *
 * @throws ProcedoError `decryption_failed`
 */
export async function attemptDelivery(
  ports: { readonly egress: Pick<Egress, "fetch">; readonly clock: Pick<Clock, "now"> },
  delivery: ClaimedDelivery,
  { url, secrets }: Receiver,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { egress, clock } = ports;
  const signing = secrets();
  try {
    const body = envelopeOf(delivery);
    const answer = await egress.fetch({
      url,
      method: "POST",
      headers: signedHeaders(body, signing, clock.now()),
      body,
      timeoutMs,
      maxResponseBytes: maxAnswerBytes,
      onOversize: "truncate",
      signal,
    });
    return judge(answer, clock.now());
  } catch (error) {
    return failed(error);
  }
}

function judge(answer: EgressResponse, nowMs: number): AttemptEnd {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: "accepted", responseCode: status };
  const isRedirect = status >= 300 && status < 400;
  const isRateLimited = status === 429 || status === 503;
  return {
    kind: "failed",
    responseCode: status,
    failure: isRedirect ? "redirect" : "status",
    error: isRedirect
      ? `The receiver answered ${status}, and redirects are not followed. Set the webhook's URL to the target of the redirect.`
      : `The receiver answered ${status}.`,
    retryAfterMs: isRateLimited ? retryAfterMs(answer.headers.get("retry-after"), nowMs) : undefined,
  };
}

function failed(error: unknown): AttemptEnd {
  if (!(error instanceof EgressError)) {
    const text = error instanceof Error ? error.message : String(error);
    return { kind: "failed", responseCode: undefined, failure: "internal", error: text, retryAfterMs: undefined };
  }
  const { failure, sent, responseStatus: responseCode, message } = error;
  const stopped = failure === "aborted" || failure === "closed";
  if (stopped && sent === "no") return { kind: "unsent", error: message };
  const code = systemCode(error.cause);
  const detail = code === undefined ? message : `${message} (${code})`;
  return { kind: "failed", responseCode, failure, error: detail, retryAfterMs: undefined };
}

/**
 * The system error code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`, of the cause or of the first of several causes.
 */
function systemCode(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null) return undefined;
  if ("code" in cause && typeof cause.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(cause.code)) return cause.code;
  return cause instanceof AggregateError ? systemCode(cause.errors[0]) : undefined;
}
