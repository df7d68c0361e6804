import type { Dispatcher } from "undici";
import { milliseconds } from "../ports/milliseconds.ts";
import { EgressError, type EgressFailure, type Sent } from "./egress-error.ts";
import type { Hop } from "./redirect.ts";

/** The reason why a request must end. */
export type Stop =
  | { readonly failure: Extract<EgressFailure, "timeout">; readonly timeoutMs: number }
  /** `cause`: the reason of the caller's signal. */
  | { readonly failure: Extract<EgressFailure, "aborted">; readonly cause: unknown };

/** Stops the hop in progress. An `AbortSignal` for each request would cost as much as sending the request. */
export interface Stopping {
  reason: Stop | undefined;
  notify: (() => void) | undefined;
}

export interface ExchangeOptions {
  readonly hop: Hop;
  readonly stopping: Stopping;
  readonly maxResponseBytes: number;
  readonly onOversize: "error" | "truncate";
  readonly beforeSend: (() => string | undefined) | undefined;
}

export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Exchanged {
  readonly status: number;
  readonly headers: RawHeaders;
  /** May be a view of a larger buffer, which must not be transferred. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

/**
 * Sends one request over a dispatcher and reads its answer. It knows at each moment whether the request may have been
 * sent: undici announces a request immediately before it writes the first byte, in the same turn of the event loop.
 *
 * @throws EgressError
 */
export function exchange(dispatcher: Dispatcher, options: ExchangeOptions): Promise<Exchanged> {
  const { hop, stopping } = options;
  const answer = Promise.withResolvers<Exchanged>();
  const body = boundedBody(options.maxResponseBytes);
  let sent: Sent = "no";
  let settled = false;
  let head: Pick<Exchanged, "status" | "headers"> | undefined;
  let connection: Dispatcher.DispatchController | undefined;

  function settle(): boolean {
    if (settled) return false;
    settled = true;
    stopping.notify = undefined;
    return true;
  }

  function succeed(truncated: boolean): void {
    if (head !== undefined && settle()) answer.resolve({ ...head, body: body.bytes(), truncated });
  }

  function fail(failure: EgressFailure, message: string, cause?: unknown): void {
    // Once the status is known, a caller that accepts a truncated body also accepts an interrupted or late one.
    const enough = head !== undefined && options.onOversize === "truncate" && failure !== "aborted";
    if (enough) succeed(true);
    else if (settle()) {
      answer.reject(new EgressError(failure, message, { sent, responseStatus: head?.status, cause }));
    }
  }

  function onStop(): void {
    if (stopping.reason === undefined) return;
    const { reason } = stopping;
    fail(
      reason.failure,
      stopMessage(reason, hop.url.host, { sent, responseStarted: head !== undefined }),
      reason.failure === "aborted" ? reason.cause : undefined,
    );
    connection?.abort(new Error("the request was stopped"));
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      connection = controller;
      if (settled) return controller.abort(new Error("the request was stopped before it was sent"));
      if (sent === "maybe") {
        fail("connection_lost", `The connection to "${hop.url.host}" was lost.`);
        return controller.abort(new Error("a request is never sent twice"));
      }
      const withheld = askBeforeSend(options.beforeSend);
      if (withheld !== undefined) {
        fail("withheld", `The request to "${hop.url.host}" was not sent: ${withheld.why}`, withheld.cause);
        return controller.abort(new Error("the request was withheld"));
      }
      sent = "maybe";
    },
    onResponseStart(_controller, status, headers) {
      if (status >= 200) head = { status, headers };
    },
    onResponseData(controller, chunk) {
      if (body.push(chunk)) return;
      fail("too_large", `The answer of "${hop.url.host}" is longer than ${options.maxResponseBytes} bytes.`);
      controller.abort(new Error("the answer is too long"));
    },
    onResponseEnd() {
      succeed(false);
    },
    onResponseError(_controller, error: unknown) {
      if (error instanceof EgressError) {
        if (settle()) answer.reject(error);
        return;
      }
      fail(...describe(error, sent, hop.url.host));
    },
  };

  if (stopping.reason !== undefined) onStop();
  else {
    stopping.notify = onStop;
    dispatcher.dispatch(
      {
        origin: hop.url.origin,
        path: hop.url.pathname + hop.url.search,
        method: hop.method,
        headers: hop.headers,
        body: hop.body ?? null,
        // The caller's deadline is the only one.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  }
  return answer.promise;
}

function boundedBody(maxBytes: number) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    /** Adds a chunk, or the part of it that fits. Returns whether all of it fitted. */
    push(chunk: Uint8Array): boolean {
      const room = maxBytes - length;
      const kept = chunk.byteLength > room ? chunk.subarray(0, room) : chunk;
      chunks.push(kept);
      length += kept.byteLength;
      return kept.byteLength === chunk.byteLength;
    },
    /** The body. A single chunk is not copied. */
    bytes(): Uint8Array {
      const [first] = chunks;
      if (first !== undefined && chunks.length === 1) {
        return new Uint8Array(first.buffer, first.byteOffset, first.byteLength);
      }
      const whole = new Uint8Array(length);
      let offset = 0;
      for (const chunk of chunks) {
        whole.set(chunk, offset);
        offset += chunk.byteLength;
      }
      return whole;
    },
  };
}

function askBeforeSend(beforeSend: ExchangeOptions["beforeSend"]): { why: string; cause?: unknown } | undefined {
  try {
    const why = beforeSend?.();
    return why === undefined ? undefined : { why };
  } catch (cause) {
    return { why: "the check before sending failed.", cause };
  }
}

/** The message for a stopped request, with the caller's reason unless it is the default `AbortError`. */
function stopMessage(
  reason: Stop,
  host: string,
  known: { readonly sent: Sent; readonly responseStarted: boolean },
): string {
  if (reason.failure === "timeout") {
    const span = milliseconds(reason.timeoutMs);
    if (known.sent === "no") return `The request to "${host}" could not be sent within ${span}.`;
    return `"${host}" did not ${known.responseStarted ? "finish its answer" : "answer"} within ${span}.`;
  }
  const { cause } = reason;
  const why = cause instanceof Error && cause.name !== "AbortError" ? cause.message : "";
  return why === ""
    ? `The request to "${host}" was aborted by its caller.`
    : `The request to "${host}" was stopped: ${why}`;
}

function describe(error: unknown, sent: Sent, host: string): [EgressFailure, string, unknown?] {
  if (sent === "no") return ["request", `The request to "${host}" is not valid HTTP.`, error];
  // The parser's error contains a part of the answer, so it is not kept as the cause. Its message is a fixed text.
  if (error instanceof Error && error.name === "HTTPParserError") {
    return ["response", `The answer of "${host}" is not valid HTTP. ${error.message}.`];
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("UND_ERR_HEADERS_OVERFLOW") || code.startsWith("UND_ERR_RES_")) {
    return ["response", `The answer of "${host}" is not valid HTTP.`, error];
  }
  return ["connection_lost", `The connection to "${host}" was lost before the answer was whole.`, error];
}
