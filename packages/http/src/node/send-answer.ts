import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@procedo/engine";
import type { HttpAnswer } from "../request/http-request.ts";
import { takeAnswerMs } from "../request/heavy-body.ts";
import { discardRest } from "./read-node-body.ts";

/** Buffers hold anything smaller. */
const largeAnswer = 16 * 1024;

/**
 * Sends an answer, and takes what is still coming of the request.
 *
 * @returns for an answer in pieces a promise that resolves when its last piece was taken or its caller is gone
 */
export function sendAnswer(
  clock: Pick<Clock, "after">,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, cut }: HttpAnswer,
): Promise<void> | undefined {
  const destroy = (): void => void response.destroy();
  cut?.addEventListener("abort", destroy, { once: true });
  if (cut?.aborted === true) destroy();
  if (response.destroyed) return typeof body === "string" ? undefined : sendPieces(request, response, body);
  const length = status === 204 || typeof body !== "string" ? [] : ["Content-Length", String(Buffer.byteLength(body))];
  response.writeHead(status, headers.concat(length));
  const sent = typeof body === "string" ? void response.end(body) : sendPieces(request, response, body);
  if (!request.complete) discardRest(request);
  if (typeof body === "string" && (body.length < largeAnswer || response.writableFinished)) return undefined;
  const cancel = clock.after(takeAnswerMs, destroy);
  response.once("close", cancel);
  return sent;
}

/** A piece is made when the one before has left for the socket: what waits in it is bounded. */
async function sendPieces(
  request: IncomingMessage,
  response: ServerResponse,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    while (request.method !== "HEAD" && !response.destroyed) {
      const piece = await iterator.next();
      if (piece.done === true) break;
      if (!response.destroyed && !response.write(piece.value)) await takenBy(response);
    }
    response.end();
  } catch {
    // Its caller sees that it is not whole.
    response.destroy();
  } finally {
    await iterator.return?.();
  }
}

function takenBy(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const taken = (): void => {
      response.off("drain", taken).off("close", taken);
      resolve();
    };
    response.on("drain", taken).on("close", taken);
  });
}
