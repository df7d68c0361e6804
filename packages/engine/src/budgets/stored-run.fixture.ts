import { createMemoryStorage, type BudgetSettlement, type RunCommit, type Storage } from "@procedo/storage";

export const scope = { workspace: "default", environment: "sandbox" } as const;

/** A storage with the run `run_1`, whose next rows have the given settlements. */
export interface StoredRun {
  readonly storage: Storage;
  commit(settle: readonly BudgetSettlement[]): Promise<void>;
}

export async function storedRun(atMs: number): Promise<StoredRun> {
  const storage = createMemoryStorage({ now: () => atMs });
  let seq = 0;
  const commit = async (settle: readonly BudgetSettlement[]): Promise<void> => {
    seq += 1;
    const create = { procedureId: "vendor-payment", procedureVersion: "v1", createdAtMs: atMs, startedBy: "ann" };
    const row: RunCommit = {
      scope,
      runId: "run_1",
      epoch: 1,
      seq,
      hash: `h${seq}`,
      body: "[]",
      ...(seq === 1 && { create }),
      settle,
      then: { kind: "hot", workerId: "wrk_1" },
    };
    const result = await storage.runs.commit(row);
    if (result?.status !== "committed") throw new Error(`Row ${seq} was not committed: ${JSON.stringify(result)}`);
  };
  await commit([]);
  return { storage, commit };
}
