import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { AgentModels } from "../models/models.ts";
import { readFailure } from "../calls/failure.ts";
import { copyJson } from "../json/json-copy.ts";
import type { Action, Integration } from "../integrations/integration.ts";
import { createRedactor } from "../secrets/redact.ts";
import { factsOf } from "./played-action.ts";
import { recordModels } from "./record-models.ts";
import type {
  RecordedAction,
  RecordedCall,
  RecordedConnection,
  RecordedIntegration,
  RecordedReply,
  RecordedTurn,
  TrafficRecording,
} from "./recording.ts";
import { watchActions } from "./watched-context.ts";
import { modelsOf, type TestModels } from "./watched-models.ts";

/** The traffic to record. */
export interface RecordOptions {
  /** Integrations whose calls are recorded. @defaultValue none */
  readonly integrations?: readonly Integration[];
  /** Models whose answers are recorded. @defaultValue none */
  readonly models?: TestModels;
  /** Texts that must not be recorded, besides the secrets of connections and models. @defaultValue none */
  readonly secrets?: readonly string[];
}

/** Integrations and models that work as before and are recorded. */
export interface RecordedTraffic {
  /** The integrations to give to the engine. They call the real services and record the traffic. */
  readonly integrations: readonly Integration[];
  /** The models to give to the engine. They call the real models and record the traffic. */
  readonly models: AgentModels;
  /** The requests and answers so far. */
  recording(): TrafficRecording;
}

const recordLimits = { depth: 256, bytes: 64 * 1024 * 1024 };

/**
 * Records the requests and answers of actions and models, for {@link replayTraffic}. Works with a test's run and with
 * any engine.
 *
 * @example
 * const traffic = recordTraffic({ integrations: [ledger], models });
 * const run = await testProcedure({ document, input, connections, ...traffic });
 * await writeFile("payment.recording.json", JSON.stringify(traffic.recording(), undefined, 2));
 */
export function recordTraffic(options: RecordOptions): RecordedTraffic {
  const { secrets = [] } = options;
  const calls: RecordedCall[] = [];
  const turns: RecordedTurn[] = [];
  const facts: (() => RecordedIntegration)[] = [];
  const record = (call: RecordedCall, known: readonly string[]): void => {
    const redactor = createRedactor([...known, ...secrets]);
    calls.push(redactor.value(call as unknown as JsonValue) as unknown as RecordedCall);
  };
  const integrations = (options.integrations ?? []).map((integration) => {
    const recorded = recordIntegration(integration, record);
    facts.push(recorded.facts);
    return recorded.integration;
  });
  const models = recordModels(modelsOf(options.models ?? {}), (turn, known) => {
    const redactor = createRedactor([...known, ...secrets]);
    turns.push(redactor.value(turn as unknown as JsonValue) as unknown as RecordedTurn);
  });
  return {
    integrations,
    models: models.models,
    recording: () => ({
      version: 1,
      integrations: facts.map((factsOf) => factsOf()),
      calls: [...calls],
      models: models.recorded,
      turns: [...turns],
    }),
  };
}

type RecordCall = (call: RecordedCall, secrets: readonly string[]) => void;

function recordIntegration(
  integration: Integration,
  record: RecordCall,
): { readonly integration: Integration; readonly facts: () => RecordedIntegration } {
  const { name } = integration;
  const all = (actions: ReadonlyMap<string, Action>) =>
    new Map([...actions].map(([action, one]) => [action, recordAction(name, one, record)]));
  if (integration.kind === "coded") {
    const { actions } = integration;
    const recorded = recordedActions(actions);
    return {
      integration: { ...integration, actions: all(actions) },
      facts: () => ({ kind: "coded", name, actions: recorded }),
    };
  }
  const connections = new Map<string, RecordedConnection>();
  return {
    integration: {
      kind: "documented",
      name,
      title: integration.title,
      fields: integration.fields,
      prepare: async (given) => {
        const prepared = await integration.prepare(given);
        if (prepared.status === "ready") {
          const actions = recordedActions(prepared.actions);
          const settings = shortSettings(given.settings);
          connections.set(JSON.stringify(settings), { given: settings, actions });
        }
        return prepared.status === "ready" ? { ...prepared, actions: all(prepared.actions) } : prepared;
      },
      actions: async (connection) => {
        const actions = await integration.actions(connection);
        const recorded = recordedActions(actions);
        const same = JSON.stringify(recorded);
        // A connection that was created before the recording started is recognised by its actions.
        const isKnown = [...connections.values()].some((one) => JSON.stringify(one.actions) === same);
        const settings = shortSettings(connection.settings);
        if (!isKnown) connections.set(JSON.stringify(settings), { given: settings, actions: recorded });
        return all(actions);
      },
      test: (connection, context) => integration.test(connection, context),
    },
    facts: () => ({ kind: "documented", name, connections: [...connections.values()] }),
  };
}

/** A longer setting, such as a whole document, is recorded as its digest. */
const longestSetting = 1_000;

/** Settings in the form in which a recording identifies a connection. */
export function shortSettings(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, short(value)]));
}

function short(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    return value.length <= longestSetting ? value : `sha256:${createHash("sha256").update(value).digest("hex")}`;
  }
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(short) : shortSettings(value as JsonObject);
}

function recordedActions(actions: ReadonlyMap<string, Action>): readonly RecordedAction[] {
  return [...actions.values()].map(({ name, description, effect, input, revision, deprecated, output, timeoutMs }) => ({
    ...{ name, description, effect, input, revision, deprecated },
    ...(output !== undefined && { output }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }));
}

function recordAction(integration: string, action: Action, record: RecordCall): Action {
  return {
    ...factsOf(action),
    call: async (args, context) => {
      const acts = watchActions(context);
      const recordReply = (reply: RecordedReply): void => {
        record({ integration, action: action.name, arguments: args, reply }, Object.values(context.secrets));
      };
      try {
        const answer = await action.call(args, acts.context);
        const { output, violations } = answer;
        recordReply({ output: jsonOf(output), ...(violations.length > 0 && { violations }) });
        return answer;
      } catch (error) {
        recordReply(context.signal.aborted ? { hangs: true } : { error: failureOf(error, acts.mayHaveActed()) });
        throw error;
      }
    },
  };
}

function failureOf(error: unknown, mayHaveActed: boolean): Extract<RecordedReply, { readonly error: object }>["error"] {
  const { message, effect, retryable, retryAfterMs, details } = readFailure(error, mayHaveActed);
  return {
    ...{ message, effect, retryable },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(details !== undefined && { details }),
  };
}

function jsonOf(value: unknown): JsonValue {
  const copy = copyJson(value, recordLimits);
  return copy.ok ? copy.value : null;
}
