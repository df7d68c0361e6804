/** The part of a TCP or TLS socket through which answers come and requests leave. */
export interface HttpSocket {
  /** Hands received bytes to the parser of answers. */
  push(chunk: unknown, encoding?: never): boolean;
  /** Sends bytes. */
  write(...args: unknown[]): boolean;
  /** Closes the socket with an error. */
  destroy(error: Error): unknown;
}

/** Bounds of the interim answers before one final answer: their number, and the bytes of their heads. */
const maxAnswers = 100;
const maxBytes = 65_536;

/** `HTTP/1.1 100 `: everything that tells an interim answer from another one. */
const statusLineLength = 13;

const [cr, lf] = [13, 10] as const;

/**
 * Why a connection ends with an interim answer: more than 100 of them, or more than 64 KiB, came before a final one; or a line
 * of its head does not end with CR LF, so that it may end elsewhere for another reader than for its writer.
 */
export type InterimRefusal = "too_many" | "malformed";

/**
 * Makes an HTTP/1.1 client ignore `100 Continue`, `103 Early Hints` and other interim answers, which may come before any
 * final one (RFC 9110, 15.2). undici takes a `100` that it did not ask for as the end of the connection, so that a request
 * whose final answer follows counts as unanswered. Here the client never sees them. `101` stays: it is an answer to an
 * upgrade alone.
 *
 * For a socket that carries one request at a time, before the first one is written.
 *
 * @param refused the error of a socket on which an interim answer came that has to end the connection
 */
export function ignoreInterimAnswers(socket: HttpSocket, refused: (why: InterimRefusal) => Error): void {
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
    if (typeof rest === "string") {
      socket.destroy(refused(rest));
      return false;
    }
    return rest === undefined || push(rest);
  };
}

/**
 * Takes interim answers out of the bytes of a connection. An interim answer has a head and no body, so it ends with the first
 * empty line; nothing else of HTTP has to be understood, because all bytes after the first final head are passed on unread
 * until the next request leaves. A line that ends with CR or LF alone is refused: the head would go on to the next empty line,
 * which may be that of the final answer, and the body of that would be read as an answer.
 */
class InterimAnswers {
  #state: "passing" | "at_head" | "in_interim" = "passing";
  /** Of a status line that is not whole. */
  #held: Uint8Array | undefined;
  /** Of the interim head, whose line is empty where `lineLength` is 0. */
  #lineLength = 0;
  #isAfterCr = false;
  #answers = 0;
  #bytes = 0;

  /** A request leaves: its answer begins with the next bytes. */
  expect(): void {
    if (this.#state !== "passing") return;
    this.#state = "at_head";
    this.#answers = 0;
    this.#bytes = 0;
  }

  /** The bytes that are passed to the client; `undefined`: none yet. */
  take(chunk: Uint8Array): Uint8Array | InterimRefusal | undefined {
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
      if (end === "malformed") return end;
      this.#bytes += end ?? rest.length;
      if (this.#answers > maxAnswers || this.#bytes > maxBytes) return "too_many";
      if (end === undefined) return undefined;
      this.#state = "at_head";
      rest = rest.subarray(end);
    }
  }

  /** The other side closed the connection: passes on the bytes that were held back. */
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
  #endOfInterim(bytes: Uint8Array): number | "malformed" | undefined {
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index];
      if (this.#isAfterCr !== (byte === lf)) return "malformed";
      this.#isAfterCr = byte === cr;
      if (byte === cr) continue;
      if (byte !== lf) {
        this.#lineLength++;
        continue;
      }
      if (this.#lineLength === 0) return index + 1;
      this.#lineLength = 0;
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
