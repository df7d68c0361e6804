import type { IncomingHttpHeaders } from "node:http";

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** What a model says. */
export interface ScriptedReply {
  readonly text?: string;
  /** OpenAI: `refusal` beside the content. Anthropic: the text, with the stop reason `refusal`. */
  readonly refusal?: string;
  /** OpenAI's likes: `reasoning_content`. Anthropic: a thinking block, signed. */
  readonly thinking?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** @defaultValue as the rest of the reply has it */
  readonly stop?: "length" | "content_filter";
  /** @defaultValue 100 and 20; `untold`: what the interface allows to leave out is left out */
  readonly usage?: { readonly input: number; readonly output: number } | "untold";
  /** @defaultValue the model that was asked for */
  readonly model?: string;
}

export interface ScriptedToolCall {
  /** @defaultValue a new one */
  readonly id?: string;
  /** @defaultValue the first offered tool's */
  readonly name?: string;
  /** A text is sent as it is, also when it is no JSON. */
  readonly input: JsonObject | string;
}

/** What becomes of a request. */
export type ModelAnswer =
  | ({ readonly kind: "reply" } & ScriptedReply)
  /** An error of the service, in its own shape unless there is a `body`. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly message?: string;
      /** OpenAI's `code`, Anthropic's `type`. */
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** 200 and a body that is no answer. */
  | { readonly kind: "broken"; readonly body: string; readonly contentType?: string }
  /** The connection is lost in the middle of the reply. */
  | { readonly kind: "cut"; readonly reply: ScriptedReply }
  /** A stream that ends in good order before the reply does; a whole answer is cut. */
  | { readonly kind: "ends_early"; readonly reply: ScriptedReply }
  /** A stream that says in its middle what went wrong; a whole answer is an error with that status. */
  | {
      readonly kind: "fails";
      readonly reply: ScriptedReply;
      readonly status: number;
      readonly code: string;
      readonly message: string;
    }
  /** Nothing more comes until the client gives up: after no byte, or after a part of the reply. */
  | { readonly kind: "stall"; readonly after?: ScriptedReply };

export interface ReceivedRequest {
  readonly api: "openai" | "anthropic";
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  readonly streaming: boolean;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** Resolves when the connection closes before the answer was complete. */
  readonly abandoned: Promise<void>;
}

/** A request that the service refuses. */
export class Refused extends Error {
  readonly status: number;
  /** OpenAI's `code`, Anthropic's `type`; `null` where OpenAI gives none. */
  readonly code: string | null;
  /** OpenAI's `param`: the member of the request that is at fault. */
  readonly param: string | undefined;

  constructor(status: number, code: string | null, message: string, param?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A list's objects; none where it is no list. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** A text; of anything else, the empty one. */
export function wordOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A tool call's arguments as text. */
export function inputText({ input }: ScriptedToolCall): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

/** A text in pieces, as it is streamed: few also of a long one. */
export function piecesOf(text: string): readonly string[] {
  const size = Math.max(8, Math.ceil(text.length / 20));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}
