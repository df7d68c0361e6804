import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { JournalRow, JournalWriter } from "../ideal-journal.ts";

/** A row in a message: flat, because a structured clone of objects costs more than one of values. */
export type FlatRows = (string | number)[];

/** The number of values of {@link FlatRows} per row. */
export const VALUES_PER_ROW = 5;

/**
 * Group commit in a worker thread behind a MessagePort: each turn of the loop posts its rows, the worker commits all
 * waiting ones.
 */
export async function portWriter(file: string): Promise<JournalWriter> {
  const worker = new Worker(new URL("./port-worker.ts", import.meta.url), { workerData: { file } });
  await once(worker, "message");
  const waiting: (() => void)[] = [];
  let turn: FlatRows = [];
  const post = (): void => {
    worker.postMessage(turn);
    turn = [];
  };
  worker.on("message", (durableRows: number) => {
    for (const resolve of waiting.splice(0, durableRows)) resolve();
  });
  return {
    append: ({ runId, seq, node, input, output }: JournalRow) =>
      new Promise((resolve) => {
        if (turn.length === 0) setImmediate(post);
        turn.push(runId, seq, node, input, output);
        waiting.push(resolve);
      }),
    close: async () => {
      worker.postMessage("close");
      await once(worker, "exit");
    },
  };
}
