import { signatureOf } from "./anthropic-rules.ts";
import {
  inputText,
  isObject,
  piecesOf,
  type Json,
  type JsonObject,
  type ReceivedRequest,
  type ScriptedReply,
  type ScriptedToolCall,
} from "./answers.ts";
import type { Spoken } from "./send.ts";

/** Encodes a reply in the format of Anthropic's messages. */
export function anthropicReply(reply: ScriptedReply, request: ReceivedRequest, number: number): Spoken {
  const head = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: reply.model ?? request.body["model"] ?? "",
  };
  const { input, output } = countedIn(reply);
  const blocks = blocksOf(reply, request, number);
  if (!request.streaming) {
    return {
      whole: {
        ...head,
        content: blocks.map(({ block }) => block),
        stop_reason: stopReason(reply),
        stop_sequence: null,
        usage: { input_tokens: input, ...noCache, output_tokens: output, service_tier: "standard" },
      },
    };
  }
  return {
    events: [
      event("message_start", {
        message: {
          ...head,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: input, ...noCache, output_tokens: 1, service_tier: "standard" },
        },
      }),
      event("ping", {}),
      ...blocks.flatMap(({ start, deltas }, index) => [
        event("content_block_start", { index, content_block: start }),
        ...deltas.map((delta) => event("content_block_delta", { index, delta })),
        event("content_block_stop", { index }),
      ]),
    ],
    ending: [
      event("message_delta", {
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: output },
      }),
      event("message_stop", {}),
    ],
    failing: (status, message, code) => [event("error", { error: { type: code ?? typeOf(status), message } })],
  };
}

/** Anthropic's error body. */
export function anthropicError(status: number, message: string, code?: string | null): JsonObject {
  return { type: "error", error: { type: code ?? typeOf(status), message }, request_id: "req_1" };
}

const noCache = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

interface Block {
  readonly block: JsonObject;
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
}

function blocksOf(reply: ScriptedReply, { tools }: ReceivedRequest, number: number): readonly Block[] {
  const { thinking, toolCalls = [] } = reply;
  const text = [reply.text, reply.refusal].filter((part) => part !== undefined).join("");
  return [
    ...(thinking === undefined ? [] : [thinkingBlock(thinking)]),
    ...(text === "" ? [] : [textBlock(text)]),
    ...toolCalls.map((call, index) => toolBlock(call, `toolu_${number}_${index}`, tools[0] ?? "")),
  ];
}

function thinkingBlock(thinking: string): Block {
  const signature = signatureOf(thinking);
  return {
    block: { type: "thinking", thinking, signature },
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...piecesOf(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature },
    ],
  };
}

function textBlock(text: string): Block {
  return {
    block: { type: "text", text },
    start: { type: "text", text: "" },
    deltas: piecesOf(text).map((piece) => ({ type: "text_delta", text: piece })),
  };
}

function toolBlock(call: ScriptedToolCall, newId: string, offered: string): Block {
  const { id = newId, name = offered } = call;
  return {
    block: { type: "tool_use", id, name, input: parsed(inputText(call)) },
    start: { type: "tool_use", id, name, input: {} },
    deltas: piecesOf(inputText(call)).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  };
}

/** Parses the arguments for a non-streamed answer; truncated arguments become an empty object. */
function parsed(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function stopReason({ stop, refusal, toolCalls = [] }: ScriptedReply): string {
  if (refusal !== undefined || stop === "content_filter") return "refusal";
  if (stop === "length") return "max_tokens";
  return toolCalls.length > 0 ? "tool_use" : "end_turn";
}

/** Returns the usage, which Anthropic always reports. */
function countedIn({ usage = { input: 100, output: 20 } }: ScriptedReply) {
  return usage === "unreported" ? { input: 0, output: 0 } : usage;
}

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function typeOf(status: number): string {
  return types[status] ?? "api_error";
}

function event(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
