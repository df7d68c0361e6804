import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import type { JsonObject } from "@procedo/contract";

type FinishReason = LanguageModelV4GenerateResult["finishReason"]["unified"];

/** The reply of a model to one request. */
export interface Said {
  readonly content: readonly LanguageModelV4Content[];
  readonly finishReason?: FinishReason;
  /** `undefined`: the model does not report its usage. */
  readonly tokens?: readonly [input: number | undefined, output: number | undefined];
}

/** Answers, throws, or answers later. */
export type ModelBehaviour = (options: LanguageModelV4CallOptions) => Said | Promise<Said>;

/** A model in this process that records its requests and behaves as planned. */
export interface PlannedModel extends LanguageModelV4 {
  readonly requests: readonly LanguageModelV4CallOptions[];
  /** The next behaviours, in order; the last one repeats. */
  plan(...behaviours: readonly ModelBehaviour[]): void;
}

export function plannedModel(modelId = "model-1"): PlannedModel {
  const requests: LanguageModelV4CallOptions[] = [];
  const plans: ModelBehaviour[] = [];
  let last: ModelBehaviour = () => {
    throw new Error("Nothing was planned.");
  };
  return {
    specificationVersion: "v4",
    provider: "planned",
    modelId,
    supportedUrls: {},
    requests,
    plan: (...behaviours) => void plans.push(...behaviours),
    doGenerate: async (options) => {
      // A copy, so that later changes of the request do not change the record.
      const { abortSignal, ...seen } = options;
      requests.push(structuredClone(seen));
      last = plans.shift() ?? last;
      const {
        content,
        finishReason,
        tokens = [100, 10],
      } = await last({ ...options, ...(abortSignal && { abortSignal }) });
      const called = content.some(({ type }) => type === "tool-call");
      return {
        content: [...content],
        finishReason: { unified: finishReason ?? (called ? "tool-calls" : "stop"), raw: undefined },
        usage: {
          inputTokens: { total: tokens[0], noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: tokens[1], text: undefined, reasoning: undefined },
        },
        warnings: [],
      };
    },
    doStream: async () => {
      throw new Error("Nothing is streamed here.");
    },
  };
}

let toolCalls = 0;

/** Proposes one or several calls of the offered tool; arguments that are text are sent unchanged. */
export function proposes(...inputs: readonly (JsonObject | string)[]): ModelBehaviour {
  return (options) => calls(toolOf(options).name, inputs);
}

/** Calls a tool with this name, regardless of the offered tools. */
export function callsTool(toolName: string, input: JsonObject | string): ModelBehaviour {
  return () => calls(toolName, [input]);
}

/** Declines the requested call. */
export function declines(reason: string): ModelBehaviour {
  return (options) => calls(declineToolOf(options), [{ reason }]);
}

/** The reply of another behaviour with another finish reason. */
export function ending(behaviour: ModelBehaviour, finishReason: FinishReason): ModelBehaviour {
  return async (options) => ({ ...(await behaviour(options)), finishReason });
}

function calls(toolName: string, inputs: readonly (JsonObject | string)[]): Said {
  return {
    content: inputs.map((input) => {
      toolCalls += 1;
      const text = typeof input === "string" ? input : JSON.stringify(input);
      return { type: "tool-call", toolCallId: `call-${toolCalls}`, toolName, input: text };
    }),
  };
}

export function says(text: string, finishReason?: FinishReason): ModelBehaviour {
  return () => ({ content: [{ type: "text", text }], ...(finishReason && { finishReason }) });
}

/** The provider answers with an error. */
export function breaksWith(statusCode: number, headers: Record<string, string> = {}): ModelBehaviour {
  return () => {
    throw new APICallError({
      message: `status ${statusCode}`,
      url: "http://model.test/",
      requestBodyValues: {},
      statusCode,
      responseHeaders: headers,
      responseBody: "{}",
    });
  };
}

/** Answers when the test says so; fails like a closed connection if the call is aborted. */
export function thinks(): { readonly behaviour: ModelBehaviour; answer(behaviour: ModelBehaviour): void } {
  const answered = Promise.withResolvers<ModelBehaviour>();
  return {
    behaviour: async (options) => {
      const aborted = new Promise<never>((_resolve, reject) => {
        options.abortSignal?.addEventListener("abort", () => reject(new Error("The connection was cut.")));
      });
      const behaviour = await Promise.race([answered.promise, aborted]);
      return await behaviour(options);
    },
    answer: (behaviour) => answered.resolve(behaviour),
  };
}

/** The tool that a request offers for its node: the action's, beside the decline tool, or a question's. */
export function toolOf({ tools = [] }: LanguageModelV4CallOptions): {
  readonly name: string;
  readonly inputSchema: JsonObject;
} {
  const [tool, , more] = tools;
  if (tool?.type !== "function" || more !== undefined) throw new Error("One or two tools were to be offered.");
  return { name: tool.name, inputSchema: tool.inputSchema as JsonObject };
}

/** Name of the decline tool of a request. */
export function declineToolOf({ tools = [] }: LanguageModelV4CallOptions): string {
  const name = tools[1]?.name;
  if (name === undefined) throw new Error("This request cannot be declined.");
  return name;
}

/** The request with this number, from 1. */
export function requestOf({ requests }: PlannedModel, number: number): LanguageModelV4CallOptions {
  const request = requests[number - 1];
  if (request === undefined) throw new Error(`The model was asked ${requests.length} times.`);
  return request;
}

/** The system prompt of a request. */
export function systemOf({ prompt }: LanguageModelV4CallOptions): string {
  return prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n");
}

/** The content of a request's newest message, as JSON text. */
export function lastOf({ prompt }: LanguageModelV4CallOptions): string {
  return JSON.stringify(prompt.at(-1));
}
