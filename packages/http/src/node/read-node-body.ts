import type { IncomingMessage } from "node:http";
import { bodyAlreadyRead, type BodyRead } from "../request/http-request.ts";

const none = Buffer.alloc(0);
const nothing: BodyRead = { kind: "whole", bytes: none };
const tooLarge: BodyRead = { kind: "too_large" };
const cut: BodyRead = { kind: "cut" };

export interface BodyPorts {
  /** Called before the first byte of the body is read. */
  readonly before: () => void;
  readonly coming: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Reads a body up to `maxBytes`; see `readBody` of HttpRequest. */
export function readNodeBody(
  request: IncomingMessage,
  maxBytes: number,
  { before, coming, signal }: BodyPorts,
): Promise<BodyRead> {
  const declared = request.headers["content-length"];
  if (request.headers["transfer-encoding"] === undefined && (declared === undefined || Number(declared) === 0)) {
    return Promise.resolve(nothing);
  }
  // Its end would never be reported again.
  if (request.readableDidRead) return Promise.reject(bodyAlreadyRead());
  if (request.destroyed) return Promise.resolve(cut);
  if (Number(declared) > maxBytes) return Promise.resolve(tooLarge);
  before();
  return new Promise((resolve, reject) => {
    let body: Buffer = none;
    let size = 0;
    const onData = (part: Buffer): void => {
      const before = size;
      size += part.length;
      if (size > maxBytes) return finish(tooLarge);
      try {
        coming(size);
      } catch (error) {
        return fail(error);
      }
      body = before === 0 ? part : joined(body, before, part);
    };
    // The request's listeners need no removal: no further event follows, and they are collected with the request.
    const onEnd = (): void => {
      signal?.removeEventListener("abort", onAbort);
      resolve({ kind: "whole", bytes: body.subarray(0, size) });
    };
    const onClose = (): void => finish(cut);
    const onAbort = (): void => fail(signal?.reason);
    const leave = (): void => {
      request.off("data", onData).off("end", onEnd).off("close", onClose);
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (error: unknown): void => {
      leave();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const finish = (read: BodyRead): void => {
      leave();
      resolve(read);
    };
    if (signal?.aborted === true) return fail(signal.reason);
    signal?.addEventListener("abort", onAbort);
    request.on("data", onData).on("end", onEnd).on("close", onClose);
  });
}

/**
 * Appends a part to the first `length` bytes of a buffer, which may be larger. A list of parts would take hundreds of
 * times the memory for a body that arrives one byte at a time.
 */
function joined(body: Buffer, length: number, part: Buffer): Buffer {
  const size = length + part.length;
  const larger = size <= body.length ? body : Buffer.allocUnsafeSlow(2 * size);
  if (larger !== body) body.copy(larger, 0, 0, length);
  part.copy(larger, length);
  return larger;
}

/**
 * Bytes of a refused body that are still read: closing the socket while the caller sends would also lose the answer.
 */
const maxDiscardedBytes = 8 * 1024 * 1024;

/** Reads and discards the rest of an already answered request, up to a limit. */
export function discardRest(request: IncomingMessage): void {
  let left = maxDiscardedBytes;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}
