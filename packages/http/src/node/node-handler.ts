import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { systemClock } from "@procedo/engine";
import type { Http } from "../create-http.ts";
import { nodeRequest, pathOf } from "./node-request.ts";
import { sendAnswer, type SendPorts } from "./send-answer.ts";
import { createTurns } from "./turns.ts";
import { createUnreadAnswerLimiter } from "./unread-answer-limiter.ts";

/**
 * The interface as a listener for your own `node:http` server, or for a framework on one. Mount the listener at the
 * root, before any middleware that reads bodies. Your server remains responsible for socket limits, timeouts and
 * shutdown.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { nodeHandler, type Http } from "@procedo/http";
 *
 * const serve = (http: Http) => createServer(nodeHandler(http)).listen(8787);
 * ```
 */
export function nodeHandler(http: Pick<Http, "answer">): RequestListener {
  const turns = createTurns();
  const ports: SendPorts = { clock: systemClock, unreadAnswerLimiter: createUnreadAnswerLimiter() };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await http.answer(
      nodeRequest(request, pathOf(request.url ?? "/"), {
        // By default, a server drops all but the first of two Authorization headers.
        header: (name) => request.headersDistinct[name]?.join(", "),
        beforeBody: () => {},
        waitSignal: () => untilClosed(response),
        pollSignal: () => untilClosed(response),
      }),
    );
    if (answer === undefined) response.destroy();
    else await sendAnswer(ports, request, response, answer);
  };
  return (request, response) => turns.take(request, response, () => void handle(request, response));
}

function untilClosed(response: ServerResponse): AbortSignal {
  const wait = new AbortController();
  if (response.destroyed) wait.abort();
  response.once("close", () => {
    // After a complete answer there is no waiter left, and each abort would create an error with a stack.
    if (!response.writableFinished) wait.abort();
  });
  return wait.signal;
}
