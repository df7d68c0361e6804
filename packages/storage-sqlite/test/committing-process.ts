/*
 * Commits batches of 25 rows to the database at the given path until it is killed. Prints the runs of each batch only
 * after storage has acknowledged them, so that all printed runs must be found again.
 */
import { writeSync } from "node:fs";
import type { RunCommit } from "@procedo/storage";
import { SqliteStorage } from "../src/index.ts";
import { commitAll, firstRow, row } from "./rows.ts";

const [path = "", prefix = ""] = process.argv.slice(2);
const storage = await SqliteStorage.open({ path });
const seqs = new Map<string, number>();

for (let batch = 0; ; batch++) {
  const items = Array.from({ length: 25 }, (_, index): RunCommit => {
    // Half of the rows create a run, the others continue one of an earlier batch.
    const runId = `${prefix}-${index % 2 === 0 ? batch : Math.max(0, batch - 2)}-${index - (index % 2)}`;
    const seq = (seqs.get(runId) ?? 0) + 1;
    seqs.set(runId, seq);
    return seq === 1 ? firstRow(runId) : row(runId, seq);
  });
  const results = await commitAll(storage.runs, items);
  if (results.some(({ status }) => status !== "committed")) throw new Error(JSON.stringify(results));
  writeSync(1, `${items.map(({ runId, seq }) => `${runId}:${seq}`).join(" ")}\n`);
}
