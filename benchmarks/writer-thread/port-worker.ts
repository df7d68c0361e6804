/**
 * The worker of `port-writer.ts`: commits all rows in the port in one transaction, then reports the number of durable
 * rows.
 */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { batchInsert, type JournalRow, openJournal } from "../ideal-journal.ts";
import { type FlatRows, VALUES_PER_ROW } from "./port-writer.ts";

if (parentPort === null) throw new Error("port-worker.ts runs as a worker thread.");
const port = parentPort;
const db = openJournal((workerData as { readonly file: string }).file);
const write = batchInsert(db);

port.on("message", (first: FlatRows | "close") => {
  const rows: JournalRow[] = [];
  let message: { message: FlatRows | "close" } | undefined = { message: first };
  let closing = false;
  while (message !== undefined) {
    if (message.message === "close") closing = true;
    else append(rows, message.message);
    message = receiveMessageOnPort(port);
  }
  if (rows.length > 0) {
    write(rows);
    port.postMessage(rows.length);
  }
  if (closing) {
    db.close();
    port.close();
  }
});
port.postMessage("ready");

function append(rows: JournalRow[], flat: FlatRows): void {
  for (let at = 0; at < flat.length; at += VALUES_PER_ROW) {
    rows.push({
      runId: Number(flat[at]),
      seq: Number(flat[at + 1]),
      node: String(flat[at + 2]),
      input: String(flat[at + 3]),
      output: String(flat[at + 4]),
    });
  }
}
