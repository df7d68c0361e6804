import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { anthropicError, anthropicReply } from "./anthropic.ts";
import { checkAnthropicRequest } from "./anthropic-rules.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  type ModelAnswer,
  objectsOf,
  type ReceivedRequest,
  Refused,
  wordOf,
} from "./answers.ts";
import { openAIError, openAIReply } from "./openai.ts";
import { checkOpenAIRequest } from "./openai-rules.ts";
import { send, sendBody, type Spoken } from "./send.ts";

export interface ModelServerOptions {
  /** Key required in requests; `undefined` for none. @defaultValue {@link ModelServer.key} */
  readonly key?: string | undefined;
  /**
   * Whether models think by default. OpenAI-compatible services and Anthropic then refuse requests that force a call.
   * @defaultValue false
   */
  readonly thinks?: boolean;
  /** Answers requests beyond the script. @defaultValue 400 with a message that the script has no answer */
  readonly answer?: (request: ReceivedRequest) => ModelAnswer | Promise<ModelAnswer>;
}

export interface ModelServer {
  /** The base address of both interfaces, such as `http://127.0.0.1:4711/v1`. */
  readonly url: string;
  readonly key: string;
  /** Every well-formed request in order of arrival, including refused ones. */
  readonly requests: readonly ReceivedRequest[];
  /** Adds answers for the next requests, in order. */
  script(...answers: readonly ModelAnswer[]): void;
  /** Closes the server, including stalled connections. */
  close(): Promise<void>;
}

interface Interface {
  readonly api: ReceivedRequest["api"];
  readonly keyOf: (headers: IncomingMessage["headers"]) => string | undefined;
  readonly check: (body: JsonObject, thinks: boolean) => void;
  readonly reply: typeof openAIReply;
  readonly error: typeof openAIError;
}

const interfaces: Readonly<Record<string, Interface>> = {
  "/v1/chat/completions": {
    api: "openai",
    keyOf: ({ authorization }) => authorization?.replace(/^Bearer /, ""),
    check: checkOpenAIRequest,
    reply: openAIReply,
    error: openAIError,
  },
  "/v1/messages": {
    api: "anthropic",
    keyOf: (headers) => (headers["anthropic-version"] === undefined ? undefined : String(headers["x-api-key"])),
    check: checkAnthropicRequest,
    reply: anthropicReply,
    error: anthropicError,
  },
};

/** Starts a server on a free local port. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const key = "key" in options ? options.key : "sk-test-0123456789abcdefghijklmnopqrstuvwxyz";
  const requests: ReceivedRequest[] = [];
  const scripted: ModelAnswer[] = [];

  const answerFor = async (request: ReceivedRequest): Promise<ModelAnswer> =>
    scripted.shift() ??
    (await options.answer?.(request)) ?? {
      kind: "error",
      status: 400,
      message: "The test scripted no answer for this.",
    };

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(message.url ?? "/", "http://model");
    const spoken = interfaces[pathname];
    const text = await textOf(message);
    if (spoken === undefined || message.method !== "POST") return sendBody(response, 404, `{"error":"no such page"}`);
    const refuse = ({ status, message: why, code, param }: Refused): void =>
      sendBody(response, status, JSON.stringify(spoken.error(status, why, code, param)));
    try {
      const body = parse(text);
      const request = received(spoken.api, pathname, { message, response, body });
      const number = requests.push(request);
      const given = spoken.keyOf(message.headers);
      // Echoes the key, as some real services do although they should not.
      if (key !== undefined && given !== key)
        throw new Refused(401, "invalid_api_key", `Incorrect API key provided: ${given ?? ""}.`);
      spoken.check(body, options.thinks === true);
      const answer = await answerFor(request);
      await answerWith(response, answer, {
        reply: (reply) => spoken.reply(reply, request, number),
        error: spoken.error,
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(error);
    }
  }

  const server = createServer((message, response) => {
    serve(message, response).catch((error: unknown) => {
      // The client disconnected during the answer.
      if (response.destroyed || response.headersSent) response.destroy();
      else sendBody(response, 500, JSON.stringify({ error: { message: String(error) } }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    key: key ?? "",
    requests,
    script: (...answers) => void scripted.push(...answers),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Carries out the scripted answer of a request. */
async function answerWith(
  response: ServerResponse,
  answer: ModelAnswer,
  speak: {
    readonly reply: (reply: Parameters<typeof openAIReply>[0]) => Spoken;
    readonly error: (status: number, message: string, code?: string) => JsonObject;
  },
): Promise<void> {
  switch (answer.kind) {
    case "reply":
      return await send(response, speak.reply(answer), "sent");
    case "cut":
      return await send(response, speak.reply(answer.reply), "cut");
    case "ends_early":
      return await send(response, speak.reply(answer.reply), "ends_early");
    case "stall":
      return answer.after === undefined ? undefined : await send(response, speak.reply(answer.after), "stalls");
    case "fails": {
      const { status, message, code } = answer;
      const spoken = speak.reply(answer.reply);
      if ("whole" in spoken) return sendBody(response, status, JSON.stringify(speak.error(status, message, code)));
      return await send(response, spoken, { fails: spoken.failing(status, message, code) });
    }
    case "error": {
      const { status, message = "It did not work.", code, headers, body } = answer;
      return sendBody(response, status, body ?? JSON.stringify(speak.error(status, message, code)), headers);
    }
    case "broken":
      return sendBody(response, 200, answer.body, { "content-type": answer.contentType ?? "application/json" });
  }
}

function received(
  api: ReceivedRequest["api"],
  path: string,
  {
    message,
    response,
    body,
  }: { readonly message: IncomingMessage; readonly response: ServerResponse; readonly body: JsonObject },
): ReceivedRequest {
  const abandoned = new Promise<void>((resolve) => {
    response.once("close", () => {
      if (!response.writableFinished) resolve();
    });
  });
  const tools = objectsOf(body["tools"]).map((tool) => (isObject(tool["function"]) ? tool["function"] : tool));
  return {
    api,
    path,
    headers: message.headers,
    body,
    streaming: body["stream"] === true,
    tools: tools.map(({ name }) => wordOf(name)),
    abandoned,
  };
}

function parse(text: string): JsonObject {
  try {
    const body = JSON.parse(text) as Json;
    if (isObject(body)) return body;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new Refused(400, "invalid_request_error", "We could not parse the JSON body of your request.");
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
