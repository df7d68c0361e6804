import type { Dispatcher } from "undici";
import type { Runtime } from "../runtime.ts";
import { type Transport, type TransportAnswer, TransportError } from "./transport.ts";

export interface HttpTransportOptions {
  /** The service's address; a path is a prefix of every request's. */
  readonly url: string;
  readonly connect: () => Dispatcher;
  readonly runtime: Pick<Runtime, "after" | "monotonic">;
}

/**
 * The transport over undici. A connection on which nothing arrives in time is given up together with all idle ones,
 * which may be as dead: the next request opens a new one.
 *
 * It dispatches by itself: answers are short and read whole, for which undici's streams cost more than the exchange.
 */
export function createHttpTransport({ url, connect, runtime }: HttpTransportOptions): Transport {
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, "");
  let dispatcher = connect();
  /** Each until its requests in flight have ended, which have timeouts of their own. */
  const replaced = new Set<Dispatcher>();

  function replace(silent: Dispatcher): void {
    if (silent !== dispatcher) return;
    dispatcher = connect();
    replaced.add(silent);
    const left = (): void => void replaced.delete(silent);
    silent.close().then(left, left);
  }

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const used = dispatcher;
        const { path, method, headers, body = null, signal } = request;
        const onAbort = (): void => exchange.giveUp(new TransportError("The request was given up."));
        const cancel = watchForSilence(runtime, request.silenceMs, {
          heardAtMs: () => exchange.heardAtMs,
          onSilence: () => {
            replace(used);
            exchange.giveUp(new TransportError(`nothing arrived within ${request.silenceMs} ms`));
          },
        });
        const over = (): void => {
          cancel();
          signal?.removeEventListener("abort", onAbort);
        };
        const exchange = new Exchange(request.maxBytes, runtime, {
          answered: (answer) => {
            over();
            resolve(answer);
          },
          failed: (error) => {
            over();
            reject(error);
          },
        });
        if (signal?.aborted === true) return onAbort();
        signal?.addEventListener("abort", onAbort, { once: true });
        try {
          used.dispatch({ origin, path: prefix + path, method, headers, body }, exchange);
        } catch (error) {
          exchange.giveUp(error instanceof Error ? error : new TransportError(String(error)));
        }
      }),
    close: async () => {
      await Promise.all([dispatcher, ...replaced].map((one) => one.destroy()));
    },
  };
}

/** Calls back when nothing was heard for so long; the returned function ends it. */
function watchForSilence(
  runtime: HttpTransportOptions["runtime"],
  silenceMs: number,
  { heardAtMs, onSilence }: { readonly heardAtMs: () => number; readonly onSilence: () => void },
): () => void {
  const look = (): void => {
    const leftMs = heardAtMs() + silenceMs - runtime.monotonic();
    if (leftMs <= 0) onSilence();
    else cancel = runtime.after(leftMs, look);
  };
  let cancel = runtime.after(silenceMs, look);
  return () => cancel();
}

/** Of an answer, by their names in lower case. */
type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

interface ExchangePorts {
  readonly answered: (answer: TransportAnswer) => void;
  readonly failed: (error: Error) => void;
}

/** One request and its answer, as undici tells of them. Calls back once. */
class Exchange implements Dispatcher.DispatchHandler {
  heardAtMs: number;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  readonly #maxBytes: number;
  readonly #runtime: Pick<Runtime, "monotonic">;
  readonly #ports: ExchangePorts;

  constructor(maxBytes: number, runtime: Pick<Runtime, "monotonic">, ports: ExchangePorts) {
    this.heardAtMs = runtime.monotonic();
    this.#maxBytes = maxBytes;
    this.#runtime = runtime;
    this.#ports = ports;
  }

  giveUp(error: Error): void {
    this.#fail(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // One that was given up while it waited for a connection does not leave.
    if (this.#isOver) controller.abort(new TransportError("The request was given up."));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // What is announced before the answer keeps nobody waiting for it.
    if (status < 200) return;
    this.heardAtMs = this.#runtime.monotonic();
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.heardAtMs = this.#runtime.monotonic();
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      this.giveUp(new TransportError(`the answer is larger than ${this.#maxBytes} bytes`));
      return;
    }
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const headers = this.#headers;
    const header = (name: string): string | undefined => [headers[name]].flat()[0];
    const [first, ...more] = this.#chunks;
    const whole = first === undefined || more.length > 0 ? Buffer.concat(this.#chunks) : first;
    this.#ports.answered({ status: this.#status, header, text: whole.toString() });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ports.failed(error);
  }
}
