import { hash } from "node:crypto";
import { ProcedoError, type Environment, type JsonValue } from "@procedo/contract";
import { fitsDepth, initialState, type Started } from "@procedo/procedure";
import type { RunCreation, Scope } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import { copyJson } from "../integrations/json-copy.ts";
import { createJournalWriter, emptyHead } from "../journal/journal-writer.ts";
import { createRowCodec } from "../journal/row-codec.ts";
import type { Versions } from "../procedures/versions.ts";
import { errorText } from "../ports/log.ts";
import { createHotRun, nextRow, noteEntry, type HotRun } from "./hot-run.ts";
import type { Release } from "./execute-run.ts";
import type { Worker, WorkerPorts } from "./worker.ts";

export interface StartRequest {
  readonly procedureId: string;
  readonly environment: Environment;
  /** The run's input; must fit the procedure's input schema. */
  readonly data: JsonValue;
  /** Pins the run to a published version. @defaultValue the environment's default version */
  readonly version?: string;
  /**
   * Makes the start safe to repeat for 30 days: the same key with the same data is the same run. Of this environment
   * and procedure.
   */
  readonly idempotencyKey?: string;
  readonly by: Principal;
}

export interface StartedRun {
  readonly runId: string;
  readonly procedureVersion: string;
  /** The idempotency key had started it before. */
  readonly existing: boolean;
}

/** How long an idempotency key is kept: queued jobs outlive a day. */
const keyLifeMs = 30 * 86_400_000;

export interface StartPorts extends WorkerPorts {
  readonly workspace: string;
  readonly versions: Versions;
}

/**
 * Starts a run. Resolves when it is durable; it goes on by itself. `created` is called in the moment in which it is.
 *
 * @throws ProcedoError `permission_denied`, `procedure_not_found`, `version_not_found`, `invalid_input`,
 *   `idempotency_conflict`, `storage_unavailable`
 */
export async function startRun(
  ports: StartPorts,
  worker: Worker,
  request: StartRequest,
  created: (runId: string) => void = () => {},
): Promise<StartedRun> {
  const { run, version } = await prepare(ports, request);
  const { scope, runId } = run.writer.head;
  const started = { runId, procedureVersion: version, existing: false };
  const wanted = run.creation?.idempotency?.digest;

  const release = worker.hasRoom()
    ? await firstOf(worker, run, () => created(runId))
    : await park(ports, worker, run, () => created(runId));
  switch (release?.kind) {
    case undefined:
    case "rested":
    case "fenced":
      return started;
    case "exists":
      if (release.digest !== wanted) {
        throw new ProcedoError(
          "idempotency_conflict",
          `This idempotency key has started run "${release.runId}" with other data. Use a new key for another run.`,
        );
      }
      return { runId: release.runId, procedureVersion: await versionOf(ports, scope, release.runId), existing: true };
    case "refused":
      throw release.error;
    case "abandoned":
      void adoptIfCreated(ports, worker, scope, runId);
      throw unavailable(release.error);
  }
}

async function versionOf(ports: StartPorts, scope: Scope, runId: string): Promise<string> {
  const row = await ports.storage.runs.get({ scope, runId });
  return row?.procedureVersion ?? "";
}

async function prepare(
  ports: StartPorts,
  request: StartRequest,
): Promise<{ readonly run: HotRun; readonly version: string }> {
  const { procedureId, environment, by, idempotencyKey } = request;
  authorize(by, "run", environment);
  const { version, procedure } = await ports.versions.pick(procedureId, environment, request.version);
  const data = copyJson(request.data, { depth: ports.limits.depth, bytes: ports.limits.stepBytes });
  if (!data.ok) {
    const code = fitsDepth(request.data, ports.limits.depth) ? "invalid_input" : "too_deep";
    throw new ProcedoError(code, `The data of the run ${data.message}.`);
  }
  const details = procedure.input.validate(data.value);
  if (details.length > 0) {
    throw new ProcedoError("invalid_input", `The data does not fit the input of "${procedureId}".`, { details });
  }
  const atMs = ports.clock.now();
  const runId = ports.ids("run");
  const startedBy = by.person;
  const started: Started = {
    type: "started",
    atMs,
    input: data.value,
    facts: {
      runId,
      procedureId,
      procedureVersion: version,
      environment,
      createdAt: new Date(atMs).toISOString(),
      startedBy,
    },
  };
  const scope: Scope = { workspace: ports.workspace, environment };
  const writer = createJournalWriter(ports.chainKey, createRowCodec(), emptyHead(scope, runId));
  const run = createHotRun(procedure, writer, initialState(procedure, started), []);
  noteEntry(run, started);
  run.creation = {
    procedureId,
    procedureVersion: version,
    createdAtMs: atMs,
    startedBy: actor(by).by,
    ...(idempotencyKey === undefined
      ? {}
      : { idempotency: idempotencyOf(idempotencyKey, data.value, request.version, atMs) }),
  };
  return { run, version };
}

/** The same request has the same digest, whatever the order of its members. */
function idempotencyOf(
  key: string,
  data: JsonValue,
  version: string | undefined,
  atMs: number,
): NonNullable<RunCreation["idempotency"]> {
  const digest = hash("sha256", JSON.stringify([sorted(data), version ?? null]), "base64url");
  return { key, digest, expiresAtMs: atMs + keyLifeMs };
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted((value as { readonly [name: string]: JsonValue })[name] ?? null)]);
}

/** Executes the run here; answers when its first row is durable (`undefined`), or why it never was. */
function firstOf(worker: Worker, run: HotRun, created: () => void): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const durable = (): void => {
      created();
      resolve(undefined);
    };
    worker.begin(run, durable).then(resolve, reject);
  });
}

/** Leaves the run to whichever worker claims it. */
async function park(ports: StartPorts, worker: Worker, run: HotRun, created: () => void): Promise<Release | undefined> {
  const row = nextRow(run, { kind: "parked", status: "running", wakeAtMs: ports.clock.now() });
  try {
    const result = await ports.committer.commit(row);
    switch (result.status) {
      case "committed":
        created();
        worker.claimSoon();
        return undefined;
      case "fenced":
        return { kind: "fenced" };
      case "exists":
        return { kind: "exists", runId: result.runId, digest: result.digest };
      case "refused":
        return { kind: "refused", error: result.error };
    }
  } catch (error) {
    return { kind: "abandoned", error };
  }
}

const settleTries = 30;
const settleDelayMs = 1_000;

/**
 * A start whose commit has no known outcome was refused to its caller, but may have made a run that this worker holds.
 * Looks until storage can tell, and hands such a run back so that it is executed.
 */
async function adoptIfCreated(ports: StartPorts, worker: Worker, scope: Scope, runId: string): Promise<void> {
  for (let tries = 0; tries < settleTries; tries++) {
    try {
      await ports.storage.workers.handBack({ workerId: worker.workerId, runIds: [runId] });
      worker.claimSoon();
      return;
    } catch (error) {
      ports.log.warn("A start of unknown outcome is not settled yet.", { runId, error: errorText(error) });
      await new Promise<void>((resolve) => ports.clock.after(settleDelayMs, resolve));
    }
  }
}

function unavailable(cause: unknown): ProcedoError {
  if (ProcedoError.isError(cause)) return cause;
  const message =
    "The run could not be stored; it may or may not start. Repeat the request with the same idempotency key.";
  return new ProcedoError("storage_unavailable", message, { cause });
}
