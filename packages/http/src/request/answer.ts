import { errorBodyOf, ProcedoError, type ErrorBody } from "@procedo/contract";
import type { HttpAnswer, TextAnswer } from "./http-request.ts";

/** An answer with a body. Nothing of what the service says may be kept by what stands between. */
export function jsonAnswer<Body extends HttpAnswer["body"]>(
  status: number,
  body: Body,
  requestId: string,
  moreHeaders: readonly string[] = [],
): HttpAnswer & { readonly body: Body } {
  return {
    status,
    headers: [
      "Content-Type",
      "application/json",
      "Cache-Control",
      "no-store",
      "X-Content-Type-Options",
      "nosniff",
      "X-Request-Id",
      requestId,
      ...moreHeaders,
    ],
    body,
  };
}

/** An answer that says everything by its status. */
export function emptyAnswer(status: number, requestId: string): TextAnswer {
  return { status, headers: ["Cache-Control", "no-store", "X-Request-Id", requestId], body: "" };
}

/** What is worth sending again when nothing more is known of when. */
const usualRetryMs = 1_000;

/**
 * Most characters that an error tells of its details, and of its message. A body of 1 MiB can have as many faults as it has
 * bytes, and an answer may not be larger than the limits on unread ones (node/waiting-answers.ts) have room for.
 */
const maxDetailsLength = 64 * 1024;
const maxMessageLength = 4 * 1024;

function boundedBody(error: ProcedoError, requestId: string): ErrorBody {
  const body = errorBodyOf(error, requestId);
  let left = maxDetailsLength;
  const details = body.details?.filter(({ path, message, nodeId = "" }) => {
    const length = path.length + message.length + nodeId.length;
    if (length > left) return false;
    left -= length;
    return true;
  });
  return {
    ...body,
    error: body.error.slice(0, maxMessageLength).toWellFormed(),
    ...(details !== undefined && { details }),
  };
}

/** @param status - another than the code's, where HTTP has one of its own */
export function errorAnswer(error: ProcedoError, requestId: string, status = error.status): TextAnswer {
  const headers: string[] = [];
  if (error.code === "unauthorized") headers.push("WWW-Authenticate", "Bearer");
  const retryAfterMs = error.retryAfterMs ?? (status === 429 || status === 503 ? usualRetryMs : undefined);
  if (retryAfterMs !== undefined) headers.push("Retry-After", String(Math.ceil(retryAfterMs / 1000)));
  return jsonAnswer(status, JSON.stringify(boundedBody(error, requestId)), requestId, headers);
}

/** What is told of an error that nobody foresaw: where to look it up, nothing of what it says. */
export function unexpectedError(): ProcedoError {
  return new ProcedoError("internal", "An internal error occurred. The service's log records it under the requestId.");
}
