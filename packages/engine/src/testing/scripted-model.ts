import {
  APICallError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4FinishReason,
  type LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import type { JsonObject } from "@procedo/contract";
import { PlayedModel, type ModelAnswer } from "./played-model.ts";
import { TestingError } from "./testing-error.ts";
import type { WorkUnderWay } from "./work-under-way.ts";

/** The answer of a scripted model to one request. */
export type ScriptedAnswer = (
  | {
      /** Proposes a call with these arguments. A string is sent unchanged, and need not be JSON. */
      readonly call: JsonObject | string;
      /** Text beside the call. @defaultValue none */
      readonly text?: string;
      /** Name of the called tool. @defaultValue the offered tool */
      readonly tool?: string;
    }
  /** Proposes several calls at once. */
  | {
      /** The arguments of the calls, in order. A string is sent unchanged, and need not be JSON. */
      readonly calls: readonly (JsonObject | string)[];
      /** Text beside the calls or the answer. @defaultValue none */
      readonly text?: string;
    }
  /** Declines to make the requested call. */
  | {
      /** The reason for declining. */
      readonly declines: string;
      /** Text beside the calls or the answer. @defaultValue none */
      readonly text?: string;
    }
  /** Answers a question with a branch. */
  | {
      /** Name of the branch. */
      readonly answer: string;
      /** The reason for the answer. @defaultValue "As scripted." */
      readonly reason?: string;
      /** Confidence in the answer, from 0 to 1. @defaultValue none */
      readonly confidence?: number;
      /** Text beside the calls or the answer. @defaultValue none */
      readonly text?: string;
    }
  /** Answers with text only. */
  | {
      /** The text. */
      readonly text: string;
    }
  | ScriptedFailure
  /** Never answers: the request times out. */
  | { readonly hangs: true }
) & {
  /** Why the model stops. @defaultValue "tool-calls" with a call or an answer, else "stop" */
  readonly finishReason?: LanguageModelV4FinishReason["unified"];
  /** In tokens. 0 stands for a usage that the provider does not report, which is estimated. @defaultValue 10 each */
  readonly usage?: {
    /** Tokens of the prompt. */
    readonly inputTokens: number;
    /** Tokens of the answer. */
    readonly outputTokens: number;
  };
};

/** The provider answers with an error. */
export interface ScriptedFailure {
  /** Message of the error. */
  readonly error: string;
  /** HTTP status of the response. 408, 409, 429 and those from 500 on are retried. @defaultValue 500 */
  readonly statusCode?: number;
  /** The response's `Retry-After`, in seconds. @defaultValue none */
  readonly retryAfterSeconds?: number;
}

/** A request to a scripted model. */
export interface ScriptedRequest {
  /** From 1, over all requests to this model. */
  readonly number: number;
  /** The whole conversation as the provider would receive it. */
  readonly prompt: LanguageModelV4CallOptions["prompt"];
  /** The whole conversation as one text, for searching. */
  readonly text: string;
  /** The offered tool: the node's action, or the answer to a question. */
  readonly tool:
    | {
        /** Name of the tool. */
        readonly name: string;
        /** Description of the tool, as the model reads it. */
        readonly description: string;
        /** JSON Schema of the tool's arguments. */
        readonly input: JsonObject;
      }
    | undefined;
  /** Name of the tool for declining; `undefined` for a question. */
  readonly declineTool: string | undefined;
  /** Whether the model must call one of the tools. */
  readonly mustCall: boolean;
}

type Script =
  | readonly (ScriptedAnswer | ((request: ScriptedRequest) => ScriptedAnswer | PromiseLike<ScriptedAnswer>))[]
  | ((request: ScriptedRequest) => ScriptedAnswer | PromiseLike<ScriptedAnswer>);

/** A language model with scripted answers. */
export class ScriptedModel extends PlayedModel {
  /** The requests to this model, in order. */
  readonly requests: readonly ScriptedRequest[];

  constructor(
    names: { readonly provider: string; readonly modelId: string },
    requests: readonly ScriptedRequest[],
    answerTo: ConstructorParameters<typeof PlayedModel>[1],
  ) {
    super(names, answerTo);
    this.requests = requests;
  }
}

/**
 * A language model that answers its requests in the order of the script, or all with one function. A request that is
 * repeated after an error or an unusable answer gets the script's next answer. More requests than answers fail the
 * test.
 *
 * @example
 * const model = scriptedModel([
 *   { error: "Overloaded", statusCode: 529 },
 *   { call: { amount: "lots" } }, // does not fit the action: it is told so
 *   { call: { amount: 125_000 }, text: "As the invoice says." },
 *   ({ text }) => ({ answer: text.includes("Acme") ? "known" : "unknown", confidence: 0.9 }),
 * ]);
 */
export function scriptedModel(script: Script, names: { readonly modelId?: string } = {}): ScriptedModel {
  const requests: ScriptedRequest[] = [];
  const answerTo = async (options: LanguageModelV4CallOptions, work: WorkUnderWay): Promise<ModelAnswer> => {
    const request = requestOf(options, requests.length + 1);
    requests.push(request);
    const next = typeof script === "function" ? script : script[request.number - 1];
    if (next === undefined) throw new TestingError(endOfScript(request));
    const answer = typeof next === "function" ? await madeUp(next, request, work) : next;
    return answered(answer, request);
  };
  return new ScriptedModel({ provider: "scripted", modelId: names.modelId ?? "scripted" }, requests, answerTo);
}

/** A failed assertion in a function of the script fails the test, not the model. */
async function madeUp(
  make: (request: ScriptedRequest) => ScriptedAnswer | PromiseLike<ScriptedAnswer>,
  request: ScriptedRequest,
  work: WorkUnderWay,
): Promise<ScriptedAnswer> {
  try {
    return await make(request);
  } catch (error) {
    work.fail(error);
    throw error;
  }
}

function requestOf({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions, number: number): ScriptedRequest {
  const [tool, decline] = tools.filter((one) => one.type === "function");
  return {
    number,
    prompt,
    text: prompt.map(textOf).join("\n\n"),
    tool: tool && { name: tool.name, description: tool.description ?? "", input: tool.inputSchema as JsonObject },
    declineTool: decline?.name,
    mustCall: toolChoice?.type === "required" || toolChoice?.type === "tool",
  };
}

function textOf(message: LanguageModelV4CallOptions["prompt"][number]): string {
  if (message.role === "system") return message.content;
  return message.content.map((part) => ("text" in part ? part.text : JSON.stringify(part))).join("\n");
}

function endOfScript({ number, prompt, tool }: ScriptedRequest): string {
  const last = prompt.at(-1);
  const shown = last === undefined ? "" : textOf(last).slice(-500);
  const offered = tool === undefined ? "" : ` It was offered the tool "${tool.name}".`;
  return `The scripted model has no answer for request ${number}.${offered} The conversation ends with: ${shown}`;
}

function answered(answer: ScriptedAnswer, request: ScriptedRequest): ModelAnswer {
  if ("hangs" in answer) return "hangs";
  if ("error" in answer) throw failureOf(answer);
  const calls = callsOf(answer, request);
  const text = answer.text === undefined ? [] : [{ type: "text" as const, text: answer.text }];
  const { finishReason = calls.length > 0 ? "tool-calls" : "stop", usage } = answer;
  return {
    content: [...text, ...calls],
    finishReason: { unified: finishReason, raw: undefined },
    usage: usageOf(usage),
    warnings: [],
  };
}

function callsOf(
  answer: Exclude<ScriptedAnswer, { readonly hangs: true } | ScriptedFailure>,
  { number, tool, declineTool }: ScriptedRequest,
): readonly LanguageModelV4Content[] {
  const offered = tool?.name ?? "tool";
  const call = (input: JsonObject | string, index: number, toolName = offered): LanguageModelV4Content => {
    const toolCallId = `call_${number}_${index + 1}`;
    return {
      type: "tool-call",
      toolCallId,
      toolName,
      input: typeof input === "string" ? input : JSON.stringify(input),
    };
  };
  if ("call" in answer) return [call(answer.call, 0, answer.tool)];
  if ("calls" in answer) return answer.calls.map((one, index) => call(one, index));
  if ("declines" in answer) {
    if (declineTool === undefined) throw new TestingError(`Request ${number} is a question, which cannot be declined.`);
    return [call({ reason: answer.declines }, 0, declineTool)];
  }
  if (!("answer" in answer)) return [];
  const { answer: branch, reason = "As scripted.", confidence } = answer;
  return [call({ branch, reason, ...(confidence !== undefined && { confidence }) }, 0)];
}

function usageOf(usage = { inputTokens: 10, outputTokens: 10 }): LanguageModelV4GenerateResult["usage"] {
  const { inputTokens, outputTokens } = usage;
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
  };
}

function failureOf({ error, statusCode = 500, retryAfterSeconds }: ScriptedFailure): APICallError {
  const retryAfter = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return new APICallError({
    message: error,
    url: "scripted:",
    requestBodyValues: {},
    statusCode,
    responseHeaders: retryAfter,
  });
}
