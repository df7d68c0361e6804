import { type Dispatcher, request as sendRequest } from "undici";
import type { Runtime } from "../runtime.ts";
import { type Transport, type TransportAnswer, TransportError, type TransportRequest } from "./transport.ts";

/**
 * The transport over undici. A connection on which nothing arrives in time is given up together with all idle ones,
 * which may be as dead: the next request opens a new one.
 */
export function createHttpTransport(connect: () => Dispatcher, runtime: Runtime): Transport {
  let dispatcher = connect();

  async function send(request: TransportRequest): Promise<TransportAnswer> {
    const used = dispatcher;
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(new TransportError("The request was given up."));
    if (request.signal?.aborted === true) onAbort();
    request.signal?.addEventListener("abort", onAbort, { once: true });
    const onSilence = (): void => {
      replace(used);
      abort.abort(new TransportError(`nothing arrived within ${request.silenceMs} ms`));
    };
    let cancel = runtime.after(request.silenceMs, onSilence);
    const heard = (): void => {
      cancel();
      cancel = runtime.after(request.silenceMs, onSilence);
    };
    try {
      const { url, method, headers, body = null } = request;
      const answer = await sendRequest(url, { method, headers, body, signal: abort.signal, dispatcher: used });
      heard();
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        heard();
        bytes += chunk.length;
        if (bytes > request.maxBytes) throw new TransportError(`the answer is larger than ${request.maxBytes} bytes`);
        chunks.push(chunk);
      }
      const header = (name: string): string | undefined => [answer.headers[name]].flat()[0];
      return { status: answer.statusCode, header, text: Buffer.concat(chunks).toString() };
    } finally {
      cancel();
      request.signal?.removeEventListener("abort", onAbort);
    }
  }

  function replace(silent: Dispatcher): void {
    if (silent !== dispatcher) return;
    dispatcher = connect();
    // Waits for its requests in flight, which have timeouts of their own.
    void silent.close();
  }

  return { send, close: () => dispatcher.destroy() };
}
