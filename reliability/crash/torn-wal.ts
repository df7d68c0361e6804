import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { databaseDigest } from "./database-digest.ts";
import { recordHistory, type RecordedHistory } from "./recorded-history.ts";

/** A page of 4,096 bytes and its header. */
const frameBytes = 4_120;
const walHeaderBytes = 32;
const tornFrames = 2;

/**
 * The product opens one cut in this many, and SQLite alone the others: the recovery is SQLite's, and opening is 20
 * times faster.
 */
const productOpensEach = 4;

/** The distance of two cuts in the last frames, in bytes. */
const bytesApartOf = { commit: 5, nightly: 1, release: 1 };

/** In memory where possible: only reading is tested, so no file has to be durable. */
const folderOfCuts = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** torn-log: the machine dies while the last frames of the write-ahead log are being written to the disk. */
export const tornWal: ProofGroup = {
  id: "torn-log",
  title: "The write-ahead log cut off at every byte of its last two frames, and at every frame",
  lowered: { commit: "every 5th byte: the time of a commit" },
  run: async (options) => {
    const folder = await mkdtemp(join(folderOfCuts, "procedo-torn-wal-"));
    try {
      return await cutEverywhere(folder, options);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function cutEverywhere(folder: string, { tier, report }: ProofOptions): Promise<ProofResult> {
  const history = await recordHistory(join(folder, "history.sqlite"));
  const { database, wal } = history;
  const bytesApart = forTier(tier, bytesApartOf);
  const cuts = cutsOf(wal.byteLength, bytesApart);
  const path = join(folder, "torn.sqlite");
  const failures: string[] = [];
  const statesReached = new Set<string>();
  for (const [index, length] of cuts.entries()) {
    await rm(`${path}-shm`, { force: true });
    await writeFile(path, database);
    await writeFile(`${path}-wal`, wal.subarray(0, length));
    const fault = reopen(path, stateAt(history, length), index % productOpensEach === 0);
    if (fault === undefined) statesReached.add(stateAt(history, length));
    else failures.push(`torn-log: cut to ${length} of ${wal.byteLength} bytes: ${fault}`);
    if (index % 2_000 === 1_999) report(`${index + 1} of ${cuts.length} cuts`);
  }
  return {
    counts: {
      cuts: cuts.length,
      cutsInLastFrames: Math.ceil((tornFrames * frameBytes) / bytesApart),
      openedByProduct: Math.ceil(cuts.length / productOpensEach),
      durableWrites: history.states.length,
      statesReached: statesReached.size,
    },
    failures: failures.slice(0, 10),
  };
}

/** Bytes of the last two frames; the ends of all frames, and one byte before and after each. */
function cutsOf(walBytes: number, bytesApart: number): readonly number[] {
  const cuts = new Set<number>();
  for (let cut = 1; cut <= tornFrames * frameBytes; cut += bytesApart) cuts.add(walBytes - cut);
  for (let end = walHeaderBytes; end < walBytes; end += frameBytes) {
    for (const cut of [end - 1, end, end + 1]) cuts.add(cut);
  }
  return [...cuts].sort((a, b) => a - b);
}

/** The expected state for a log of this length: after the last write that it contains in full. */
function stateAt({ before, states }: RecordedHistory, walBytes: number): string {
  return states.findLast((state) => state.walBytes <= walBytes)?.digest ?? before;
}

/** Opens the file and returns its fault. */
function reopen(path: string, expected: string, byProduct: boolean): string | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Sets its pragmas, migrates if needed, and prepares all its statements.
    if (byProduct) new SqliteStorage({ database, pollMs: 0 });
    const integrity = database.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
    if (integrity !== "ok") return `integrity_check says ${String(integrity)}`;
    return databaseDigest(database) === expected ? undefined : "its content is not that of the last whole write";
  } catch (error) {
    return `it does not open: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    database.close();
  }
}
