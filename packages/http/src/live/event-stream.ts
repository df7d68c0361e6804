import type { Clock } from "@procedo/engine";

/** The source of a stream's text, from its begin to `stop`. */
export interface StreamSource {
  /** The text that the stream begins with. */
  readonly first: string;
  /** The text that is sent while nothing else is, so that proxies keep the connection. */
  heartbeat(): string;
  /** Ends the calls of `write`. */
  stop(): void;
}

export const heartbeatMs = 15_000;
/** A reader connects again after this time, so that streams spread over the nodes of a service. */
export const longestMs = 60 * 60_000;
/** A reader that takes nothing for this time is dropped. */
export const untakenMs = 30_000;
/** Characters that may wait for a reader. A reader that is this far behind is dropped. */
export const untakenLength = 256 * 1024;

/**
 * The endless body of an answer: text that is written as it comes, and read in pieces. The text that waits for a slow
 * reader is bounded.
 */
export class EventStream implements AsyncIterableIterator<string> {
  readonly #clock: Pick<Clock, "after">;
  readonly #source: StreamSource;
  readonly #cut = new AbortController();
  readonly #cancelEnd: () => void;
  #onEnd: readonly (() => void)[] = [];
  #waiting: ((piece: IteratorResult<string>) => void) | undefined;
  #untaken: string[] = [];
  #untakenLength = 0;
  #cancelDrop: (() => void) | undefined;
  #cancelHeartbeat: (() => void) | undefined;
  #isEnded = false;

  /**
   * @param open - begins the source, which calls `write`
   * @param signal - ends the stream
   */
  constructor(clock: Pick<Clock, "after">, open: (write: (text: string) => void) => StreamSource, signal: AbortSignal) {
    this.#clock = clock;
    this.#source = open((text) => this.#write(text));
    this.#cancelEnd = clock.after(longestMs, () => this.#end());
    this.#write(this.#source.first);
    this.#beatLater();
    if (signal.aborted) this.#end();
    else signal.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** Fires when the reader was dropped, whose connection is then closed. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Calls back when the stream has ended, for any reason. */
  whenEnded(callback: () => void): void {
    if (this.#isEnded) callback();
    else this.#onEnd = [...this.#onEnd, callback];
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<string>> {
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    if (this.#untaken.length === 0) return new Promise((resolve) => (this.#waiting = resolve));
    const value = this.#untaken.join("");
    this.#taken();
    return Promise.resolve({ value });
  }

  return(): Promise<IteratorResult<string>> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  #write(text: string): void {
    if (this.#isEnded || text === "") return;
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting({ value: text });
      return;
    }
    this.#untaken.push(text);
    this.#untakenLength += text.length;
    if (this.#untakenLength > untakenLength) this.#drop();
    else this.#cancelDrop ??= this.#clock.after(untakenMs, () => this.#drop());
  }

  #taken(): void {
    this.#untaken = [];
    this.#untakenLength = 0;
    this.#cancelDrop?.();
    this.#cancelDrop = undefined;
  }

  #beatLater(): void {
    this.#cancelHeartbeat = this.#clock.after(heartbeatMs, () => {
      this.#write(this.#source.heartbeat());
      if (!this.#isEnded) this.#beatLater();
    });
  }

  #drop(): void {
    this.#end();
    this.#cut.abort();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#source.stop();
    this.#taken();
    this.#cancelHeartbeat?.();
    this.#cancelEnd();
    this.#waiting?.({ done: true, value: undefined });
    for (const callback of this.#onEnd) callback();
  }
}
