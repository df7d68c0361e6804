import type { CommitResult, RunCommit, RunStore, Scope } from "@procedo/storage";

export const scope: Scope = { workspace: "acme", environment: "live" };

export const committed = { status: "committed" } as const;

/** The row that creates a run. */
export function firstRow(runId: string, changes: Partial<RunCommit> = {}): RunCommit {
  const create = {
    procedureId: "vendor-payment",
    procedureVersion: "v1",
    createdAtMs: 1_790_000_000_000,
    startedBy: "ada",
  };
  return { ...row(runId, 1), create, ...changes };
}

/** A further row of a run that `worker-1` owns. */
export function row(runId: string, seq: number, changes: Partial<RunCommit> = {}): RunCommit {
  const hot = { kind: "hot", workerId: "worker-1" } as const;
  return { scope, runId, epoch: 1, seq, hash: `hash-${seq}`, body: `{"seq":${seq}}`, then: hot, ...changes };
}

/** Commits concurrently, and returns each result in its place. */
export function commitAll(runs: RunStore, commits: readonly RunCommit[]): Promise<readonly CommitResult[]> {
  return Promise.all(commits.map((commit) => runs.commit(commit)));
}
