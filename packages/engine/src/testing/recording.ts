import type { ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import type { Action } from "../integrations/integration.ts";

/**
 * What actions and models were asked and what they answered, as JSON: without secrets, to be kept in a file beside a test
 * and replayed without a network.
 */
export interface TrafficRecording {
  readonly version: 1;
  readonly integrations: readonly RecordedIntegration[];
  /** In the order in which they were answered. */
  readonly calls: readonly RecordedCall[];
  readonly models: RecordedModels;
  /** In the order in which they were answered. */
  readonly turns: readonly RecordedTurn[];
}

export type RecordedIntegration =
  | {
      readonly kind: "coded";
      readonly name: string;
      readonly actions: readonly RecordedAction[];
    }
  | {
      readonly kind: "documented";
      readonly name: string;
      readonly connections: readonly RecordedConnection[];
    };

/** A connection that brought a document, by the settings that it was given, or those that were kept of it. */
export interface RecordedConnection {
  readonly given: JsonObject;
  readonly actions: readonly RecordedAction[];
}

/** What an action says of itself. */
export type RecordedAction = Pick<Action, "name" | "description" | "effect" | "input" | "revision" | "deprecated"> & {
  readonly output?: JsonObject;
  readonly timeoutMs?: number;
};

export interface RecordedCall {
  readonly integration: string;
  readonly action: string;
  readonly arguments: JsonObject;
  readonly reply: RecordedReply;
}

export type RecordedReply =
  | { readonly output: JsonValue; readonly violations?: readonly ErrorDetail[] }
  | {
      readonly error: {
        readonly message: string;
        readonly effect: "none" | "unknown";
        readonly retryable: boolean;
        readonly retryAfterMs?: number;
        readonly details?: JsonValue;
      };
    }
  /** It was given up before it answered. */
  | { readonly hangs: true };

/** Which model answers what: numbers of `RecordedTurn.model`. */
export interface RecordedModels extends RecordedPair {
  readonly procedures?: { readonly [procedureId: string]: RecordedPair };
}

export interface RecordedPair {
  readonly arguments?: RecordedModel;
  readonly questions?: RecordedModel;
}

export interface RecordedModel {
  readonly model: number;
  readonly provider: string;
  readonly modelId: string;
  readonly maxOutputTokens?: number;
  readonly timeoutMs?: number;
  readonly toolChoice?: "required" | "auto";
}

export interface RecordedTurn {
  readonly model: number;
  readonly request: RecordedRequest;
  readonly reply: RecordedAnswer;
}

/** What of a request is held to the recording. */
export interface RecordedRequest {
  readonly prompt: JsonValue;
  readonly tools: JsonValue;
  readonly toolChoice: JsonValue;
}

export type RecordedAnswer =
  /** As the AI SDK's specification has it. */
  | { readonly result: JsonObject }
  | {
      readonly error: {
        readonly message: string;
        readonly statusCode?: number;
        readonly retryAfter?: string;
        readonly isRetryable: boolean;
      };
    }
  | { readonly hangs: true };
