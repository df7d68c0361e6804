import { normalName, ProcedoError } from "@procedo/contract";
import { actor, authorize, refuseRevoked } from "../access/principal.ts";
import type { Release } from "./execute-run.ts";
import { nextRow, type ActiveRun } from "./active-run.ts";
import { copyJson } from "../json/json-copy.ts";
import { prepareRun, startDigest, type PreparePorts, type StartRequest } from "./prepare-run.ts";
import type { StartLimiter } from "./start-limiter.ts";
import type { Worker, WorkerPorts } from "./worker.ts";

/** Answer to a start: the run is durable. */
export interface StartedRun {
  readonly runId: string;
  readonly procedureVersion: string;
  /** The idempotency key had started it before. */
  readonly existing: boolean;
}

export interface StartPorts extends WorkerPorts, PreparePorts {
  readonly startLimiter: StartLimiter;
}

/**
 * Starts a run. Resolves when it is durable; the run then executes on its own. `created` is called in the moment in which
 * the run is durable.
 *
 * @throws ProcedoError `unauthorized`, with nothing started, when the key was deleted meanwhile; `permission_denied`,
 *   `procedure_not_found`, `version_not_found`, `invalid_input`,
 *   `idempotency_conflict`, `storage_unavailable`; `rate_limited`, `overloaded` while too many are being started
 */
export function startRun(
  ports: StartPorts,
  worker: Worker,
  request: StartRequest,
  created?: (runId: string) => void,
): Promise<StartedRun> {
  return ports.startLimiter.run(request.environment, () => start(ports, worker, request, created));
}

async function start(
  ports: StartPorts,
  worker: Worker,
  request: StartRequest,
  created?: (runId: string) => void,
): Promise<StartedRun> {
  // Again after the queue, and apart from what may be wrong with the request: a repeated start is answered to those only who may start.
  authorize(request.by, "run", request.environment);
  let prepared: Awaited<ReturnType<typeof prepareRun>>;
  try {
    prepared = await prepareRun(ports, request);
  } catch (error) {
    // What would be refused today may have been started with this key before: under another default version, say.
    const existing = await existingRun(ports, request);
    if (existing === undefined) throw error;
    return existing;
  }
  const { run, version } = prepared;
  const { runId } = run.writer.head;
  const started = { runId, procedureVersion: version, existing: false };

  const told = (): void => created?.(runId);

  const isHere = worker.hasRoom(request.environment);
  const release = await (isHere ? firstOf(worker, run, told) : park(ports, worker, run, told));
  switch (release?.kind) {
    case undefined:
    case "rested":
    case "fenced":
    case "unresumed":
      return started;
    case "exists":
      // The key may have run out since; then it starts another run.
      return (await existingRun(ports, request)) ?? (await start(ports, worker, request, created));
    case "refused":
      throw release.error;
    case "abandoned":
      throw unavailable(release.error);
  }
}

/**
 * The run that the request's idempotency key has started before.
 *
 * @throws ProcedoError `idempotency_conflict` when it was started by another person, with other data or another version
 */
async function existingRun(ports: StartPorts, request: StartRequest): Promise<StartedRun | undefined> {
  const { procedureId, environment, idempotencyKey, by } = request;
  if (idempotencyKey === undefined) return undefined;
  const scope = { workspace: ports.workspace, environment };
  const known = await ports.storage.runs.findByKey({ scope, procedureId, idempotencyKey });
  if (known === undefined) return undefined;
  refuseRevoked(by);
  // The person who has asked for a run is its starter, whom `excludeStarter` names: no other person gets hold of it by its key.
  if (normalName(known.startedBy) !== actor(by).by) {
    throw new ProcedoError(
      "idempotency_conflict",
      "Another person has used this idempotency key for a start of this procedure. Use a new key for a run of your own.",
    );
  }
  const data = copyJson(request.data, { depth: ports.limits.depth, bytes: ports.limits.stepBytes });
  if (!data.ok || known.digest !== startDigest(data.value, request.version)) {
    throw new ProcedoError(
      "idempotency_conflict",
      `This idempotency key has started run "${known.runId}" with other data. Use a new key for another run.`,
    );
  }
  return { runId: known.runId, procedureVersion: known.procedureVersion, existing: true };
}

/** Executes the run here; answers when its first row is durable (`undefined`), or why it never was. */
function firstOf(worker: Worker, run: ActiveRun, created: () => void): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const durable = (): void => {
      created();
      resolve(undefined);
    };
    worker.begin(run, durable).then(resolve, reject);
  });
}

/** Leaves the run to whichever worker claims it. */
async function park(
  ports: StartPorts,
  worker: Worker,
  run: ActiveRun,
  created: () => void,
): Promise<Release | undefined> {
  const row = nextRow(run, { kind: "parked", status: "running", wakeAtMs: ports.clock.now() });
  try {
    refuseRevoked(run.starter ?? {});
    const result = await ports.storage.runs.commit(row);
    switch (result.status) {
      case "committed":
        ports.observe(run.state.facts, run.pending);
        created();
        worker.claimSoon();
        return undefined;
      // Neither can happen to a row that creates its run.
      case "inbox_not_empty":
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

function unavailable(cause: unknown): ProcedoError {
  if (ProcedoError.isError(cause)) return cause;
  const message =
    "The run could not be stored; it may or may not start. Repeat the request with the same idempotency key.";
  return new ProcedoError("storage_unavailable", message, { cause });
}
