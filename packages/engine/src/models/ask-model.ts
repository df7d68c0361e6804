/*
 * One attempt to ask a language model, of any provider, through the AI SDK.
 *
 *   ask-model.ts          the attempt; model-request.ts: the conversation and the tools
 *   models.ts             the configured models, and the settings of each
 *   model-prompt.ts       the conversation in the SDK's form
 *   model-tool.ts         a tool in the SDK's form; model-names.ts: its name, provider-schema.ts: its schema,
 *                         model-strict.ts: whether a provider may enforce that schema
 *   argument-names.ts     names of arguments that every provider accepts; offered-schema.ts: in the schema;
 *                         schema-target.ts: the target of a `$ref`
 *   model-provider.ts     other differences between providers; model-tool-choice.ts: refusals of a forced call
 *   model-stream.ts       collects a streamed answer; model-reply.ts: an answer as JSON
 *   model-failure.ts      the meaning of an error; model-status.ts: of an HTTP status
 */
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ModelReply, ModelResult, RunLimits } from "@procedo/procedure";
import { afterReading, type Clock } from "../ports/clock.ts";
import { milliseconds } from "../ports/milliseconds.ts";
import { createRedactor } from "../secrets/redact.ts";
import { modelFailure, type AttemptCost, type ModelFailure } from "./model-failure.ts";
import { sdkPrompt } from "./model-prompt.ts";
import { familyOf, oneCallAtATime } from "./model-provider.ts";
import { replyOf } from "./model-reply.ts";
import { gatherStream, type GatheredAnswer } from "./model-stream.ts";
import { refusesForcedCall } from "./model-tool-choice.ts";
import { sdkTool, type SdkTool } from "./model-tool.ts";
import { modelSettings, type AgentModel, type LanguageModel, type ModelSettings } from "./models.ts";
import type { ModelRequest } from "./model-request.ts";

/** The outcome of one attempt to ask a model. */
export interface ModelAttempt {
  readonly result: ModelResult;
  readonly latencyMs: number;
  /** Present if the same prompt may be sent again; `afterMs` is the provider's minimum delay, if it gave one. */
  readonly retry?: { readonly afterMs?: number };
  /** The known cost of an attempt without a reply; left out if it is unknown. */
  readonly cost?: AttemptCost;
}

export interface ModelPorts {
  readonly clock: Pick<Clock, "now" | "monotonic" | "after" | "soon">;
  /** A reply with more than `stepBytes` bytes as JSON is discarded. */
  readonly limits: Pick<RunLimits, "stepBytes" | "depth">;
  /** Models that refused a forced call and then answered without one; this process no longer forces their calls. */
  readonly unforced: WeakSet<LanguageModel>;
}

/** A shorter secret is assumed to be a placeholder, as for local services: a reply may contain the word by chance. */
const leastSecretChars = 16;

/**
 * Asks a model once. Never throws: every failure is the attempt's result. Neither this function nor the AI SDK repeats
 * the request: each attempt has its own entry in the run's journal.
 */
export async function askModel(ports: ModelPorts, model: AgentModel, request: ModelRequest): Promise<ModelAttempt> {
  const { clock } = ports;
  const settings = modelSettings(model);
  const startedMs = clock.monotonic();
  const ended = await inTime(ports, settings, request);
  const latencyMs = Math.max(0, Math.round(clock.monotonic() - startedMs));
  if ("reply" in ended) return { result: { status: "ok", reply: ended.reply }, latencyMs };
  const { error, retry, cost } = ended;
  const result: ModelResult = { status: "error", modelId: settings.model.modelId, error };
  return { result, latencyMs, ...(retry === undefined ? {} : { retry }), ...(cost === undefined ? {} : { cost }) };
}

/** The number of characters in a request to a model, from which its tokens are estimated. Pure. */
export function promptCharacters({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): number {
  return JSON.stringify([messages, tools.map(({ name, description, input }) => [name, description, input])]).length;
}

type Ended = { readonly reply: ModelReply } | ModelFailure;

/** Ends at the timeout, on shutdown and on cancellation, even if the model's code ignores the abort signal. */
async function inTime(ports: ModelPorts, settings: ModelSettings, request: ModelRequest): Promise<Ended> {
  const stop = new AbortController();
  const stopped = Promise.withResolvers<Ended>();
  const end = (message: string): void => {
    stopped.resolve({ error: { message }, retry: {} });
    stop.abort();
  };
  const stopListening = request.aborted.listen(() =>
    end(`The ${shown(settings)} was stopped by a shutdown before it had answered.`),
  );
  const stopListeningToCancel = request.cancelled?.listen(() =>
    end("The run was cancelled before the model had answered."),
  );
  const { timeoutMs } = settings;
  const cancelTimeout = afterReading(ports.clock, timeoutMs, () =>
    end(`The ${shown(settings)} did not answer within ${milliseconds(timeoutMs)}.`),
  );
  try {
    return await Promise.race([stopped.promise, ask(ports, settings, request, stop.signal)]);
  } finally {
    cancelTimeout();
    stopListening();
    stopListeningToCancel?.();
  }
}

/**
 * Repeats a request without force at once if the service refused a forced call, within the same attempt. The reply, or
 * the error's details, then contain `toolChoice: "auto"`.
 */
async function ask(
  ports: ModelPorts,
  settings: ModelSettings,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Ended> {
  const { model } = settings;
  if (request.toolChoice === "auto") return await askOnce(ports, settings, request, signal);
  const mayForce = settings.toolChoice === "required" && !ports.unforced.has(model);
  if (mayForce) {
    const forced = await askOnce(ports, settings, request, signal);
    if ("reply" in forced || !forced.refusesForce) return forced;
  }
  const free = await askOnce(ports, settings, { ...request, toolChoice: "auto", unforced: true }, signal);
  if ("reply" in free) {
    if (mayForce) ports.unforced.add(model);
    return free;
  }
  const { error, cost } = free;
  const details = { ...(error.details as JsonObject | undefined), toolChoice: "auto" };
  // The refused request before this one was sent, and used no tokens.
  return { ...free, error: { ...error, details }, ...(mayForce && cost === "nothing" && { cost: "call" as const }) };
}

/** A request; `unforced` if the conversation requires a call but the model is not forced to make one. */
type AskedRequest = ModelRequest & { readonly unforced?: true };

type Answered = { readonly reply: ModelReply } | (ModelFailure & { readonly refusesForce: boolean });

async function askOnce(
  { clock, limits }: ModelPorts,
  settings: ModelSettings,
  request: AskedRequest,
  signal: AbortSignal,
): Promise<Answered> {
  const { model, secrets } = settings;
  try {
    signal.throwIfAborted();
    const tools = request.tools.map((tool) => sdkTool(tool, familyOf(model)));
    const answer = await answerOf(settings, request, { tools, signal, mostChars: limits.stepBytes });
    const reply = replyOf(answer, {
      model,
      tools: request.tools,
      unforced: request.unforced ?? false,
      promptCharacters: () => promptCharacters(request),
      limits: { depth: limits.depth, bytes: limits.stepBytes },
    });
    const redactor = createRedactor(secrets.filter(({ length }) => length >= leastSecretChars));
    // Redaction keeps the shape of the reply and changes only text inside its strings.
    return { reply: redactor.value(reply as unknown as JsonValue) as unknown as ModelReply };
  } catch (error) {
    const context = { shownModel: shown(settings), redactor: createRedactor(secrets), nowMs: clock.now() };
    return { ...modelFailure(error, context), refusesForce: refusesForcedCall(error) };
  }
}

async function answerOf(
  { model, maxOutputTokens, streaming }: ModelSettings,
  { messages, tools: offered, toolChoice }: ModelRequest,
  given: { readonly tools: SdkTool[]; readonly signal: AbortSignal; readonly mostChars: number },
): Promise<GatheredAnswer> {
  const { tools, signal, mostChars } = given;
  // No temperature: several models refuse one.
  const options = {
    prompt: sdkPrompt(messages, offered),
    tools,
    toolChoice: { type: toolChoice },
    maxOutputTokens,
    abortSignal: signal,
    ...oneCallAtATime(model),
  };
  if (!streaming) return await model.doGenerate(options);
  const { stream } = await model.doStream(options);
  return await gatherStream(stream, { mostChars, signal });
}

function shown({ model }: ModelSettings): string {
  return `model "${model.modelId}" (${model.provider})`;
}

export type { AgentModel, ModelReply };
