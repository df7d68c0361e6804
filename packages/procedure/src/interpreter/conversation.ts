import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ErrorDetails } from "../expressions/expression.ts";
import type { StepError } from "./step-error.ts";

/**
 * The conversation between an agent and the engine within one visit of a node. A turn is the engine's prompt and the
 * model's reply. Each is stored once, as its addition to the conversation, so that the whole conversation is the fold
 * of its turns.
 */

/** The prompt for the model. It is durable before the model is asked. */
export interface Prompted {
  readonly type: "prompted";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the node that the agent executes. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** From 1, within the visit. */
  readonly turn: number;
  /** The node's request to its agent: a maximum number of calls, or the answer to its question. */
  readonly wants:
    | {
        /** The most calls that the agent may make in this visit. */
        readonly calls: number;
      }
    | "answer";
  /** The messages added to the conversation. The model's own replies are not repeated here. */
  readonly added: readonly PromptMessage[];
}

/** A message of a prompt. */
export type PromptMessage =
  /** The procedure's instructions. Only this role instructs. */
  | {
      readonly role: "system";
      /** Text of the message. */
      readonly text: string;
    }
  /** Data, marked as such, and the engine's feedback on a reply. */
  | {
      readonly role: "user";
      /** Text of the message. */
      readonly text: string;
    }
  /** The result of a call that the model proposed, or the reason why no call was made. */
  | {
      readonly role: "tool";
      /** Id of the proposed call, as the model gave it. */
      readonly toolCallId: string;
      /** Name of the tool, as the model was offered it. */
      readonly toolName: string;
      /** The result of the call, or the reason why no call was made. */
      readonly output: JsonValue;
      readonly isError?: true;
    };

/** The result of asking a model. */
export interface Replied {
  readonly type: "replied";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the node that the agent executes. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** Number of the turn within the visit, from 1. */
  readonly turn: number;
  /** From 1. A model that could not answer is asked again with the same prompt. */
  readonly attempt: number;
  /** The model's reply, or its failure. */
  readonly result: ModelResult;
  /** Response time of the model, in milliseconds. */
  readonly latencyMs: number;
  /** Present if the same prompt will be sent again. */
  readonly retryAtMs?: number;
}

/** A model's reply, or the error instead of it. */
export type ModelResult =
  | {
      readonly status: "ok";
      /** The reply of the model. */
      readonly reply: ModelReply;
    }
  /** No readable answer; `modelId` is the requested one. */
  | { readonly status: "error"; readonly modelId: string; readonly error: StepError };

/** A model's answer as received, in JSON. */
export interface ModelReply {
  /** The model that the answer names, or else the requested one. */
  readonly modelId: string;
  /** The provider of the model. */
  readonly provider: string;
  /** The provider's id of the answer. */
  readonly responseId?: string;
  /** The parts of the answer, in order. */
  readonly content: readonly ReplyPart[];
  /** One of the SDK's values: stop, length, content-filter, tool-calls, error, other. */
  readonly finishReason: string;
  /** The provider's own value. */
  readonly rawFinishReason?: string;
  /** The tokens used. */
  readonly usage: TokenUsage;
  /** Further facts from the provider. */
  readonly providerMetadata?: JsonObject;
}

/** Tokens of a prompt and of its reply. */
export interface TokenUsage {
  /** Tokens of the prompt. */
  readonly inputTokens: number;
  /** Tokens of the reply. */
  readonly outputTokens: number;
  /** The counts that the provider did not report: these are the engine's own estimates. */
  readonly estimated?: readonly ("inputTokens" | "outputTokens")[];
}

/** A part of a model's reply: text, reasoning or a proposed call. */
export type ReplyPart =
  | {
      readonly type: "text";
      /** Text of the part. */
      readonly text: string;
      /** Further facts from the provider. */
      readonly providerMetadata?: JsonObject;
    }
  | {
      readonly type: "reasoning";
      /** Text of the part. */
      readonly text: string;
      /** Further facts from the provider. */
      readonly providerMetadata?: JsonObject;
    }
  | {
      readonly type: "tool_call";
      /** The model's id of the proposed call. */
      readonly toolCallId: string;
      /** Name of the tool, as the model was offered it. */
      readonly toolName: string;
      /** The arguments as written by the model; normally JSON. */
      readonly input: string;
      /** Further facts from the provider. */
      readonly providerMetadata?: JsonObject;
    };

/** The agent needs no further call: its node is done. */
export interface Concluded {
  readonly type: "concluded";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the node that the agent executes. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** The model's final text. */
  readonly text: string;
}

/** An agent within a visit of its node: the fold of the conversation and the calls so far. */
export interface AgentState {
  /** The turns so far, in order. */
  readonly turns: readonly AgentTurn[];
  /** Calls with a recorded outcome, in order. */
  readonly calls: readonly AgentCall[];
  /**
   * Attempts to ask the model: those on record, including those without an answer, and those lost with their worker.
   */
  readonly modelCalls: number;
}

/** A turn of the conversation with an agent. */
export interface AgentTurn {
  /** The messages that this turn added to the conversation. */
  readonly added: readonly PromptMessage[];
  /** `undefined` until the model has answered. */
  readonly reply: ModelReply | undefined;
}

/** A call that an agent made earlier in the visit, with its result. */
export interface AgentCall {
  /** The arguments of the call, exactly as sent. */
  readonly arguments: JsonObject;
  /** The output of the call, or its failure. */
  readonly result:
    | {
        /** The output of a successful call. */
        readonly output: JsonValue;
      }
    | FailedCall;
}

/** The message of a failed call and, if another service refused it, the details of its answer. */
export interface FailedCall {
  /** Message of the failure. */
  readonly error: string;
  /** The other service's answer. Absent if it did not refuse the call. */
  readonly errorDetails?: ErrorDetails;
}

/** The tool by which an agent declines to make a call. Its name always differs from that of the action's tool. */
export function declineTool(actionTool: string): string {
  return actionTool === "decline" ? "decline_call" : "decline";
}

/** The state before the first prompt. */
export const silentAgent: AgentState = { turns: [], calls: [], modelCalls: 0 };

/** The output of a node that makes several calls: each with its result. */
export function callsOf(calls: readonly AgentCall[]): JsonObject[] {
  return calls.map(({ arguments: args, result }) => ({ arguments: args, ...(result as JsonObject) }));
}

/** Tokens of a prompt and its reply together. A count that is not positive and finite counts as 0. */
export function tokensOf({ inputTokens, outputTokens }: TokenUsage): number {
  return whole(inputTokens) + whole(outputTokens);
}

function whole(count: number): number {
  return Number.isFinite(count) && count > 0 ? Math.trunc(count) : 0;
}
