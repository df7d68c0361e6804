import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@procedo/engine";
import { isWhole, type AnswerOwner, type HttpAnswer } from "../request/http-request.ts";
import { takeAnswerMs } from "../request/heavy-body.ts";
import { discardRest } from "./read-node-body.ts";
import type { UnreadAnswerLimiter } from "./unread-answer-limiter.ts";

export interface SendPorts {
  readonly clock: Pick<Clock, "after">;
  readonly unreadAnswerLimiter: UnreadAnswerLimiter;
}

/**
 * Sends an answer, and discards the rest of the request. A connection is closed when its caller has not taken the
 * answer after a minute, or when the limit on unread answers is reached.
 *
 * @returns for an answer in pieces, a promise that resolves when the last piece was sent or the caller disconnected
 */
export function sendAnswer(
  ports: SendPorts,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, owner, cut, isEndless = false }: HttpAnswer,
): Promise<void> | undefined {
  const destroy = (): void => void response.destroy();
  cut?.addEventListener("abort", destroy, { once: true });
  if (cut?.aborted === true) destroy();
  const bytes = byteLengthOf(body);
  if (response.destroyed) return isWhole(body) ? undefined : sendPieces(ports, request, response, body, owner);
  // A connection that is left open after its endless answer would delay the end of the service.
  if (isEndless) response.shouldKeepAlive = false;
  response.writeHead(
    status,
    status === 204 || bytes === undefined ? headers.slice() : headers.concat("Content-Length", String(bytes)),
  );
  const sent = isWhole(body) ? void response.end(body) : sendPieces(ports, request, response, body, owner);
  if (!request.complete) discardRest(request);
  if (bytes !== undefined) leaveUntaken(ports, response, owner, request.method === "HEAD" ? 0 : bytes);
  else if (!isEndless) response.once("close", ports.clock.after(takeAnswerMs, destroy));
  return sent;
}

/** Length of a body; `undefined` for one in pieces. */
function byteLengthOf(body: HttpAnswer["body"]): number | undefined {
  return isWhole(body) ? Buffer.byteLength(body) : undefined;
}

/**
 * Counts the unsent bytes of an ended answer until the caller has read them. The connection is closed after a minute,
 * or at once when the limit on unread answers is reached.
 */
export function leaveUntaken(
  ports: SendPorts,
  response: ServerResponse,
  owner: AnswerOwner | undefined,
  bytes: number,
): void {
  // The operating system has accepted most answers by now.
  if (response.writableLength === 0 || response.destroyed) return;
  const leave = waiting(ports, response, owner, bytes);
  if (leave === undefined) return;
  const cancel = ports.clock.after(takeAnswerMs, () => response.destroy());
  response.once("close", () => {
    cancel();
    leave();
  });
}

/** Counts the unsent bytes of an answer; closes the connection when the limit is reached. */
function waiting(
  { unreadAnswerLimiter }: SendPorts,
  response: ServerResponse,
  owner: AnswerOwner | undefined,
  bytes: number,
): (() => void) | undefined {
  const leave = unreadAnswerLimiter.take(owner, bytes);
  if (leave === undefined) response.destroy();
  return leave;
}

/** Produces each piece once the operating system has accepted the previous one, which bounds the unsent bytes. */
async function sendPieces(
  ports: SendPorts,
  request: IncomingMessage,
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  owner: AnswerOwner | undefined,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    while (request.method !== "HEAD" && !response.destroyed) {
      const piece = await iterator.next();
      if (piece.done === true) break;
      if (response.destroyed || response.write(piece.value)) continue;
      const leave = waiting(ports, response, owner, response.writableLength);
      await takenBy(response);
      leave?.();
    }
    response.end();
  } catch {
    // The broken connection tells the caller that the answer is incomplete.
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
