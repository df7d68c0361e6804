import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/**
 * A model behind OpenAI's chat completions that reads an invoice badly at first: it proposes the amount as a text, is
 * corrected, and then proposes what the invoice says. Its first text ends with the part of the invoice in « ».
 */
export interface Model {
  /** Base address of the service. */
  readonly url: string;
  stop(): Promise<void>;
}

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}

export async function startModel(): Promise<Model> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(completionOf(body as ChatRequest)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function completionOf({ model, messages, tools }: ChatRequest) {
  const isCorrected = messages.some(({ role }) => role === "assistant");
  const cents = /EUR (\d+)\.(\d\d)/.exec(JSON.stringify(messages)) ?? ["", "0", "00"];
  const amount = Number(`${cents[1]}${cents[2]}`);
  const quoted = /«([^»]*)»/.exec(JSON.stringify(messages))?.[1] ?? "";
  const proposed = { amount: isCorrected ? amount : `${cents[1]}.${cents[2]} EUR`, currency: "EUR" };
  const content = isCorrected
    ? "The amount is expected in cents, so I send it as a whole number."
    : `The invoice asks for EUR ${cents[1]}.${cents[2]}, which I propose to pay.${quoted}`;
  const call = { name: tools[0]?.function.name, arguments: JSON.stringify(proposed) };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_760_000_000,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, tool_calls: [{ id: "call_1", type: "function", function: call }] },
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 812, completion_tokens: 45, total_tokens: 857 },
  };
}
