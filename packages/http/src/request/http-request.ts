import type { Environment } from "@procedo/contract";

/** A request as far as the interface looks at it: what a listener and a web `Request` both have, made by neither. */
export interface HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** Path as it was sent, percent-encoding included, without the query. */
  readonly path: string;
  /** Without its question mark; empty when there is none. */
  readonly query: string;
  /** Network address of the caller, as the socket tells it. `undefined`: unknown, and no address is recorded. */
  readonly address: string | undefined;
  /** A header's value by its name in small letters; several of one name joined by `, `. */
  header(name: string): string | undefined;
  /**
   * Reads the body, once. Nothing of it is read before, so that what is refused costs nothing.
   *
   * @param coming is told how much of it has come, with each part; what it throws ends the reading
   * @param signal ends the reading with its reason
   */
  readBody(maxBytes: number, coming: (bytes: number) => void, signal?: AbortSignal): Promise<BodyRead>;
  /** Gives notice when nobody waits for the answer any more, or it has to be given now. Asked for by long waits only. */
  waitSignal(): AbortSignal;
  /** The same for an answer that can be given at any time: also as soon as the service closes. */
  pollSignal(): AbortSignal;
}

/** The outcome of reading a request's body. */
export type BodyRead =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  /** More than `maxBytes`, as declared or as it came. */
  | { readonly kind: "too_large" }
  /** The caller went away before all of it had come. */
  | { readonly kind: "cut" };

/** What is sent back, whoever sends it. */
export interface HttpAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** JSON text, empty for none; or its pieces, made as they are taken. Who stops taking them calls the iterator's `return`. */
  readonly body: string | AsyncIterable<string>;
  /** Of an answer in pieces: fires when no more of it may be sent. Its connection is then closed in the middle of it. */
  readonly cut?: AbortSignal;
  /** Whose memory it is while it waits for its caller. @defaultValue none: no key was recognized */
  readonly owner?: AnswerOwner;
}

/** The key, or the private connection's token, that an answer is for. */
export interface AnswerOwner {
  readonly key: string;
  readonly environment: Environment;
}

/** An answer that is made already. */
export interface TextAnswer extends HttpAnswer {
  readonly body: string;
}
