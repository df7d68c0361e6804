import {
  inputText,
  isObject,
  piecesOf,
  type Json,
  type JsonObject,
  type ReceivedRequest,
  type ScriptedReply,
} from "./answers.ts";
import type { Spoken } from "./send.ts";

/** Encodes a reply in the format of OpenAI's chat completions. */
export function openAIReply(reply: ScriptedReply, request: ReceivedRequest, number: number): Spoken {
  const head = { id: `chatcmpl-${number}`, created: 1_760_000_000, model: reply.model ?? request.body["model"] ?? "" };
  return request.streaming ? streamed(reply, request, head) : { whole: whole(reply, request, head) };
}

/** OpenAI's error body. */
export function openAIError(status: number, message: string, code?: string | null, param?: string): JsonObject {
  const type = status === 429 ? "requests" : status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type, param: param ?? null, code: code ?? null } };
}

type Head = { readonly id: string; readonly created: number; readonly model: Json };

function whole(reply: ScriptedReply, request: ReceivedRequest, head: Head): JsonObject {
  const { text = null, refusal = null, thinking } = reply;
  const calls = toolCalls(reply, request, head);
  return {
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          refusal,
          annotations: [],
          ...(thinking === undefined ? {} : { reasoning_content: thinking }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishReason(reply),
      },
    ],
    ...usage(reply),
    service_tier: "default",
    system_fingerprint: "fp_1",
  };
}

function streamed(reply: ScriptedReply, request: ReceivedRequest, head: Head): Spoken {
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    event({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    });
  const options = request.body["stream_options"];
  const wantsUsage = isObject(options) && options["include_usage"] === true;
  return {
    events: [
      chunk({ role: "assistant", content: "", refusal: null }),
      ...piecesOf(reply.thinking ?? "").map((piece) => chunk({ reasoning_content: piece })),
      ...piecesOf(reply.text ?? "").map((piece) => chunk({ content: piece })),
      ...piecesOf(reply.refusal ?? "").map((piece) => chunk({ refusal: piece })),
      ...toolCalls(reply, request, head).flatMap(({ function: called, ...call }, index) => [
        chunk({ tool_calls: [{ index, ...call, function: { ...called, arguments: "" } }] }),
        ...piecesOf(called.arguments).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
    ],
    ending: [
      chunk({}, finishReason(reply)),
      ...(wantsUsage ? [event({ ...head, object: "chat.completion.chunk", choices: [], ...usage(reply) })] : []),
      "data: [DONE]\n\n",
    ],
    failing: (status, message, code) => [event(openAIError(status, message, code))],
  };
}

function toolCalls(reply: ScriptedReply, { tools }: ReceivedRequest, { id }: Head) {
  return (reply.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${id.slice("chatcmpl-".length)}_${index}`,
    type: "function",
    function: { name: call.name ?? tools[0] ?? "", arguments: inputText(call) },
  }));
}

function finishReason({ stop, toolCalls: calls = [] }: ScriptedReply): string {
  return stop ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function usage({ usage: counted = { input: 100, output: 20 } }: ScriptedReply): JsonObject {
  if (counted === "unreported") return {};
  const { input, output } = counted;
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
    },
  };
}

function event(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
