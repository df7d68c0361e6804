import type { CommitResult, RunCommit, RunStore, Scope } from "@procedo/storage";

export const scope: Scope = { workspace: "acme", environment: "sandbox" };

/** The row that creates a run, owned by `worker-1`. */
export function firstRow(runId: string, changes: Partial<RunCommit> = {}): RunCommit {
  const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: 1, startedBy: "key-1" };
  return { ...row(runId, 1), create, ...changes };
}

export function row(runId: string, seq: number, changes: Partial<RunCommit> = {}): RunCommit {
  const body = JSON.stringify({ runId, seq });
  const then = { kind: "hot", workerId: "worker-1" } as const;
  return { scope, runId, epoch: 1, seq, hash: `hash-${runId}-${seq}`, body, then, ...changes };
}

/** Commits concurrently, and returns each result in its place. */
export function commitAll(runs: RunStore, commits: readonly RunCommit[]): Promise<readonly CommitResult[]> {
  return Promise.all(commits.map((commit) => runs.commit(commit)));
}

export function post(runId: string, effectKey = "news") {
  return { scope, runId, effectKey, body: `"${effectKey}"` };
}

/** The code of a promise's rejection, or its resolved value. */
export function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) =>
    typeof error === "object" && error !== null && "code" in error ? error.code : error,
  );
}
