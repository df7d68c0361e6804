import { ProcedoError } from "@procedo/contract";
import type { Scope } from "@procedo/storage";
import type { Release } from "./execute-run.ts";
import { nextRow, type HotRun } from "./hot-run.ts";
import { prepareRun, type PreparePorts, type StartRequest } from "./prepare-run.ts";
import type { Worker, WorkerPorts } from "./worker.ts";

export interface StartedRun {
  readonly runId: string;
  readonly procedureVersion: string;
  /** The idempotency key had started it before. */
  readonly existing: boolean;
}

export type StartPorts = WorkerPorts & PreparePorts;

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
  const { run, version } = await prepareRun(ports, request);
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
      throw unavailable(release.error);
  }
}

async function versionOf(ports: StartPorts, scope: Scope, runId: string): Promise<string> {
  const row = await ports.storage.runs.get({ scope, runId });
  return row?.procedureVersion ?? "";
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

function unavailable(cause: unknown): ProcedoError {
  if (ProcedoError.isError(cause)) return cause;
  const message =
    "The run could not be stored; it may or may not start. Repeat the request with the same idempotency key.";
  return new ProcedoError("storage_unavailable", message, { cause });
}
