import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { systemClock } from "@procedo/engine";
import type { Http } from "../create-http.ts";
import { nodeRequest, pathOf } from "./node-request.ts";
import { sendAnswer, type SendPorts } from "./send-answer.ts";
import { createTurns } from "./turns.ts";
import { createWaitingAnswers } from "./waiting-answers.ts";

/**
 * The interface as a listener for a `node:http` server of your own, or for a framework on one. Mount it at the root and
 * before whatever reads bodies. How many sockets there are, how long they may take and how they end is your server's.
 */
export function nodeHandler(http: Pick<Http, "answer">): RequestListener {
  const turns = createTurns();
  const ports: SendPorts = { clock: systemClock, waitingAnswers: createWaitingAnswers() };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await http.answer(
      nodeRequest(request, pathOf(request.url ?? "/"), {
        // A server drops all but the first of two keys unless it was told to join them.
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
    // Nobody waits behind an answer, and each notice would make an error with its stack.
    if (!response.writableFinished) wait.abort();
  });
  return wait.signal;
}
