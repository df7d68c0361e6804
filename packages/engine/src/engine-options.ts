import { types } from "node:util";
import { checkOptionNames, kindOf, ProcedoError, quotedValue, type OptionNames } from "@procedo/contract";
import { defaultRunLimits, type RunLimits } from "@procedo/procedure";
import type { Storage } from "@procedo/storage";
import { checkModels, type AgentModels } from "./models/models.ts";
import { checkIntegration } from "./integrations/check-integration.ts";
import type { Integration } from "./integrations/integration.ts";
import type { EgressOptions } from "./egress/egress.ts";
import type { Clock } from "./ports/clock.ts";
import { consoleLog, type Log } from "./ports/log.ts";
import type { Observe } from "./ports/observe.ts";
import type { Random } from "./ports/random.ts";
import { systemClock } from "./ports/system-clock.ts";
import { systemRandom } from "./ports/system-random.ts";

/** Storage, integrations, keys and ports of an engine. */
export interface EngineOptions {
  /** The storage of all data. The engine does not close it. */
  readonly storage: Storage;
  /** The integrations whose actions procedures call. Their names must be unique. */
  readonly integrations: readonly Integration[];
  /**
   * At least 32 random bytes, the same for every engine on the same storage. Keys derived from it encrypt secrets and
   * chain journals; without it, both are lost. See {@link masterKeyFile}.
   */
  readonly masterKey: Uint8Array;
  /**
   * Separates the data of several engines on one storage. 1 to 100 characters, without control characters.
   * @defaultValue "default"
   */
  readonly workspace?: string;
  /**
   * Limits of one run: 1 to 100,000 node visits, 0 to 100,000 tool calls, 0 to 100,000 model calls, 0 to 1,000,000,000
   * tokens, 1 to 64 MiB `stepBytes`, 1 to 1 GiB `runBytes`, 1 to 256 levels of depth.
   * @defaultValue those of {@link RunLimits}
   */
  readonly limits?: Partial<RunLimits>;
  /**
   * The language models of agents. Publishing a procedure with `instructions` or a `question` requires a model for
   * them. @defaultValue none
   */
  readonly models?: AgentModels;
  /** Outgoing requests of integrations and webhooks. @defaultValue public addresses only */
  readonly egress?: EgressOptions;
  /** Lease and capacity of the engine's worker. @defaultValue those of {@link WorkerOptions} */
  readonly worker?: WorkerOptions;
  /**
   * The interval between two signed checkpoints, which list the runs that have ended, in milliseconds; at least 1000.
   * One engine of the workspace writes each. @defaultValue 3600000
   */
  readonly checkpointMs?: number;
  /**
   * Receives messages for operators. `silentLog` writes nothing.
   * @defaultValue `consoleLog`, which writes warnings and errors to the console
   */
  readonly log?: Log;
  /** Receives every durable row, for metrics and traces. @defaultValue none */
  readonly observe?: Observe;
  /** The source of times and delays. @defaultValue the system's clock */
  readonly clock?: Clock;
  /** The source of ids, keys and jitter. @defaultValue the system's randomness */
  readonly random?: Random;
}

/** Lease and capacity of the engine's worker. */
export interface WorkerOptions {
  /**
   * Lease of this worker: how long it may be silent before others take over its runs, in milliseconds; 100 to 3600000.
   * @defaultValue 15000
   */
  readonly leaseMs?: number;
  /** Maximum of runs executed at once, 1 to 1000000. Further runs wait in storage. @defaultValue 1000 */
  readonly capacity?: number;
  /**
   * How often storage is searched for claimable runs without a notification, in milliseconds; 10 to 3600000.
   * @defaultValue 1000
   */
  readonly pollMs?: number;
  /** How long after its intent a call may be sent, in milliseconds; 100 to 3600000. @defaultValue 5000 */
  readonly sendWindowMs?: number;
}

const engineNames = {
  storage: true,
  integrations: true,
  masterKey: true,
  workspace: true,
  limits: true,
  models: true,
  egress: true,
  worker: true,
  checkpointMs: true,
  log: true,
  observe: true,
  clock: true,
  random: true,
} satisfies OptionNames<EngineOptions>;

const workerNames = {
  leaseMs: true,
  capacity: true,
  pollMs: true,
  sendWindowMs: true,
} satisfies OptionNames<WorkerOptions>;

const limitNames = {
  nodeVisits: true,
  toolCalls: true,
  modelCalls: true,
  tokens: true,
  stepBytes: true,
  runBytes: true,
  depth: true,
} satisfies OptionNames<RunLimits>;

const egressNames = {
  allowNetworks: true,
  resolve: true,
  ca: true,
  maxResponseBytes: true,
  connectTimeoutMs: true,
  clock: true,
} satisfies OptionNames<EgressOptions>;

/** The options with all defaults applied. */
export interface EngineSettings extends Required<Omit<EngineOptions, "integrations" | "observe">> {
  readonly observe: Observe | undefined;
  readonly integrations: ReadonlyMap<string, Integration>;
  readonly limits: RunLimits;
  readonly worker: Required<WorkerOptions>;
}

const mebibyte = 1024 * 1024;
const hourMs = 3_600_000;

/**
 * Applies defaults and refuses values with which the engine could not work: with a lease of 0 ms no run would ever be
 * executed, without an error. `checkpointMs` is checked by the audit.
 *
 * @throws ProcedoError `invalid_configuration`, with the option, its value and the allowed values
 */
export function readEngineOptions(options: EngineOptions): EngineSettings {
  known("createEngine", engineNames, options);
  const { limits = {}, egress = {}, worker = {} } = options;
  known("The option worker", workerNames, worker);
  known("The option limits", limitNames, limits);
  known("The option egress", egressNames, egress);
  const { maxResponseBytes, connectTimeoutMs } = egress;
  if (maxResponseBytes !== undefined) whole("egress.maxResponseBytes", maxResponseBytes, 1, 256 * mebibyte);
  if (connectTimeoutMs !== undefined) whole("egress.connectTimeoutMs", connectTimeoutMs, 1, hourMs);
  return {
    storage: storageOf(options.storage),
    integrations: byName(options.integrations),
    masterKey: bytes("masterKey", options.masterKey),
    workspace: name("workspace", options.workspace ?? "default"),
    limits: {
      nodeVisits: whole("limits.nodeVisits", limits.nodeVisits ?? defaultRunLimits.nodeVisits, 1, 100_000),
      toolCalls: whole("limits.toolCalls", limits.toolCalls ?? defaultRunLimits.toolCalls, 0, 100_000),
      modelCalls: whole("limits.modelCalls", limits.modelCalls ?? defaultRunLimits.modelCalls, 0, 100_000),
      tokens: whole("limits.tokens", limits.tokens ?? defaultRunLimits.tokens, 0, 1_000_000_000),
      stepBytes: whole("limits.stepBytes", limits.stepBytes ?? defaultRunLimits.stepBytes, 1, 64 * mebibyte),
      runBytes: whole("limits.runBytes", limits.runBytes ?? defaultRunLimits.runBytes, 1, 1024 * mebibyte),
      depth: whole("limits.depth", limits.depth ?? defaultRunLimits.depth, 1, 256),
    },
    models: checked(options.models ?? {}),
    egress,
    worker: {
      leaseMs: whole("worker.leaseMs", worker.leaseMs ?? 15_000, 100, hourMs),
      capacity: whole("worker.capacity", worker.capacity ?? 1_000, 1, 1_000_000),
      pollMs: whole("worker.pollMs", worker.pollMs ?? 1_000, 10, hourMs),
      sendWindowMs: whole("worker.sendWindowMs", worker.sendWindowMs ?? 5_000, 100, hourMs),
    },
    checkpointMs: options.checkpointMs ?? hourMs,
    log: portOf("log", options.log ?? consoleLog, ["info", "warn", "error"]),
    observe: observerOf(options.observe),
    clock: portOf("clock", options.clock ?? systemClock, ["now", "monotonic", "after", "soon"]),
    random: portOf("random", options.random ?? systemRandom(), ["bytes", "uniform"]),
  };
}

function known(subject: string, names: Readonly<Record<string, true>>, given: object): void {
  checkOptionNames(subject, names, given, "invalid_configuration");
}

function storageOf(storage: Storage): Storage {
  const given: unknown = storage;
  // Members that every adapter has and a promise of an adapter does not.
  if (typeof given === "object" && given !== null && "runs" in given && "watch" in given) return storage;
  const awaited =
    given instanceof Promise ? " Write await before SqliteStorage.open(…) or PostgresStorage.connect(…)." : "";
  throw invalid(
    `The option storage is ${kindOf(given)}. Give a storage, such as SqliteStorage.open returns.${awaited}`,
  );
}

/** Checks that the object has the functions of its port. */
function portOf<Port extends Log | Clock | Random>(
  option: string,
  port: Port,
  functions: readonly (keyof Port)[],
): Port {
  const given = port as Partial<Record<keyof Port, unknown>>;
  for (const each of functions) {
    if (typeof given[each] === "function") continue;
    throw invalid(
      `The option ${option} has ${kindOf(given[each])} as ${String(each)}. Give an object with the functions ${functions.join(", ")}.`,
    );
  }
  return port;
}

function observerOf(observe: Observe | undefined): Observe | undefined {
  if (observe === undefined || typeof observe === "function") return observe;
  throw invalid(`The option observe is ${kindOf(observe)}. Give a function.`);
}

function whole(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(`The option ${option} is ${quotedValue(value)}. Give a whole number from ${least} to ${most}.`);
}

function checked(models: AgentModels): AgentModels {
  checkModels(models);
  return models;
}

/** A string would be accepted as a key, with a fraction of the strength that its length suggests. */
function bytes(option: string, value: Uint8Array): Uint8Array {
  if (types.isUint8Array(value)) return value;
  throw invalid(`The option ${option} is not a Uint8Array. Give at least 32 random bytes.`);
}

function name(option: string, value: unknown): string {
  if (typeof value === "string" && /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(value)) return value;
  throw invalid(`The option ${option} is ${quotedValue(value)}. Give 1 to 100 characters, none of them a control.`);
}

function byName(integrations: readonly Integration[]): ReadonlyMap<string, Integration> {
  const map = new Map<string, Integration>();
  const given: unknown = integrations;
  if (!Array.isArray(given)) {
    throw invalid(`The option integrations is ${kindOf(given)}. Give a list of integrations; none: [].`);
  }
  for (const integration of integrations) {
    checkIntegration(integration);
    if (map.has(integration.name)) throw invalid(`Two integrations are named "${integration.name}". Rename one.`);
    map.set(integration.name, integration);
  }
  return map;
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
