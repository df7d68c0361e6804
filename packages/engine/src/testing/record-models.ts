import { APICallError, type LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { AgentModel, AgentModels, LanguageModel } from "../models/models.ts";
import { gatherStream, type GatheredAnswer } from "../models/model-stream.ts";
import type { RecordedAnswer, RecordedModel, RecordedModels, RecordedRequest, RecordedTurn } from "./recording.ts";
import { replaceModels } from "./watched-models.ts";

type RecordTurn = (turn: RecordedTurn, secrets: readonly string[]) => void;
type Asking = Pick<LanguageModelV4CallOptions, "abortSignal"> & {
  readonly prompt: unknown;
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
};

/** Wraps models so that their requests and answers are recorded. */
export function recordModels(
  models: AgentModels,
  record: RecordTurn,
): { readonly models: AgentModels; readonly recorded: RecordedModels } {
  const numbers = new Map<LanguageModel, number>();
  const secrets = secretsOf(models);
  const replaced = replaceModels(models, (model) => {
    const number = numbers.size + 1;
    numbers.set(model, number);
    return recordModel(model, (request, reply) => record({ model: number, request, reply }, secrets));
  });
  const one = ({ model, maxOutputTokens, timeoutMs, toolChoice }: AgentModel): RecordedModel => ({
    model: numbers.get(model) ?? 0,
    provider: model.provider,
    modelId: model.modelId,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(toolChoice !== undefined && { toolChoice }),
  });
  const pair = (given: Pick<AgentModels, "arguments" | "questions">) => ({
    ...(given.arguments !== undefined && { arguments: one(given.arguments) }),
    ...(given.questions !== undefined && { questions: one(given.questions) }),
  });
  const own = Object.entries(models.procedures ?? {}).map(([id, given]) => [id, pair(given)] as const);
  const procedures = own.length === 0 ? {} : { procedures: Object.fromEntries(own) };
  return { models: replaced, recorded: { ...pair(models), ...procedures } };
}

function secretsOf(models: AgentModels): readonly string[] {
  const pairs = [models, ...Object.values(models.procedures ?? {})];
  return pairs.flatMap((pair) => [...(pair.arguments?.secrets ?? []), ...(pair.questions?.secrets ?? [])]);
}

type RecordAnswer = (request: RecordedRequest, reply: RecordedAnswer) => void;

function recordModel(model: LanguageModel, recordAnswer: RecordAnswer): LanguageModel {
  const { provider, modelId, supportedUrls } = model;
  const names = { provider, modelId, supportedUrls };
  if (model.specificationVersion === "v3") {
    return {
      ...names,
      specificationVersion: "v3",
      doGenerate: (options) => recording(options, recordAnswer, () => model.doGenerate(options)),
      doStream: async (options) => {
        const result = await starting(options, recordAnswer, () => model.doStream(options));
        const [given, kept] = result.stream.tee();
        gathering(options, recordAnswer, kept);
        return { ...result, stream: given };
      },
    };
  }
  return {
    ...names,
    specificationVersion: "v4",
    doGenerate: (options) => recording(options, recordAnswer, () => model.doGenerate(options)),
    doStream: async (options) => {
      const result = await starting(options, recordAnswer, () => model.doStream(options));
      const [given, kept] = result.stream.tee();
      gathering(options, recordAnswer, kept);
      return { ...result, stream: given };
    },
  };
}

async function recording<T extends GatheredAnswer>(
  options: Asking,
  recordAnswer: RecordAnswer,
  ask: () => PromiseLike<T>,
): Promise<T> {
  const answer = await starting(options, recordAnswer, ask);
  recordAnswer(requestOf(options), { result: resultOf(answer) });
  return answer;
}

async function starting<T>(options: Asking, recordAnswer: RecordAnswer, ask: () => PromiseLike<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    recordAnswer(requestOf(options), failureOf(error, options));
    throw error;
  }
}

/** Records the complete answer of a stream. */
function gathering(options: Asking, recordAnswer: RecordAnswer, stream: Parameters<typeof gatherStream>[0]): void {
  const signal = options.abortSignal ?? new AbortController().signal;
  gatherStream(stream, { mostChars: Infinity, signal }).then(
    (answer) => recordAnswer(requestOf(options), { result: resultOf(answer) }),
    (error: unknown) => recordAnswer(requestOf(options), failureOf(error, options)),
  );
}

export function requestOf({ prompt, tools, toolChoice }: Asking): RecordedRequest {
  return { prompt: jsonOf(prompt), tools: jsonOf(tools ?? []), toolChoice: jsonOf(toolChoice ?? null) };
}

/** Omits the request's body and the response headers, which may contain private data. */
function resultOf({ content, finishReason, usage, providerMetadata, response }: GatheredAnswer): JsonObject {
  const { id, modelId } = response ?? {};
  const named = { ...(id !== undefined && { id }), ...(modelId !== undefined && { modelId }) };
  const result = { content, finishReason, usage, providerMetadata, response: named, warnings: [] };
  return jsonOf(result) as JsonObject;
}

function failureOf(error: unknown, { abortSignal }: Asking): RecordedAnswer {
  if (abortSignal?.aborted === true) return { hangs: true };
  const message = error instanceof Error ? error.message : String(error);
  if (!APICallError.isInstance(error)) return { error: { message, isRetryable: true } };
  const { statusCode, isRetryable, responseHeaders = {} } = error;
  const retryAfter = responseHeaders["retry-after"];
  return {
    error: {
      message,
      isRetryable,
      ...(statusCode !== undefined && { statusCode }),
      ...(retryAfter !== undefined && { retryAfter }),
    },
  };
}

function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
