/** The part of a TCP or TLS socket through which answers come and requests leave. */
export interface HttpSocket {
  push(chunk: unknown, encoding?: never): boolean;
  write(...args: unknown[]): boolean;
  destroy(error: Error): unknown;
}

/** Bounds of the interim answers before one final answer: their number, and the bytes of their heads. */
const maxAnswers = 100;
const maxBytes = 65_536;

/** `HTTP/1.1 100 `: everything that tells an interim answer from another one. */
const statusLineLength = 13;

/** CR LF CR LF */
const endOfHead = [13, 10, 13, 10] as const;

/**
 * Makes an HTTP/1.1 client ignore `100 Continue`, `103 Early Hints` and other interim answers, which may come before any
 * final one (RFC 9110, 15.2). undici takes a `100` that it did not ask for as the end of the connection, so that a request
 * whose final answer follows counts as unanswered. Here the client never sees them. `101` stays: it is an answer to an
 * upgrade alone.
 *
 * For a socket that carries one request at a time, before the first one is written.
 *
 * @param tooMany the error of a socket on which more than 100 interim answers, or more than 64 KiB of them, came before a
 *   final one
 */
export function ignoreInterimAnswers(socket: HttpSocket, tooMany: () => Error): void {
  const answers = new InterimAnswers();
  const push = socket.push.bind(socket);
  const write = socket.write.bind(socket);
  socket.write = (...args) => {
    answers.expect();
    return write(...args);
  };
  socket.push = (chunk) => {
    if (chunk === null) {
      const held = answers.end();
      if (held !== undefined) push(held);
      return push(null);
    }
    if (!(chunk instanceof Uint8Array)) return push(chunk);
    const rest = answers.take(chunk);
    if (rest === "too_many") {
      socket.destroy(tooMany());
      return false;
    }
    return rest === undefined || push(rest);
  };
}

/**
 * Takes interim answers out of the bytes of a connection. An interim answer has a head and no body, so it ends with the first
 * empty line; nothing else of HTTP has to be understood, because what comes after the first final head is passed on unread
 * until the next request leaves.
 */
class InterimAnswers {
  #state: "passing" | "at_head" | "in_interim" = "passing";
  /** Of a status line that is not whole. */
  #held: Uint8Array | undefined;
  /** How much of {@link endOfHead} came last. */
  #matched = 0;
  #answers = 0;
  #bytes = 0;

  /** A request leaves: its answer begins with the next bytes. */
  expect(): void {
    if (this.#state !== "passing") return;
    this.#state = "at_head";
    this.#answers = 0;
    this.#bytes = 0;
  }

  /** What of it the client is to see; `undefined`: nothing yet. */
  take(chunk: Uint8Array): Uint8Array | "too_many" | undefined {
    if (this.#state === "passing") return chunk;
    let rest = this.#withHeld(chunk);
    for (;;) {
      if (this.#state === "at_head") {
        const begins = beginsInterim(rest);
        if (begins === "unknown") {
          this.#held = rest;
          return undefined;
        }
        if (begins === "no") {
          this.#state = "passing";
          return rest;
        }
        this.#state = "in_interim";
        this.#answers++;
      }
      const end = this.#endOfInterim(rest);
      this.#bytes += end ?? rest.length;
      if (this.#answers > maxAnswers || this.#bytes > maxBytes) return "too_many";
      if (end === undefined) return undefined;
      this.#state = "at_head";
      rest = rest.subarray(end);
    }
  }

  /** The connection was ended by the other side: what was held back after all. */
  end(): Uint8Array | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held?.length === 0 ? undefined : held;
  }

  #withHeld(chunk: Uint8Array): Uint8Array {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined || held.length === 0) return chunk;
    const whole = new Uint8Array(held.length + chunk.length);
    whole.set(held);
    whole.set(chunk, held.length);
    return whole;
  }

  /** The offset behind the head's empty line. Nothing is kept of a head, however slowly it comes. */
  #endOfInterim(bytes: Uint8Array): number | undefined {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index];
      if (byte === endOfHead[this.#matched]) this.#matched++;
      else this.#matched = byte === endOfHead[0] ? 1 : 0;
      if (this.#matched < endOfHead.length) continue;
      this.#matched = 0;
      return index + 1;
    }
    return undefined;
  }
}

function beginsInterim(bytes: Uint8Array): "yes" | "no" | "unknown" {
  const line = String.fromCharCode(...bytes.subarray(0, statusLineLength));
  if (/^HTTP\/1\.\d 1(?:0[02-9]|[1-9]\d)[ \r]$/.test(line)) return "yes";
  const isStart =
    line.length < statusLineLength && /^HTTP\/1\.\d 1\d\d$/.test(line + "HTTP/1.1 100".slice(line.length));
  return isStart ? "unknown" : "no";
}
