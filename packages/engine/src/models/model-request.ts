import type { JsonObject } from "@procedo/contract";
import type { PromptMessage, ReplyPart } from "@procedo/procedure";
import type { Notice } from "../ports/notice.ts";
import type { ArgumentNames } from "./argument-names.ts";

/** A tool that a model may call: the node's action, declining to call it, or the answer to a question. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, under their own names. */
  readonly input: JsonObject;
  /** The names that a model is offered instead. @defaultValue their own */
  readonly names?: ArgumentNames;
}

/** A message of a conversation: a prompt, or a model's reply with its content unchanged. */
export type ModelMessage = PromptMessage | { readonly role: "assistant"; readonly content: readonly ReplyPart[] };

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** `required`: the model must call one of the tools; `auto`: it may answer with text instead. */
  readonly toolChoice: "required" | "auto";
  /** Given when the worker stops and no longer waits. */
  readonly aborted: Notice;
  /** Given when the run is cancelled. @defaultValue the run is never cancelled */
  readonly cancelled?: Notice;
}
