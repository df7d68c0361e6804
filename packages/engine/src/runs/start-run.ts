import { normalName, ProcedoError } from "@procedo/contract";
import { actor, authorize, refuseRevoked } from "../access/principal.ts";
import type { Ids } from "../ports/ids.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Release } from "./execution.ts";
import { copyJson } from "../json/json-copy.ts";
import { prepareRun, startDigest, type PreparePorts, type RunOrigin, type StartRequest } from "./prepare-run.ts";
import type { StartLimiter } from "./start-limiter.ts";
import type { Worker, WorkerPorts } from "./worker.ts";

/** Answer to a start: the run is durable. */
export interface StartedRun {
  /** Identifier of the run. */
  readonly runId: string;
  /** The version that the run executes. */
  readonly procedureVersion: string;
  /** Whether an earlier request with the same idempotency key had started the run. */
  readonly existing: boolean;
}

export interface StartPorts extends WorkerPorts, PreparePorts {
  readonly ids: Ids;
  readonly startLimiter: StartLimiter;
}

/**
 * Starts a run. Resolves when it is durable; the run then executes on its own.
 *
 * @param runId id of the new run
 * @throws ProcedoError `unauthorized`, with nothing started, when the key was deleted meanwhile; `permission_denied`,
 *   `procedure_not_found`, `version_not_found`, `invalid_input`,
 *   `idempotency_conflict`, `storage_unavailable`; `rate_limited`, `overloaded` while too many starts are under way
 */
export function startRun(
  ports: StartPorts,
  worker: Worker,
  request: StartRequest,
  runId = ports.ids("run"),
): Promise<StartedRun> {
  return ports.startLimiter.run(request.environment, () => start(ports, worker, request, runId));
}

/**
 * Starts the run of a claimed firing. Resolves when it is durable, and the firing with it.
 *
 * @returns `undefined`, with nothing started, when the claim was lost
 * @throws ProcedoError those of {@link startRun}
 */
export function startFiring(
  ports: StartPorts,
  worker: Worker,
  request: StartRequest,
  origin: RunOrigin & { readonly firing: NonNullable<RunOrigin["firing"]> },
): Promise<{ readonly runId: string } | undefined> {
  const { environment, by } = request;
  return ports.startLimiter.run(environment, async () => {
    authorize(by, "run", environment);
    const runId = ports.ids("run");
    const { run } = await prepareRun(ports, request, runId, origin);
    const release = await firstRow(worker, run);
    if (release?.kind !== "abandoned") return { runId };
    if (release.reason === "refused") throw release.error;
    if (release.reason === "unanswered") throw unavailable(release.error);
    return undefined;
  });
}

async function start(ports: StartPorts, worker: Worker, request: StartRequest, runId: string): Promise<StartedRun> {
  // Checked first, even after a wait in the queue, so that a caller without permission does not learn of an earlier
  // start.
  authorize(request.by, "run", request.environment);
  let prepared: Awaited<ReturnType<typeof prepareRun>>;
  try {
    prepared = await prepareRun(ports, request, runId);
  } catch (error) {
    // A request that is refused today may have started a run before, under another default version for example.
    const existing = await existingRun(ports, request);
    if (existing === undefined) throw error;
    return existing;
  }
  const { run, version } = prepared;
  const release = await firstRow(worker, run);
  if (release?.kind === "abandoned") {
    switch (release.reason) {
      case "exists":
        // The key may have expired since; then it starts another run.
        return (await existingRun(ports, request)) ?? (await start(ports, worker, request, runId));
      case "refused":
        throw release.error;
      case "unanswered":
        throw unavailable(release.error);
      case "fenced":
      case "not_resumed":
        // Neither happens to a row that creates its run.
        break;
    }
  }
  return { runId, procedureVersion: version, existing: false };
}

/** Makes the first row durable. Returns `undefined` if the worker had room and executes the run. */
async function firstRow(worker: Worker, run: ActiveRun): Promise<Release | undefined> {
  if (worker.hasRoom(run.state.facts.environment)) {
    const { durable, released } = worker.begin(run);
    return await Promise.race([durable, released]);
  }
  const release = await worker.park(run);
  worker.claimSoon();
  return release;
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
  // `excludeStarter` excludes this person from reviews, so no other person may use the key for this run.
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

function unavailable(cause: unknown): ProcedoError {
  if (ProcedoError.isError(cause)) return cause;
  const message =
    "The run could not be stored; it may or may not start. Repeat the request with the same idempotency key.";
  return new ProcedoError("storage_unavailable", message, { cause });
}
