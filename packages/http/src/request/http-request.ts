import { ProcedoError, type Environment } from "@procedo/contract";

/** A request as the interface reads it, independent of Node's and the web's request types. */
export interface HttpRequest {
  /** Upper-case method. */
  readonly method: string;
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** Query without the question mark; empty if absent. */
  readonly query: string;
  /** Network address of the caller, from the socket. `undefined` when unknown; then no address is recorded. */
  readonly address: string | undefined;
  /** Value of a header by its lower-case name; several values are joined by `, `. */
  header(name: string): string | undefined;
  /**
   * Every header with its lines, by its lower-case name, in the order in which they arrived. A web `Request` has joined
   * several lines already.
   */
  headers(): ReadonlyMap<string, readonly string[]>;
  /**
   * Reads the body, once. No part of the body is read before this call, so that a refused request costs no reading.
   * Rejects with `internal` if the server's own code read the body before.
   *
   * @param coming called with the number of bytes so far after each part; an error that it throws ends the read
   * @param signal aborts the read with the signal's reason
   */
  readBody(maxBytes: number, coming: (bytes: number) => void, signal?: AbortSignal): Promise<BodyRead>;
  /** Fires when the caller no longer waits for the answer, or the answer is due now. Used only by long waits. */
  waitSignal(): AbortSignal;
  /**
   * Like `waitSignal`, but also fires as soon as the service begins to close, for polls that can be answered at any
   * time.
   */
  pollSignal(): AbortSignal;
}

/** The error for a body that the server's own code read before the interface. */
export function bodyAlreadyRead(): ProcedoError {
  const message =
    "The body of this request was read before the request reached Procedo. In the server that embeds Procedo, mount " +
    "its handler before any body parser, such as express.json(), or exempt its paths from the parser.";
  return new ProcedoError("internal", message);
}

/** The outcome of reading a request's body. */
export type BodyRead =
  | {
      readonly kind: "whole";
      /** The complete body. */
      readonly bytes: Uint8Array;
    }
  /** The declared or actual size exceeds `maxBytes`. */
  | { readonly kind: "too_large" }
  /** The caller disconnected before the body was complete. */
  | { readonly kind: "cut" };

/** An answer, independent of the listener that sends it. */
export interface HttpAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /**
   * Text or bytes, empty for no body; or the text's pieces, produced on demand. A reader that stops early calls the
   * iterator's `return`.
   */
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncIterable<string>;
  /** For an answer in pieces: fires when no more of it may be sent. Its connection is then closed in mid-answer. */
  readonly cut?: AbortSignal;
  /**
   * For an answer in pieces: whether these come over time, so that the answer may take as long as it wants. Its
   * connection is closed afterwards.
   *
   * @defaultValue false: the caller has to take the answer within a minute
   */
  readonly isEndless?: boolean;
  /** Owner of the memory while the answer is unread. @defaultValue none, when no key or session was recognized */
  readonly owner?: AnswerOwner;
}

/** The recipient of an answer: an API key, a person's session, or a private connection's token. */
export interface AnswerOwner {
  /** Identifies the API key, the session or the token. */
  readonly key: string;
  /** The environment of the request; `undefined` for one that concerns the workspace as a whole. */
  readonly environment: Environment | undefined;
}

/** An answer whose body is complete. */
export interface TextAnswer extends HttpAnswer {
  readonly body: string;
}

/** Whether a body is complete, and not produced piece by piece. */
export function isWhole(body: HttpAnswer["body"]): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array;
}
