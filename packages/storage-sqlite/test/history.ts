import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RunCommit, Scope } from "@procedo/storage";
import { SqliteStorage } from "../src/index.ts";

export const scope: Scope = { workspace: "acme", environment: "live" };

/** A database file in the middle of its life, and every state that was acknowledged before. */
export interface History {
  readonly database: Buffer;
  readonly wal: Buffer;
  /** Digests of the states; the last one is that of the files. */
  readonly states: readonly string[];
}

/**
 * Creates a history of many small commits and copies the files at an idle moment, with the connection open.
 *
 * @param checkpoint whether the database file contains everything and the WAL is empty
 */
export async function makeHistory(
  directory: string,
  { checkpoint }: { readonly checkpoint: boolean },
): Promise<History> {
  const path = join(directory, "history.sqlite");
  const database = new DatabaseSync(path);
  const states = [digestOf(database)];
  const storage = new SqliteStorage({ database, pollMs: 0 });
  states.push(digestOf(database));
  for (let run = 0; run < 6; run++) {
    for (const item of rowsOf(`run-${run}`)) {
      await storage.runs.commit(item);
      states.push(digestOf(database));
    }
  }
  if (checkpoint) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  copyFileSync(path, join(directory, "copy.sqlite"));
  copyFileSync(`${path}-wal`, join(directory, "copy.sqlite-wal"));
  await storage.close();
  database.close();
  return {
    database: readFileSync(join(directory, "copy.sqlite")),
    wal: readFileSync(join(directory, "copy.sqlite-wal")),
    states,
  };
}

/** Writes a damaged copy and opens it. */
export function openDamaged(
  directory: string,
  files: { readonly database: Buffer; readonly wal: Buffer },
): DatabaseSync {
  const path = join(directory, "damaged.sqlite");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  writeFileSync(path, files.database);
  writeFileSync(`${path}-wal`, files.wal);
  const database = new DatabaseSync(path);
  try {
    // The copy is discarded: no need to wait for the disk.
    database.exec("PRAGMA synchronous = OFF");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** All data of the database, as a digest. */
export function digestOf(database: DatabaseSync): string {
  const digest = createHash("sha256");
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  for (const { name } of tables) {
    digest.update(JSON.stringify([name, database.prepare(`SELECT * FROM "${String(name)}" ORDER BY rowid`).all()]));
  }
  return digest.digest("hex");
}

export function hashOf(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

/** One run from its creation to its end, a third of the runs with a review. */
function rowsOf(runId: string): readonly RunCommit[] {
  const worker = { kind: "hot", workerId: "worker-1" } as const;
  const row = (seq: number): Omit<RunCommit, "then"> => {
    const body = JSON.stringify({ runId, seq, amount: 1_000_000 + seq, text: "x".repeat(200) });
    return { scope, runId, epoch: 1, seq, hash: hashOf(body), body };
  };
  const create = {
    procedureId: "vendor-payment",
    procedureVersion: "v1",
    createdAtMs: 1_790_000_000_000,
    startedBy: "ada",
  };
  return [
    { ...row(1), create, then: worker },
    { ...row(2), then: worker },
    { ...row(3), then: { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } },
    { ...row(4), then: { kind: "ended", status: "completed", endedAtMs: 1_790_000_001_000 } },
  ];
}
