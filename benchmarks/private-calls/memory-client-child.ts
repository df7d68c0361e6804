/** A client in a separate process that reports its memory, with `--expose-gc`. */
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { createPrivateConnection, defineFunction } from "@procedo/private-connection";
import { z } from "zod";

export interface MemoryClientSetup {
  readonly url: string;
  readonly token: string;
  readonly slots: number;
  /** The factor by which its timers are shortened, so that it does not wait a second before each reconnect. */
  readonly timersDividedBy: number;
}

export type MemoryClientMessage =
  | { readonly kind: "connected" | "reconnecting" }
  /** After a full collection. */
  | { readonly kind: "memory"; readonly rssMb: number; readonly heapMb: number };

const { url, token, slots, timersDividedBy } = JSON.parse(process.argv[2] ?? "") as MemoryClientSetup;
const send = (message: MemoryClientMessage): void => void process.send?.(message);
// Without its parent, the process ends.
process.on("disconnect", () => process.exit());
process.on("message", () => void tellMemory());

async function tellMemory(): Promise<void> {
  // Objects of the last answers are released first.
  await pause(200);
  await globalThis.gc?.({ type: "major", execution: "async" });
  const { rss, heapUsed } = process.memoryUsage();
  send({ kind: "memory", rssMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 });
}

const echo = defineFunction({
  name: "echo",
  description: "Gives the number back.",
  input: z.object({ n: z.int() }),
  idempotent: true,
  handler: ({ n }) => n,
});
const log = { info: () => {}, warn: () => {}, error: console.error };
const after = globalThis.setTimeout;
globalThis.setTimeout = ((callback: () => void, delayMs: number, ...values: []) =>
  after(callback, delayMs / timersDividedBy, ...values)) as typeof globalThis.setTimeout;
const connection = createPrivateConnection({ functions: [echo], url, token, concurrency: slots, log, proxy: false });
connection.on("connected", () => send({ kind: "connected" }));
connection.on("reconnecting", () => send({ kind: "reconnecting" }));
await connection.start();
