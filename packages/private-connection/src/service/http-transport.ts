import type { Dispatcher } from "undici";
import type { Runtime } from "../runtime.ts";
import { type Transport, type TransportAnswer, TransportError } from "./transport.ts";

export interface HttpTransportOptions {
  /** The service's address. Its path is the prefix of every request path. */
  readonly url: string;
  readonly connect: () => Dispatcher;
  readonly runtime: Pick<Runtime, "after" | "monotonic">;
}

/**
 * The transport over undici. If nothing arrives on a connection in time, it is closed together with all idle ones,
 * which may be dead, too. The next request opens a new connection.
 *
 * Uses undici's dispatcher directly: answers are short and read completely, and undici's streams would cost more than
 * the exchange itself.
 */
export function createHttpTransport({ url, connect, runtime }: HttpTransportOptions): Transport {
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, "");
  let dispatcher = connect();
  /** Replaced dispatchers with requests in flight, which have their own timeouts. */
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
        const onAbort = (): void => exchange.giveUp(new TransportError("The request was cancelled."));
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

/** Calls back after silence for the given time. The returned function stops the watch. */
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

/** The headers of an answer, by their names in lower case. */
type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

interface ExchangePorts {
  readonly answered: (answer: TransportAnswer) => void;
  readonly failed: (error: Error) => void;
}

/** One request and its answer, reported by undici. Calls back once. */
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
    // The request was cancelled while it waited for a connection, so it is not sent.
    if (this.#isOver) controller.abort(new TransportError("The request was cancelled."));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // Interim answers do not count as progress.
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
