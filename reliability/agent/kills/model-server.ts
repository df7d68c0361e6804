import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelAnswer, ModelPrompt } from "../model-types.ts";
import { send, textOf, type Hold } from "./bank-server.ts";
import { replyTo, subjectOf } from "./scripted-replies.ts";

/** A request to the model's service, as it arrived. */
export interface Ask {
  readonly runId: string;
  readonly tool: string;
  readonly turn: number;
  readonly prompt: ModelPrompt;
  /** The time of sending, by the sender's clock. */
  readonly sentAtMs: number;
  /** The answer; `undefined` without one or after an error. */
  answered: ModelAnswer | undefined;
}

export interface AskRequest {
  readonly prompt: ModelPrompt;
  readonly tool: string;
  readonly sentAtMs: number;
}

/** The service of a model, outside the killed processes, which records all its requests. */
export interface ModelServer {
  readonly url: string;
  /** In the order of arrival. */
  readonly asks: readonly Ask[];
  close(): Promise<void>;
}

/** `hold` is awaited when a request has arrived (`arrived`). */
export async function startModelServer(hold: Hold): Promise<ModelServer> {
  const asks: Ask[] = [];
  let serial = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, tool, sentAtMs } = JSON.parse(await textOf(request)) as AskRequest;
    const { runId, turn, input } = subjectOf(prompt);
    const ask: Ask = { runId, tool, turn, prompt, sentAtMs, answered: undefined };
    asks.push(ask);
    await hold("arrived");
    const times = asks.filter((one) => one.runId === runId && one.tool === tool).length;
    if (input.shape === "busy" && tool === "pay" && times === 1) {
      send(response, 503, { message: "Busy." });
      return;
    }
    ask.answered = replyTo(prompt, tool, ++serial);
    send(response, 200, ask.answered);
  };

  const server = createServer((request, response) => {
    // The client may die during its request.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asks,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
