import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "@procedo/contract";
import type { ModelReply, ReplyPart, TokenUsage } from "@procedo/procedure";
import { copyJson, type JsonLimits } from "../integrations/json-copy.ts";
import { IncompleteReply, OversizedReply } from "./model-failure.ts";
import type { AnswerPart, GatheredAnswer } from "./model-stream.ts";

export interface ReplyContext {
  readonly model: { readonly provider: string; readonly modelId: string };
  /** The offered tool by its own name and by the one that the model was given. */
  readonly tool: { readonly name: string; readonly sdkName: string };
  /** What a reply may have as JSON; `bytes` is the run's `stepBytes`. */
  readonly limits: JsonLimits;
}

/** Of what a provider tells about a whole answer, such as the probability of each token; more is left out. */
const mostMetadataBytes = 65_536;

const mostTokens = 1e12;

/**
 * The reply in JSON. Sources, files and what else no agent asks for are left out and counted under
 * `providerMetadata.procedo.leftOut`. Pure.
 *
 * @throws OversizedReply; IncompleteReply when the provider says that the answer broke off
 */
export function replyOf(answer: GatheredAnswer, context: ReplyContext): ModelReply {
  const { model, limits } = context;
  const { unified, raw } = answer.finishReason;
  if (unified === "interrupted") throw new IncompleteReply("ended its answer before it was whole.");
  if (unified === "error")
    throw new IncompleteReply(`ended its answer with an error${raw === undefined ? "" : ` (${raw})`}.`);
  const leftOut: Record<string, number> = {};
  const content = answer.content.flatMap((part) => {
    const taken = replyPart(part, context);
    const kind = part.type === "custom" ? part.kind : part.type;
    if (taken === undefined) leftOut[kind] = (leftOut[kind] ?? 0) + 1;
    return taken ?? [];
  });
  const metadata = metadataOf(answer.providerMetadata, { ...limits, bytes: mostMetadataBytes });
  const providerMetadata =
    Object.keys(leftOut).length === 0 ? metadata : { ...metadata, procedo: { leftOut: { ...leftOut } } };
  const reply: ModelReply = {
    modelId: answer.response?.modelId ?? model.modelId,
    provider: model.provider,
    ...(answer.response?.id === undefined ? {} : { responseId: answer.response.id }),
    content,
    finishReason: unified,
    ...(raw === undefined ? {} : { rawFinishReason: raw }),
    usage: usageOf(answer.usage),
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
  };
  const bytes = Buffer.byteLength(JSON.stringify(reply));
  if (bytes > limits.bytes) throw new OversizedReply(`has ${bytes} bytes; the limit is ${limits.bytes} bytes`);
  return reply;
}

/** `undefined` for a part of a kind that no agent asks for. */
function replyPart(part: AnswerPart, { tool, limits }: ReplyContext): readonly ReplyPart[] | undefined {
  const { type } = part;
  if (type !== "text" && type !== "reasoning" && type !== "tool-call") return undefined;
  const metadata = metadataOf(part.providerMetadata, limits);
  const given = metadata === undefined ? {} : { providerMetadata: metadata };
  // Streams of some providers begin a text that nothing follows.
  if (type === "text" && part.text === "" && metadata === undefined) return [];
  if (type !== "tool-call") {
    assertTexts(part.text);
    return [{ type, text: part.text, ...given }];
  }
  // The provider made this call itself: it was never offered.
  if (part.providerExecuted === true) return undefined;
  const { toolCallId, input } = part;
  assertTexts(toolCallId, part.toolName, input);
  const toolName = part.toolName === tool.sdkName ? tool.name : part.toolName;
  return [{ type: "tool_call", toolCallId, toolName, input, ...given }];
}

/** A package that is not written in TypeScript may give anything; what a journal holds is what it says it is. */
function assertTexts(...values: readonly unknown[]): void {
  if (values.every((value) => typeof value === "string")) return;
  throw new TypeError("its package gave a part of a reply that is no text where the AI SDK has one");
}

/** Left out as a whole where it is no JSON or too much: half of it could mean something else. */
function metadataOf(metadata: SharedV4ProviderMetadata | undefined, limits: JsonLimits): JsonObject | undefined {
  if (metadata === undefined) return undefined;
  const copy = copyJson(metadata, limits);
  return copy.ok ? (copy.value as JsonObject) : undefined;
}

function usageOf({ inputTokens, outputTokens }: GatheredAnswer["usage"]): TokenUsage {
  return { inputTokens: whole(inputTokens.total), outputTokens: whole(outputTokens.total) };
}

function whole(count: number | undefined): number {
  return count !== undefined && Number.isFinite(count) && count > 0 ? Math.min(Math.ceil(count), mostTokens) : 0;
}
