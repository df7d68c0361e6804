import type { JsonValue } from "./json.ts";

/**
 * The types of an agent's conversation as the API answers it, written out so that an editor shows the meaning of each
 * field. `run-turns.ts` has the schemas; `answer-types.test-d.ts` holds both equal.
 */

/** One prompt to a model in a step, and its reply. */
export interface RunTurn {
  /** Number of the turn within the visit, from 1. */
  turn: number;
  /** Number of requests to the model; 0 until the first one is answered or fails. */
  attempts: number;
  /** The model that the answer names, otherwise the requested model. */
  modelId?: string | undefined;
  /** The provider of the model. */
  provider?: string | undefined;
  /** Messages that this turn added to the conversation. */
  messages: TurnMessage[];
  /** The parts of the model's reply; left out when it gave none. */
  reply?: RunReplyPart[] | undefined;
  /** Why the model stopped: stop, length, content-filter, tool-calls, error or other. */
  finishReason?: string | undefined;
  /** The same reason in the provider's own word. */
  rawFinishReason?: string | undefined;
  /** The tokens used; left out until the model has answered. */
  usage?:
    | {
        /** Tokens of the prompt. */
        inputTokens: number;
        /** Tokens of the reply. */
        outputTokens: number;
        /** The figures that the provider did not report: estimates by the engine, as budgets count them. */
        estimated?: ("inputTokens" | "outputTokens")[] | undefined;
      }
    | undefined;
  /** Duration of the latest attempt, in milliseconds. */
  latencyMs?: number | undefined;
  /** The reason for which the latest attempt had no answer. */
  error?: string | undefined;
  /**
   * Consequence of the reply. `called`: its call was made; `corrected`: the model was asked to correct it;
   * `answered`: it answered the question; `concluded`: it wanted no further call; `reviewed`: a review was opened;
   * `failed`: the step failed.
   */
  stop?: "called" | "corrected" | "answered" | "concluded" | "reviewed" | "failed" | undefined;
  /** Time of the beginning, ISO 8601. */
  startedAt: string;
  /** Time of the end, ISO 8601. */
  completedAt?: string | undefined;
}

/** A message of the conversation with an agent. */
export type TurnMessage =
  | {
      role: "system";
      /** Text of the message. */
      text: string;
    }
  | {
      role: "user";
      /** Text of the message. */
      text: string;
    }
  | {
      role: "tool";
      /** The model's id of the proposed call. */
      toolCallId: string;
      /** Name of the tool, as the model was offered it. */
      toolName: string;
      /** Outcome of the proposed call, as sent to the model. */
      output: JsonValue;
      isError?: true | undefined;
    };

/** A part of a model's reply: text, reasoning or a proposed call. */
export type RunReplyPart =
  | {
      type: "text";
      /** Text of the part. */
      text: string;
    }
  | {
      type: "reasoning";
      /** Text of the part. */
      text: string;
    }
  | {
      type: "tool_call";
      /** The model's id of the proposed call. */
      toolCallId: string;
      /** Name of the tool, as the model was offered it. */
      toolName: string;
      /** As proposed: JSON as a value, its numbers with all their digits; other text as text. */
      arguments: JsonValue;
    };
