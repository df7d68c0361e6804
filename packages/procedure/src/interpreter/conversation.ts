import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ErrorDetails } from "../expressions/expression.ts";
import type { StepError } from "./step-error.ts";

/**
 * What an agent and the engine say to each other within one visit of a node. A turn is the engine's prompt and the model's
 * reply; each is stored once, as what it adds, so that the whole conversation is the fold of its turns.
 */

/** What is put to the model: durable before the model is asked. */
export interface Prompted {
  readonly type: "prompted";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  /** From 1, within the visit. */
  readonly turn: number;
  /** What the node asks of its agent: up to so many calls, or the answer to its question. */
  readonly wants: { readonly calls: number } | "answer";
  /** What the conversation gains; the model's own replies are not repeated here. */
  readonly added: readonly PromptMessage[];
}

/** A message of a prompt. */
export type PromptMessage =
  /** The procedure's word; only this one instructs. */
  | { readonly role: "system"; readonly text: string }
  /** Data, marked as such, and what the engine has to say about a reply. */
  | { readonly role: "user"; readonly text: string }
  /** What became of a call that the model proposed, or why none was made. */
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: JsonValue;
      readonly isError?: true;
    };

/** What became of asking a model. */
export interface Replied {
  readonly type: "replied";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  readonly turn: number;
  /** From 1; a model that could not answer is asked again with the same prompt. */
  readonly attempt: number;
  readonly result: ModelResult;
  /** How long the model took, in milliseconds. */
  readonly latencyMs: number;
  /** Present when the same prompt will be put again. */
  readonly retryAtMs?: number;
}

/** A model's reply, or the error instead of it. */
export type ModelResult =
  | { readonly status: "ok"; readonly reply: ModelReply }
  /** No answer that could be read; `modelId` as it was asked for. */
  | { readonly status: "error"; readonly modelId: string; readonly error: StepError };

/** A model's answer as it came, in JSON. */
export interface ModelReply {
  /** As the answer names it, else as it was asked for. */
  readonly modelId: string;
  readonly provider: string;
  readonly responseId?: string;
  readonly content: readonly ReplyPart[];
  /** One of the SDK's words: stop, length, content-filter, tool-calls, error, other. */
  readonly finishReason: string;
  /** The provider's own word. */
  readonly rawFinishReason?: string;
  readonly usage: TokenUsage;
  readonly providerMetadata?: JsonObject;
}

/** Tokens of a prompt and of its reply. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What the provider did not tell: the number is the engine's own estimate. */
  readonly estimated?: readonly ("inputTokens" | "outputTokens")[];
}

/** A part of a model's reply: text, reasoning or a proposed call. */
export type ReplyPart =
  | { readonly type: "text"; readonly text: string; readonly providerMetadata?: JsonObject }
  | { readonly type: "reasoning"; readonly text: string; readonly providerMetadata?: JsonObject }
  | {
      readonly type: "tool_call";
      readonly toolCallId: string;
      readonly toolName: string;
      /** The arguments as the model wrote them; JSON, if all is well. */
      readonly input: string;
      readonly providerMetadata?: JsonObject;
    };

/** The agent needs no further call: its node is done. */
export interface Concluded {
  readonly type: "concluded";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  /** The model's last words. */
  readonly text: string;
}

/** An agent in the middle of its node: the fold of what was said and done in this visit. */
export interface AgentState {
  readonly turns: readonly AgentTurn[];
  /** Calls whose outcome is on record, in their order. */
  readonly calls: readonly AgentCall[];
  /** Attempts to ask the model: those on record, also where it could not answer, and those lost with their worker. */
  readonly modelCalls: number;
}

/** A turn of the conversation with an agent. */
export interface AgentTurn {
  readonly added: readonly PromptMessage[];
  /** `undefined` while the model has not answered. */
  readonly reply: ModelReply | undefined;
}

/** A call that an agent made earlier in the visit, with its result. */
export interface AgentCall {
  readonly arguments: JsonObject;
  readonly result: { readonly output: JsonValue } | FailedCall;
}

/** The message of a call's failure, and where another service refused it, what that said. */
export interface FailedCall {
  readonly error: string;
  readonly errorDetails?: ErrorDetails;
}

/** The tool by which an agent declines to make a call; never named as the action's own tool is. */
export function declineTool(actionTool: string): string {
  return actionTool === "decline" ? "decline_call" : "decline";
}

/** Before anything was said. */
export const silentAgent: AgentState = { turns: [], calls: [], modelCalls: 0 };

/** What a node gives that makes several calls: each with what became of it. */
export function callsOf(calls: readonly AgentCall[]): JsonObject[] {
  return calls.map(({ arguments: args, result }) => ({ arguments: args, ...(result as JsonObject) }));
}

/** Of a prompt and its reply together; whatever a provider counts strangely counts as nothing. */
export function tokensOf({ inputTokens, outputTokens }: TokenUsage): number {
  return whole(inputTokens) + whole(outputTokens);
}

function whole(count: number): number {
  return Number.isFinite(count) && count > 0 ? Math.trunc(count) : 0;
}
