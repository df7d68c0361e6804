import { maxJsonDepth, type JsonValue, type RunReplyPart, type RunTurn } from "@procedo/contract";
import type { ReplyPart, TurnRecord } from "@procedo/engine";
import { fitsDepth, parseKeepingExact, type TokenUsage } from "@procedo/procedure";
import { timestamp } from "./timestamp.ts";

/** Converts a turn of an agent's conversation to its form in polls, without provider-specific data. */
export function turnAnswer({ turn, startedAtMs, endedAtMs, added, asks, reply, stop }: TurnRecord): RunTurn {
  const ask = asks.at(-1);
  return {
    turn,
    attempts: asks.length,
    ...(ask !== undefined && { modelId: ask.modelId }),
    ...(reply !== undefined && { provider: reply.provider }),
    messages: added.map((message) => ({ ...message })),
    ...(reply !== undefined && {
      reply: reply.content.map(partAnswer),
      finishReason: reply.finishReason,
      ...(reply.rawFinishReason !== undefined && { rawFinishReason: reply.rawFinishReason }),
      usage: usageAnswer(reply.usage),
    }),
    ...(ask !== undefined && { latencyMs: ask.latencyMs }),
    ...(ask?.error !== undefined && { error: ask.error }),
    ...(stop !== undefined && { stop }),
    startedAt: timestamp(startedAtMs),
    ...(endedAtMs !== undefined && { completedAt: timestamp(endedAtMs) }),
  };
}

function usageAnswer({ inputTokens, outputTokens, estimated }: TokenUsage): RunTurn["usage"] {
  return { inputTokens, outputTokens, ...(estimated !== undefined && { estimated: [...estimated] }) };
}

function partAnswer(part: ReplyPart): RunReplyPart {
  if (part.type !== "tool_call") return { type: part.type, text: part.text };
  const { toolCallId, toolName, input } = part;
  return { type: "tool_call", toolCallId, toolName, arguments: readable(input) };
}

/** Parses tool arguments, or returns them as text: a model may write invalid or deeply nested JSON. */
function readable(input: string): JsonValue {
  const parsed = parseKeepingExact(input);
  return parsed.ok && fitsDepth(parsed.value, maxJsonDepth) ? parsed.value : input;
}
