import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@procedo/engine";
import type { HttpAnswer } from "../request/http-request.ts";
import { discardRest } from "./read-node-body.ts";

/** Time for a caller to take an answer that does not fit into the socket's buffers. */
const takeAnswerMs = 60_000;
/** Buffers hold anything smaller. */
const largeAnswer = 16 * 1024;

/** Sends an answer, and takes what is still coming of the request. */
export function sendAnswer(
  clock: Pick<Clock, "after">,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpAnswer,
): void {
  const length = status === 204 ? [] : ["Content-Length", String(Buffer.byteLength(body))];
  response.writeHead(status, headers.concat(length));
  response.end(body);
  if (!request.complete) discardRest(request);
  if (body.length < largeAnswer || response.writableFinished) return;
  const cancel = clock.after(takeAnswerMs, () => response.destroy());
  response.once("close", cancel);
}
