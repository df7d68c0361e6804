import type { Answerer } from "../answer-request.ts";
import { bodyAlreadyRead, isWhole, type BodyRead, type HttpRequest } from "../request/http-request.ts";

/** Creates the handler for web requests. */
export function fetchHandler(
  answer: Answerer,
): (request: Request, from?: { readonly address?: string }) => Promise<Response> {
  return async (request, from) => {
    const answered = await answer(httpRequest(request, from?.address));
    // The caller disconnected; this response is never read.
    if (answered === undefined) return new Response(null, { status: 499 });
    const headers = new Headers();
    for (let at = 0; at < answered.headers.length; at += 2) {
      headers.append(answered.headers[at] ?? "", answered.headers[at + 1] ?? "");
    }
    const { status, body, cut } = answered;
    if (!isWhole(body)) {
      const stream = streamOf(body, cut);
      if (request.method !== "HEAD") return new Response(stream, { status, headers });
      await stream.cancel();
      return new Response(null, { status, headers });
    }
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    if (status !== 204) headers.set("Content-Length", String(bytes.length));
    const hasBody = bytes.length > 0 && request.method !== "HEAD";
    return new Response(hasBody ? bytes : null, { status, headers });
  };
}

/** Streams the pieces; each is produced on demand. */
function streamOf(pieces: AsyncIterable<string>, cut: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const end = (): void => {
          controller.error(
            new Error("The answer was cut off: its key was deleted, its session ended, or it was not read."),
          );
          void iterator.return?.();
        };
        if (cut?.aborted === true) end();
        else cut?.addEventListener("abort", end, { once: true });
      },
      pull: async (controller) => {
        const piece = await iterator.next();
        // After a cut, the piece that was being produced is dropped too.
        if (cut?.aborted === true) return;
        if (piece.done === true) controller.close();
        else controller.enqueue(encoder.encode(piece.value));
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function httpRequest(request: Request, address: string | undefined): HttpRequest {
  const url = new URL(request.url);
  return {
    method: request.method.toUpperCase(),
    path: url.pathname,
    query: url.search.slice(1),
    address,
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => new Map(Array.from(request.headers, ([name, line]) => [name, [line]])),
    readBody: (maxBytes, coming, signal) => readBody(request, maxBytes, coming, signal),
    waitSignal: () => request.signal,
    pollSignal: () => request.signal,
  };
}

async function readBody(
  request: Request,
  maxBytes: number,
  coming: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<BodyRead> {
  if (request.bodyUsed || request.body?.locked === true) throw bodyAlreadyRead();
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return { kind: "too_large" };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  // Cancelling resolves a pending read as the end of the body.
  const stop = (): void => void reader?.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  for (;;) {
    const part = await reader?.read().catch(() => "cut" as const);
    signal?.throwIfAborted();
    if (part === "cut") return { kind: "cut" };
    if (part?.done !== false) break;
    size += part.value.length;
    if (size > maxBytes) {
      await reader?.cancel().catch(() => {});
      return { kind: "too_large" };
    }
    coming(size);
    chunks.push(part.value);
  }
  signal?.removeEventListener("abort", stop);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { kind: "whole", bytes };
}
