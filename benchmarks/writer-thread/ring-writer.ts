import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { JournalWriter } from "../ideal-journal.ts";
import { CLOSED, DURABLE, PUT, ringMemory, ringPutter } from "./ring.ts";

/** Group commit in a worker thread behind a ring in shared memory: no clone, no message; the worker sleeps on a futex. */
export async function ringWriter(file: string): Promise<JournalWriter> {
  const memory = ringMemory();
  const counts = new Int32Array(memory.counts);
  const worker = new Worker(new URL("./ring-worker.ts", import.meta.url), { workerData: { file, memory } });
  await once(worker, "message");
  const exited = once(worker, "exit");
  const put = ringPutter(memory);
  const waiting: (() => void)[] = [];
  let durable = 0;
  let announced = false;
  let rows = 0;

  const announce = (): void => {
    announced = false;
    Atomics.store(counts, PUT, rows);
    Atomics.notify(counts, PUT);
  };
  const acknowledge = async (): Promise<void> => {
    while (Atomics.load(counts, CLOSED) === 0) {
      const wait = Atomics.waitAsync(counts, DURABLE, durable);
      if (wait.async) await wait.value;
      const now = Atomics.load(counts, DURABLE);
      for (const resolve of waiting.splice(0, now - durable)) resolve();
      durable = now;
    }
  };
  void acknowledge();

  return {
    append: (row) =>
      new Promise((resolve) => {
        put(row);
        rows += 1;
        waiting.push(resolve);
        if (announced) return;
        announced = true;
        setImmediate(announce);
      }),
    close: async () => {
      Atomics.store(counts, CLOSED, 1);
      Atomics.notify(counts, PUT);
      Atomics.notify(counts, DURABLE);
      await exited;
    },
  };
}
