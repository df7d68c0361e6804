import { APICallError, type LanguageModelV4CallOptions, type LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { createSchemaCompiler } from "@procedo/procedure";
import type { AgentModel, AgentModels } from "../models/models.ts";
import { comparablePrompt } from "../backtest/comparable-prompt.ts";
import { ActionError } from "../integrations/action-error.ts";
import { noFields } from "../integrations/connection-fields.ts";
import type { Action, Integration } from "../integrations/integration.ts";
import { describeDifference, jsonDifferences } from "../json/json-differences.ts";
import { systemClock } from "../ports/system-clock.ts";
import { FakeOutcome, timesOut } from "./fake-reply.ts";
import { PlayedAction, type PlayedReply } from "./played-action.ts";
import { PlayedModel, type ModelAnswer } from "./played-model.ts";
import { requestOf } from "./record-models.ts";
import { shortSettings } from "./record-traffic.ts";
import type {
  RecordedAction,
  RecordedAnswer,
  RecordedCall,
  RecordedIntegration,
  RecordedModel,
  RecordedPair,
  RecordedReply,
  RecordedRequest,
  RecordedTurn,
  TrafficRecording,
} from "./recording.ts";
import { TestingError } from "./testing-error.ts";
import { createWorkUnderWay } from "./work-under-way.ts";

/** Integrations and models with recorded answers. */
export interface ReplayedTraffic {
  /** The integrations to give to the engine. They answer from the recording. */
  readonly integrations: readonly Integration[];
  /** The models to give to the engine. They answer from the recording. */
  readonly models: AgentModels;
  /** The recorded calls and turns that were not requested yet, one line of text each. */
  unused(): readonly string[];
}

/**
 * Answers from a recording, without a network: each action's calls and each model's turns in the order of the
 * recording. A request that differs from the recorded one fails the test with the differences. The run's id, version
 * and start are not compared in prompts.
 *
 * @throws TestingError when the argument is not a recording
 * @example
 * const recording = JSON.parse(await readFile("payment.recording.json", "utf8"));
 * const run = await testProcedure({ document, input, connections, ...replayTraffic(recording) });
 */
export function replayTraffic(recording: TrafficRecording): ReplayedTraffic {
  const version: unknown = recording.version;
  if (version !== 1)
    throw new TestingError(`The recording has version ${JSON.stringify(version)}; only version 1 can be replayed.`);
  const calls = new Map<string, Queue<RecordedCall>>();
  for (const call of recording.calls) queueOf(calls, actionKey(call.integration, call.action)).items.push(call);
  const turns = new Map<number, Queue<RecordedTurn>>();
  for (const turn of recording.turns) queueOf(turns, turn.model).items.push(turn);
  return {
    integrations: recording.integrations.map((one) => replayIntegration(one, calls)),
    models: replayModels(recording, turns),
    unused: () => [
      ...[...calls.values()].flatMap(leftIn).map(({ integration, action, arguments: args }) => {
        return `${integration}.${action} ${JSON.stringify(args)}`;
      }),
      ...[...turns.values()].flatMap(leftIn).map(({ model }) => `a turn of model ${model}`),
    ],
  };
}

/** Recorded items in order, and the number of requested ones. */
interface Queue<T> {
  readonly items: T[];
  at: number;
}

function queueOf<K, T>(queues: Map<K, Queue<T>>, key: K): Queue<T> {
  const queue = queues.get(key) ?? { items: [], at: 0 };
  queues.set(key, queue);
  return queue;
}

function leftIn<T>({ items, at }: Queue<T>): readonly T[] {
  return items.slice(at);
}

const none = { added: [], changed: [], deprecated: [], renamed: [], removed: [] };

const actionKey = (integration: string, action: string): string => JSON.stringify([integration, action]);

function replayIntegration(recorded: RecordedIntegration, calls: Map<string, Queue<RecordedCall>>): Integration {
  const { name } = recorded;
  const all = (actions: readonly RecordedAction[]): ReadonlyMap<string, Action> =>
    new Map(actions.map((action) => [action.name, replayAction(name, action, calls)]));
  if (recorded.kind === "coded") {
    const actions = all(recorded.actions);
    // The replayed integration accepts any settings, and needs none.
    const base = { kind: "coded", name, title: name, fields: noFields } as const;
    return { ...base, needsConnection: false, checkConnection: () => [], inbound: undefined, actions };
  }
  const { connections } = recorded;
  const find = (settings: JsonObject) => {
    const same = connections.find(({ given }) => jsonDifferences(given, shortSettings(settings)).length === 0);
    const only = connections.length === 1 ? connections[0] : undefined;
    if (same !== undefined || only !== undefined) return same ?? only;
    throw new TestingError(
      `No connection of "${name}" with these settings is recorded: ${JSON.stringify(shortSettings(settings))}.`,
    );
  };
  return {
    kind: "documented",
    name,
    title: name,
    fields: noFields,
    prepare: async ({ settings }) => {
      const actions = all(find(settings)?.actions ?? []);
      const address = { baseUrl: undefined, unconfirmedBaseUrl: undefined };
      return {
        status: "ready",
        connection: { settings, document: "" },
        actions,
        changes: none,
        problems: [],
        ...address,
      };
    },
    actions: async ({ settings }) => all(find(settings)?.actions ?? []),
    test: async () => ({ ok: true }),
  };
}

function replayAction(
  integration: string,
  recorded: RecordedAction,
  calls: Map<string, Queue<RecordedCall>>,
): PlayedAction {
  const compiled = createSchemaCompiler()(recorded.input);
  const facts = {
    ...recorded,
    output: recorded.output,
    timeoutMs: recorded.timeoutMs,
    operation: undefined,
    check: (args: JsonObject) => (compiled.ok ? compiled.validator.validate(args) : []),
  };
  const name = `${integration}.${recorded.name}`;
  const queue = queueOf(calls, actionKey(integration, recorded.name));
  const replyTo = (args: JsonObject): PlayedReply => {
    const call = takeNext(queue, `"${name}" was called`);
    const differences = jsonDifferences(call.arguments, args).map(describeDifference);
    if (differences.length > 0) throw differs(`call ${queue.at} of "${name}"`, differences);
    return replyOf(call.reply);
  };
  return new PlayedAction(facts, replyTo, { clock: systemClock, work: createWorkUnderWay() });
}

function replyOf(reply: RecordedReply): PlayedReply {
  if ("output" in reply) {
    const { output, violations } = reply;
    return { reply: output, ...(violations !== undefined && { violations }) };
  }
  if ("hangs" in reply) return { reply: timesOut() };
  const { message, effect, retryable, retryAfterMs, details } = reply.error;
  const error = (): ActionError =>
    new ActionError(message, {
      outcome: effect === "unknown" ? "unknown" : "refused",
      retryable,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(details !== undefined && { details }),
    });
  return { reply: new FakeOutcome({ kind: "fails", error }) };
}

function replayModels({ models }: TrafficRecording, turns: Map<number, Queue<RecordedTurn>>): AgentModels {
  const made = new Map<number, PlayedModel>();
  const one = (recorded: RecordedModel): AgentModel => {
    const { model: number, maxOutputTokens, timeoutMs, toolChoice } = recorded;
    const model = made.get(number) ?? replayModel(recorded, queueOf(turns, number));
    made.set(number, model);
    return {
      model,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(toolChoice !== undefined && { toolChoice }),
    };
  };
  const pair = (recorded: RecordedPair) => ({
    ...(recorded.arguments !== undefined && { arguments: one(recorded.arguments) }),
    ...(recorded.questions !== undefined && { questions: one(recorded.questions) }),
  });
  const own = Object.entries(models.procedures ?? {}).map(([id, recorded]) => [id, pair(recorded)] as const);
  return { ...pair(models), ...(own.length > 0 && { procedures: Object.fromEntries(own) }) };
}

function replayModel({ provider, modelId }: RecordedModel, queue: Queue<RecordedTurn>): PlayedModel {
  return new PlayedModel({ provider, modelId }, (options: LanguageModelV4CallOptions): ModelAnswer => {
    const turn = takeNext(queue, `model "${modelId}" was called`);
    const request = requestOf(options);
    const differences = jsonDifferences(comparable(turn.request), comparable(request)).map(describeDifference);
    if (differences.length > 0) throw differs(`turn ${queue.at} of model "${modelId}"`, differences);
    return answerOf(turn.reply);
  });
}

function answerOf(reply: RecordedAnswer): ModelAnswer {
  if ("hangs" in reply) return "hangs";
  if ("result" in reply) return reply.result as unknown as LanguageModelV4GenerateResult;
  const { message, statusCode, isRetryable, retryAfter } = reply.error;
  throw new APICallError({
    message,
    url: "recorded:",
    requestBodyValues: {},
    isRetryable,
    ...(statusCode !== undefined && { statusCode }),
    ...(retryAfter !== undefined && { responseHeaders: { "retry-after": retryAfter } }),
  });
}

function comparable({ prompt, tools, toolChoice }: RecordedRequest): JsonValue {
  return [comparablePrompt(prompt), tools, toolChoice];
}

function takeNext<T>(queue: Queue<T>, what: string): T {
  const item = queue.items[queue.at];
  queue.at += 1;
  if (item !== undefined) return item;
  throw new TestingError(
    `The recording ends here: ${what} for the ${ordinal(queue.at)} time, but ${queue.items.length} are recorded.`,
  );
}

const mostDifferences = 10;

function differs(what: string, differences: readonly string[]): TestingError {
  const shown = differences.slice(0, mostDifferences);
  const more = differences.length > shown.length ? [`and ${differences.length - shown.length} more`] : [];
  const lines = [...shown, ...more].map((line) => `\n  ${line}`).join("");
  return new TestingError(
    `The request differs from the recorded ${what}. Record it again if the difference is intended.${lines}`,
  );
}

function ordinal(number: number): string {
  const tens = number % 100;
  const ending = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
