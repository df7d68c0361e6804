import type { ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import type { Action } from "../integrations/integration.ts";

/**
 * The requests and answers of actions and models, as JSON without secrets. Keep it in a file beside a test to replay it
 * without a network.
 */
export interface TrafficRecording {
  readonly version: 1;
  /** The integrations and their actions. */
  readonly integrations: readonly RecordedIntegration[];
  /** In the order of the answers. */
  readonly calls: readonly RecordedCall[];
  /** Facts of the models that were asked. */
  readonly models: RecordedModels;
  /** In the order of the answers. */
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

/** A connection with a document, identified by the settings of its creation or by those that were stored. */
export interface RecordedConnection {
  readonly given: JsonObject;
  readonly actions: readonly RecordedAction[];
}

/** The metadata of an action. */
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
  /** The call was aborted before it was answered. */
  | { readonly hangs: true };

/** The models by purpose, as numbers of `RecordedTurn.model`. */
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

/** The parts of a request that are compared with the recording. */
export interface RecordedRequest {
  readonly prompt: JsonValue;
  readonly tools: JsonValue;
  readonly toolChoice: JsonValue;
}

export type RecordedAnswer =
  /** In the format of the AI SDK's specification. */
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
