import type { DatabaseSync } from "node:sqlite";
import { prepareTuple } from "./statement.ts";

/** A held run as its last row left it. */
export interface HotRun {
  readonly run: number;
  readonly scope: number;
  readonly epoch: number;
  readonly workerId: string;
  /** Of its last row. */
  readonly seq: number;
}

/**
 * Where the runs stand that this connection's own rows left in a worker's hands, so that their next rows need not look.
 * It knows less than the database, never something else: a commit of another connection makes it forget everything, and
 * so does a rollback.
 */
export interface HotRuns {
  /** Within a write, before anything else. */
  begin(): void;
  get(runId: string): HotRun | undefined;
  put(runId: string, run: HotRun): void;
  /** Something else than its own next row has changed the run. */
  drop(runId: string): void;
  forget(): void;
}

export function createHotRuns(db: DatabaseSync): HotRuns {
  // SQLite's own count of what other connections committed, as of this transaction (https://sqlite.org/pragma.html#pragma_data_version).
  const selectVersion = prepareTuple<[number]>(db, "PRAGMA data_version");
  const runs = new Map<string, HotRun>();
  let version: number | undefined;

  return {
    begin() {
      const now = selectVersion.get()?.[0];
      if (now !== version) runs.clear();
      version = now;
    },
    get: (runId) => runs.get(runId),
    put: (runId, run) => void runs.set(runId, run),
    drop: (runId) => void runs.delete(runId),
    forget: () => runs.clear(),
  };
}
