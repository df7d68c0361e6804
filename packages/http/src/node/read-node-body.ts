import type { IncomingMessage } from "node:http";
import type { BodyRead } from "../request/http-request.ts";

const none = Buffer.alloc(0);
const nothing: BodyRead = { kind: "whole", bytes: none };
const tooLarge: BodyRead = { kind: "too_large" };

export interface BodyPorts {
  /** Is called once it is sure that some of the body is wanted. */
  readonly before: () => void;
  readonly coming: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Reads a body up to a size; see `readBody` of HttpRequest. */
export function readNodeBody(
  request: IncomingMessage,
  maxBytes: number,
  { before, coming, signal }: BodyPorts,
): Promise<BodyRead> {
  const declared = request.headers["content-length"];
  if (declared === undefined && request.headers["transfer-encoding"] === undefined) return Promise.resolve(nothing);
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
    // The listeners go with the request: nothing more comes that they could hear.
    const onEnd = (): void => {
      signal?.removeEventListener("abort", onAbort);
      resolve({ kind: "whole", bytes: body.subarray(0, size) });
    };
    const onClose = (): void => finish({ kind: "cut" });
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
 * Puts a part behind the `length` bytes of a body, which may be larger than that. A list of the parts would take hundreds of
 * times what a body weighs that comes one byte at a time.
 */
function joined(body: Buffer, length: number, part: Buffer): Buffer {
  const size = length + part.length;
  const larger = size <= body.length ? body : Buffer.allocUnsafeSlow(2 * size);
  if (larger !== body) body.copy(larger, 0, 0, length);
  part.copy(larger, length);
  return larger;
}

/** So much of a refused body is still taken: a socket that is closed on a caller who sends loses the answer, too. */
const maxDiscardedBytes = 8 * 1024 * 1024;

/** Takes the rest of a request that was answered before it had come whole, within reason. */
export function discardRest(request: IncomingMessage): void {
  let left = maxDiscardedBytes;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}
