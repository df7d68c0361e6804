import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ModelReply, ReplyPart, TokenUsage } from "@procedo/procedure";
import { tokensIn } from "../budgets/token-estimate.ts";
import { copyJson, type JsonLimits } from "../json/json-copy.ts";
import { withOwnNames } from "./argument-names.ts";
import type { OfferedTool } from "./model-request.ts";
import { IncompleteReply, OversizedReply } from "./model-failure.ts";
import { fitToolName } from "./model-names.ts";
import type { AnswerPart, GatheredAnswer } from "./model-stream.ts";

export interface ReplyContext {
  readonly model: { readonly provider: string; readonly modelId: string };
  /** The offered tools: calls in the reply get the tools' own names and the own names of their arguments. */
  readonly tools: readonly Pick<OfferedTool, "name" | "names">[];
  /** Whether a required call was requested without force. @defaultValue false */
  readonly unforced?: boolean;
  /** Counts the characters of the request; called if the provider does not report its tokens. */
  readonly promptCharacters: () => number;
  /** Bounds of a reply as JSON; `bytes` is the run's `stepBytes`. */
  readonly limits: JsonLimits;
}

/** Bytes of a provider's metadata for a whole answer, such as token probabilities; larger metadata is left out. */
const mostMetadataBytes = 65_536;

const mostTokens = 1e12;

/**
 * The reply in JSON. Sources, files and other parts that no agent requests are left out and counted under
 * `providerMetadata.procedo.leftOut`; `providerMetadata.procedo.toolChoice` is `auto` if a call could not be forced.
 * Pure.
 *
 * @throws OversizedReply; IncompleteReply if the provider reports that the answer broke off
 */
export function replyOf(answer: GatheredAnswer, context: ReplyContext): ModelReply {
  const { model, limits, unforced = false } = context;
  const { unified, raw } = answer.finishReason;
  if (unified === "interrupted") throw new IncompleteReply("ended its answer before it was complete.");
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
  const remarks: JsonObject = {
    ...(Object.keys(leftOut).length > 0 && { leftOut: { ...leftOut } }),
    ...(unforced && { toolChoice: "auto" }),
  };
  const providerMetadata = Object.keys(remarks).length === 0 ? metadata : { ...metadata, procedo: remarks };
  const reply: ModelReply = {
    modelId: answer.response?.modelId ?? model.modelId,
    provider: model.provider,
    ...(answer.response?.id === undefined ? {} : { responseId: answer.response.id }),
    content,
    finishReason: unified,
    ...(raw === undefined ? {} : { rawFinishReason: raw }),
    usage: usageOf(answer.usage, content, context),
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
  };
  const bytes = Buffer.byteLength(JSON.stringify(reply));
  if (bytes > limits.bytes) throw new OversizedReply(`has ${bytes} bytes; the limit is ${limits.bytes} bytes`);
  return reply;
}

/** Converts a part; `undefined` for a kind that no agent requests. */
function replyPart(part: AnswerPart, { tools, limits }: ReplyContext): readonly ReplyPart[] | undefined {
  const { type } = part;
  if (type !== "text" && type !== "reasoning" && type !== "tool-call") return undefined;
  const metadata = metadataOf(part.providerMetadata, limits);
  const given = metadata === undefined ? {} : { providerMetadata: metadata };
  // Streams of some providers begin a text and send nothing of it.
  if (type === "text" && part.text === "" && metadata === undefined) return [];
  if (type !== "tool-call") {
    assertTexts(part.text);
    return [{ type, text: part.text, ...given }];
  }
  // The provider made this call itself, with a tool that the engine did not offer.
  if (part.providerExecuted === true) return undefined;
  const { toolCallId, input } = part;
  assertTexts(toolCallId, part.toolName, input);
  const tool = tools.find(({ name }) => fitToolName(name) === plainToolName(part.toolName));
  const args = plainArguments(input);
  return [
    {
      ...{ type: "tool_call", toolCallId, toolName: tool?.name ?? part.toolName },
      input: tool?.names === undefined ? args : withOwnNames(args, tool.names),
      ...given,
    },
  ];
}

/** Removes OpenAI's internal prefix of function names, which some models include. */
function plainToolName(name: string): string {
  return name.startsWith("functions.") ? name.slice("functions.".length) : name;
}

/** Undoes the double encoding of arguments by some services, which a model could not correct. */
function plainArguments(input: string): string {
  if (!input.trimStart().startsWith('"')) return input;
  try {
    const inner: unknown = JSON.parse(input);
    const value: unknown = typeof inner === "string" ? JSON.parse(inner) : undefined;
    return typeof inner === "string" && isObject(value as JsonValue) ? inner : input;
  } catch {
    return input;
  }
}

/**
 * Rejects parts that are not texts: a package without type checks may return any value, and the journal must not hold
 * it.
 */
function assertTexts(...values: readonly unknown[]): void {
  if (values.every((value) => typeof value === "string")) return;
  throw new TypeError("its package returned a reply part that is not a text where the AI SDK requires one");
}

/** The metadata, or nothing if it is not JSON or too large: a part of it could have another meaning. */
function metadataOf(metadata: SharedV4ProviderMetadata | undefined, limits: JsonLimits): JsonObject | undefined {
  if (metadata === undefined) return undefined;
  const copy = copyJson(metadata, limits);
  return copy.ok ? (copy.value as JsonObject) : undefined;
}

/**
 * The reported tokens, or an estimate where the provider reports none, so that token limits always hold. Packages
 * report 0 for a missing count, which is impossible for a prompt and for an answer with content.
 */
function usageOf(
  { inputTokens, outputTokens }: GatheredAnswer["usage"],
  content: readonly ReplyPart[],
  { promptCharacters }: ReplyContext,
): TokenUsage {
  const input = reportedCount(inputTokens.total, 1);
  const output = reportedCount(outputTokens.total, content.length === 0 ? 0 : 1);
  const estimated = [
    ...(input === undefined ? (["inputTokens"] as const) : []),
    ...(output === undefined ? (["outputTokens"] as const) : []),
  ];
  return {
    inputTokens: input ?? tokensIn(promptCharacters()),
    outputTokens: output ?? tokensIn(JSON.stringify(content).length),
    ...(estimated.length > 0 && { estimated }),
  };
}

function reportedCount(count: number | undefined, atLeast: 0 | 1): number | undefined {
  if (count === undefined || !Number.isFinite(count) || count < atLeast) return undefined;
  return Math.min(Math.ceil(count), mostTokens);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
