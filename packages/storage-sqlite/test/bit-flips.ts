import type { DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";
import { SqliteStorage } from "../src/index.ts";
import type { History } from "./history.ts";
import { hashOf, makeHistory, openDamaged, scope } from "./history.ts";
import type { DamageReport } from "./torn-wal.ts";
import { problemOf } from "./torn-wal.ts";

/** Flips single bits in the WAL. A complete prefix of the acknowledged history remains. */
export async function flipWalBits({
  directory,
  count,
}: {
  readonly directory: string;
  readonly count: number;
}): Promise<DamageReport> {
  const history = await makeHistory(directory, { checkpoint: false });
  const failures = positions(history.wal.length, count).flatMap(({ byte, bit }) => {
    const problem = problemOf(directory, history, flipped(history.wal, byte, bit));
    return problem === undefined ? [] : [`bit ${bit} of WAL byte ${byte}: ${problem}`];
  });
  return { variants: count, failures };
}

/**
 * Flips single bits in the database file. Every journal that is read is unchanged, or its hash, a gap or the integrity
 * check reveals the damage, or reading fails with an error of the adapter.
 */
export async function flipDatabaseBits({
  directory,
  count,
}: {
  readonly directory: string;
  readonly count: number;
}): Promise<DamageReport & { readonly noticed: number }> {
  const history = await makeHistory(directory, { checkpoint: true });
  const original = openDamaged(directory, history);
  const expected = await journalsOf(original);
  original.close();
  const failures: string[] = [];
  let noticed = 0;
  for (const { byte, bit } of positions(history.database.length, count)) {
    const outcome = await serve(directory, history, flipped(history.database, byte, bit), expected);
    if (outcome === "noticed") noticed += 1;
    else if (outcome !== "unharmed") failures.push(`bit ${bit} of byte ${byte}: ${outcome}`);
  }
  return { variants: count, failures, noticed };
}

async function serve(directory: string, history: History, database: Buffer, expected: string): Promise<string> {
  let connection: DatabaseSync | undefined;
  try {
    connection = openDamaged(directory, { database, wal: history.wal });
    const served = await journalsOf(connection);
    if (served === expected) return "unharmed";
    if (served.includes("damaged")) return "noticed";
    const integrity = connection.prepare("PRAGMA integrity_check(1)").get();
    return integrity?.["integrity_check"] === "ok" ? "a journal that was never written" : "noticed";
  } catch (error) {
    return ProcedoError.isError(error) || isSqliteError(error) ? "noticed" : `an unexpected ${String(error)}`;
  } finally {
    connection?.close();
  }
}

/** All journals as the adapter returns them; rows with an invalid hash or place are marked. */
async function journalsOf(database: DatabaseSync): Promise<string> {
  const storage = new SqliteStorage({ database, pollMs: 0 });
  const journals: unknown[] = [];
  for (let run = 0; run < 6; run++) {
    const rows = await storage.runs.journal({ scope, runId: `run-${run}` });
    journals.push(
      rows.map(({ seq, hash, body }, index) => (seq === index + 1 && hash === hashOf(body) ? body : "damaged")),
    );
  }
  await storage.close();
  return JSON.stringify(journals);
}

/** Evenly distributed, with a stride that shares no factor with a page. */
function positions(bytes: number, count: number): readonly { readonly byte: number; readonly bit: number }[] {
  return Array.from({ length: count }, (_, index) => ({
    byte: Math.floor(((index + 0.5) * bytes) / count),
    bit: (index * 5) % 8,
  }));
}

function flipped(original: Buffer, byte: number, bit: number): Buffer {
  const copy = Buffer.from(original);
  copy.writeUInt8(copy.readUInt8(byte) ^ (1 << bit), byte);
  return copy;
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}
