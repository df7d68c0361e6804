import type { IncomingHttpHeaders } from "node:http";

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** A scripted reply of a model. */
export interface ScriptedReply {
  readonly text?: string;
  /** OpenAI: sent as `refusal` beside the content. Anthropic: sent as text with the stop reason `refusal`. */
  readonly refusal?: string;
  /** OpenAI-compatible services: sent as `reasoning_content`. Anthropic: sent as a signed thinking block. */
  readonly thinking?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** @defaultValue derived from the rest of the reply */
  readonly stop?: "length" | "content_filter";
  /** @defaultValue 100 and 20; `unreported` omits the usage as far as the interface allows */
  readonly usage?: { readonly input: number; readonly output: number } | "unreported";
  /** @defaultValue the requested model */
  readonly model?: string;
}

export interface ScriptedToolCall {
  /** @defaultValue a new id */
  readonly id?: string;
  /** @defaultValue the name of the first offered tool */
  readonly name?: string;
  /** A string is sent unchanged, even if it is not JSON. */
  readonly input: JsonObject | string;
}

/** The scripted outcome of a request. */
export type ModelAnswer =
  | ({ readonly kind: "reply" } & ScriptedReply)
  /** An error in the service's own format, unless `body` is given. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly message?: string;
      /** Sent as OpenAI's `code` or Anthropic's `type`. */
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Status 200 with an invalid body. */
  | { readonly kind: "broken"; readonly body: string; readonly contentType?: string }
  /** The connection breaks in the middle of the reply. */
  | { readonly kind: "cut"; readonly reply: ScriptedReply }
  /** A stream that is closed properly before the end of the reply. A non-streamed answer is cut. */
  | { readonly kind: "ends_early"; readonly reply: ScriptedReply }
  /** A stream with an error event in the middle. A non-streamed answer becomes an error with `status`. */
  | {
      readonly kind: "fails";
      readonly reply: ScriptedReply;
      readonly status: number;
      readonly code: string;
      readonly message: string;
    }
  /** No more data until the client gives up, before the first byte or after a part of the reply. */
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

/** The refusal of a request. */
export class Refused extends Error {
  readonly status: number;
  /** OpenAI's `code` or Anthropic's `type`; `null` where OpenAI sends none. */
  readonly code: string | null;
  /** OpenAI's `param`: the invalid member of the request. */
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

/** Returns the objects of a list; an empty list for other values. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** Returns a string unchanged; an empty string for other values. */
export function wordOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Returns the arguments of a tool call as text. */
export function inputText({ input }: ScriptedToolCall): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

/** Splits a text into pieces for streaming, at most about 20. */
export function piecesOf(text: string): readonly string[] {
  const size = Math.max(8, Math.ceil(text.length / 20));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}
