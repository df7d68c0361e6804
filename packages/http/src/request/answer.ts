import { errorBodyOf, ProcedoError, type ErrorBody } from "@procedo/contract";
import type { EventStream } from "../live/event-stream.ts";
import { htmlPage } from "./html-page.ts";
import type { HttpAnswer, TextAnswer } from "./http-request.ts";

/** Creates an answer with a body, which proxies and browsers must not cache. */
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

/** Creates an endless answer of server-sent events. */
export function streamAnswer(status: number, events: EventStream, requestId: string): HttpAnswer {
  return {
    status,
    headers: [
      "Content-Type",
      "text/event-stream",
      "Cache-Control",
      "no-store",
      "X-Content-Type-Options",
      "nosniff",
      // Asks nginx to pass each event on at once.
      "X-Accel-Buffering",
      "no",
      "X-Request-Id",
      requestId,
    ],
    body: events,
    cut: events.cut,
    isEndless: true,
  };
}

/** Creates an answer without a body. */
export function emptyAnswer(status: number, requestId: string, moreHeaders: readonly string[] = []): TextAnswer {
  return { status, headers: ["Cache-Control", "no-store", "X-Request-Id", requestId, ...moreHeaders], body: "" };
}

/** Creates an answer whose body is a text of another media type than JSON. */
export function textAnswer(
  status: number,
  text: string,
  media: string,
  requestId: string,
  moreHeaders: readonly string[] = [],
): TextAnswer {
  return {
    status,
    headers: [
      "Content-Type",
      media,
      "Cache-Control",
      "no-store",
      "X-Content-Type-Options",
      "nosniff",
      "X-Request-Id",
      requestId,
      ...moreHeaders,
    ],
    body: text,
  };
}

/** Creates the answer of an error to a person's browser. */
export function errorPageAnswer(error: ProcedoError, title: string, requestId: string): TextAnswer {
  const text = boundedBody(error, requestId).error;
  const small = `Status ${error.status}, code ${error.code}, request ${requestId}`;
  const { body, media, headers } = htmlPage({ title, text, small });
  return textAnswer(error.status, body, media, requestId, [...headers, ...retryAfter(error, error.status)]);
}

/** Creates the answer of an error to another service: its status, and when to retry. */
export function emptyErrorAnswer(error: ProcedoError, requestId: string): TextAnswer {
  return emptyAnswer(error.status, requestId, retryAfter(error, error.status));
}

/** Suggested delay before a retry, for errors without one of their own. */
const usualRetryMs = 1_000;

/**
 * Maximum length of an error's details, and of its message, in characters. A body of 1 MiB can contain as many faults
 * as bytes, and an answer has to fit into the limits on unread answers (node/unread-answer-limiter.ts).
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

/** @param status - overrides the status of the code, where HTTP has a more specific one */
export function errorAnswer(error: ProcedoError, requestId: string, status = error.status): TextAnswer {
  const headers: string[] = [];
  if (error.code === "unauthorized") headers.push("WWW-Authenticate", "Bearer");
  headers.push(...retryAfter(error, status));
  return jsonAnswer(status, JSON.stringify(boundedBody(error, requestId)), requestId, headers);
}

function retryAfter({ retryAfterMs: given }: ProcedoError, status: number): readonly string[] {
  const retryAfterMs = given ?? (status === 429 || status === 503 ? usualRetryMs : undefined);
  return retryAfterMs === undefined ? [] : ["Retry-After", String(Math.ceil(retryAfterMs / 1000))];
}

/** Creates the answer to an unexpected error. It refers to the log and reveals no detail of the error. */
export function unexpectedError(): ProcedoError {
  return new ProcedoError("internal", "An internal error occurred. The service's log records it under the requestId.");
}
