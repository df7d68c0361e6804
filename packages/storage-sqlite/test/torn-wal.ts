import type { History } from "./history.ts";
import { digestOf, makeHistory, openDamaged } from "./history.ts";

/** A WAL frame: its header and a page. */
const frameBytes = 24 + 4096;

export interface DamageReport {
  readonly variants: number;
  /** One line for each variant that broke the promise. */
  readonly failures: readonly string[];
}

/**
 * Simulates a power failure during a write to the WAL: truncates it at every byte of its last two frames (8,240
 * variants) and opens the database, which must contain a complete prefix of the acknowledged history.
 *
 * @param every uses every n-th variant only; 1: all
 */
export async function tearWal({
  directory,
  every,
}: {
  readonly directory: string;
  readonly every: number;
}): Promise<DamageReport> {
  const history = await makeHistory(directory, { checkpoint: false });
  const lengths = Array.from({ length: 2 * frameBytes }, (_, cut) => history.wal.length - 1 - cut).filter(
    (_, index) => index % every === 0,
  );
  const failures = lengths.flatMap((length) => {
    const problem = problemOf(directory, history, history.wal.subarray(0, length));
    return problem === undefined ? [] : [`WAL cut to ${length} of ${history.wal.length} bytes: ${problem}`];
  });
  return { variants: lengths.length, failures };
}

/** The fault of a database with a damaged WAL; `undefined` if it contains a prefix of the history. */
export function problemOf(directory: string, history: History, wal: Buffer): string | undefined {
  const database = openDamaged(directory, { database: history.database, wal });
  try {
    const integrity = database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => String(row["integrity_check"]));
    if (integrity.join() !== "ok") return integrity.join();
    return history.states.includes(digestOf(database)) ? undefined : "a state that was never acknowledged";
  } catch (error) {
    return String(error);
  } finally {
    database.close();
  }
}
