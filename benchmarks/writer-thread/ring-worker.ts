/**
 * The worker of `ring-writer.ts`: sleeps until rows arrive, commits all of them in one transaction, reports the number
 * of durable rows.
 */
import { parentPort, workerData } from "node:worker_threads";
import { batchInsert, type JournalRow, openJournal } from "../ideal-journal.ts";
import { CLOSED, DURABLE, PUT, type RingMemory, ringTaker } from "./ring.ts";

const { file, memory } = workerData as { readonly file: string; readonly memory: RingMemory };
const counts = new Int32Array(memory.counts);
const db = openJournal(file);
const write = batchInsert(db);
const take = ringTaker(memory);
parentPort?.postMessage("ready");

let durable = 0;
while (Atomics.load(counts, CLOSED) === 0) {
  Atomics.wait(counts, PUT, durable);
  const put = Atomics.load(counts, PUT);
  if (put === durable) continue;
  const rows: JournalRow[] = [];
  for (let left = put - durable; left > 0; left--) rows.push(take());
  write(rows);
  durable = put;
  Atomics.store(counts, DURABLE, durable);
  Atomics.notify(counts, DURABLE);
}
db.close();
