import { hash } from "node:crypto";
import { ProcedoError, type Environment, type JsonObject, type JsonValue } from "@procedo/contract";
import {
  fitsDepth,
  referenceOf,
  withDefaults,
  type CompiledProcedure,
  type RunLimits,
  type Started,
} from "@procedo/procedure";
import type { RunCreation, Scope } from "@procedo/storage";
import { actor, type Principal } from "../access/principal.ts";
import { copyJson, exceeds } from "../json/json-copy.ts";
import { createJournalWriter, emptyHead } from "../journal/journal-writer.ts";
import { createRowCodec } from "../journal/row-codec.ts";
import type { Clock } from "../ports/clock.ts";
import type { Versions } from "../procedures/versions.ts";
import { createNewRun, type ActiveRun } from "./active-run.ts";

/** A run to be started. */
export interface StartRequest {
  /** The procedure to execute. */
  readonly procedureId: string;
  /** The environment in which the run executes: its connections and default version. */
  readonly environment: Environment;
  /** The run's input; must fit the procedure's input schema, whose defaults complete it. */
  readonly data: JsonValue;
  /** Pins the run to a published version. @defaultValue the environment's default version */
  readonly version?: string;
  /**
   * Makes the start safe to repeat for 30 days: the same key with the same data returns the same run, to the person who
   * used the key first. A key applies to one environment and procedure.
   */
  readonly idempotencyKey?: string;
  /** The person or key that starts the run. The run's record names the person, and reviews may exclude that person. */
  readonly by: Principal;
  /** Whether the person starts the run by hand, which its record shows. @defaultValue false */
  readonly isManual?: boolean;
}

/** What starts a run instead of the request of a program. */
export interface RunOrigin {
  /** For the run's journal. */
  readonly trigger: NonNullable<Started["trigger"]>;
  /** The claimed firing that storage settles together with the run's creation. */
  readonly firing?: NonNullable<RunCreation["firing"]>;
}

const maxKeyLength = 255;

/** Lifetime of an idempotency key. Queued jobs may be repeated after more than a day. */
const keyLifeMs = 30 * 86_400_000;

export interface PreparePorts {
  readonly workspace: string;
  readonly versions: Versions;
  readonly clock: Clock;
  readonly limits: RunLimits;
  readonly chainKey: Uint8Array;
}

/** Checks the request of a principal that may start runs, and creates the run in memory. */
export async function prepareRun(
  ports: PreparePorts,
  request: StartRequest,
  runId: string,
  origin: RunOrigin | undefined = originOf(request),
): Promise<{ readonly run: ActiveRun; readonly version: string }> {
  const { procedureId, environment, by, idempotencyKey } = request;
  if (idempotencyKey !== undefined && (idempotencyKey === "" || idempotencyKey.length > maxKeyLength)) {
    throw new ProcedoError("invalid_input", `An idempotency key has 1 to ${maxKeyLength} characters.`);
  }
  const data = copyJson(request.data, { depth: ports.limits.depth, bytes: ports.limits.stepBytes });
  if (!data.ok) {
    const code = fitsDepth(request.data, ports.limits.depth) ? "invalid_input" : "too_deep";
    throw new ProcedoError(code, `The data of the run ${data.message}.`);
  }
  const { version, procedure } = await ports.versions.pick(procedureId, environment, request.version);
  const input = completedInput(ports, procedure, data.value);
  const details = procedure.input.validate(input);
  if (details.length > 0) {
    throw new ProcedoError("invalid_input", `The data does not fit the input of "${procedureId}".`, { details });
  }
  const atMs = ports.clock.now();
  const { by: startedBy } = actor(by);
  const facts: Started["facts"] = {
    runId,
    procedureId,
    procedureVersion: version,
    environment,
    createdAt: new Date(atMs).toISOString(),
    startedBy,
  };
  const reference = referenceOf(procedure, { input, run: facts });
  const named = reference === undefined ? {} : { reference };
  const trigger = origin && { trigger: origin.trigger };
  const started: Started = { type: "started", atMs, input, facts, ...named, ...trigger };
  const scope: Scope = { workspace: ports.workspace, environment };
  const writer = createJournalWriter(ports.chainKey, createRowCodec(runId), emptyHead(scope, runId));
  const creation: RunCreation = {
    procedureId,
    procedureVersion: version,
    createdAtMs: atMs,
    startedBy,
    ...named,
    ...(origin && { trigger: storedTrigger(origin.trigger) }),
    ...(origin?.firing && { firing: origin.firing }),
    ...(idempotencyKey === undefined
      ? {}
      : {
          idempotency: {
            key: idempotencyKey,
            digest: startDigest(data.value, request.version),
            expiresAtMs: atMs + keyLifeMs,
          },
        }),
  };
  return { run: createNewRun(procedure, writer, started, { creation, starter: by }), version };
}

function originOf({ isManual }: StartRequest): RunOrigin | undefined {
  return isManual === true ? { trigger: { kind: "manual" } } : undefined;
}

/** The trigger in the run's row, for lists. */
function storedTrigger({ chainDepth: _, ...trigger }: RunOrigin["trigger"]): NonNullable<RunCreation["trigger"]> {
  const { triggerId } = trigger;
  return { ...(triggerId !== undefined && { triggerId }), body: JSON.stringify(trigger) };
}

/**
 * The run's input: the data, completed with the defaults of the procedure's input. The digest of an idempotency key
 * covers only the data that was sent, so that a repeated start also matches under a version with other defaults.
 */
function completedInput(
  { limits }: PreparePorts,
  { input: { schema } }: CompiledProcedure,
  data: JsonValue,
): JsonValue {
  const completed = withDefaults(data, schema);
  if (!completed.ok) throw new ProcedoError("invalid_input", `The data of the run ${completed.message}.`);
  const { value } = completed;
  const problem = value === data ? undefined : exceeds(value, { depth: limits.depth, bytes: limits.stepBytes });
  if (problem === undefined) return value;
  throw new ProcedoError("invalid_input", `The data of the run, completed by the defaults of its input, ${problem}.`);
}

/**
 * Digest of a start under an idempotency key: equal for the same data and version, regardless of the order of members.
 */
export function startDigest(data: JsonValue, version: string | undefined): string {
  return hash("sha256", JSON.stringify([sorted(data), version ?? null]), "base64url");
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return ["list", ...(value as readonly JsonValue[]).map(sorted)];
  const names = Object.keys(value).sort();
  return ["object", ...names.map((name) => [name, sorted((value as JsonObject)[name] ?? null)])];
}
