/** A client of the private connection, which will be killed. Its setup is the JSON of its first argument. */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { defineFunction } from "@procedo/private-connection";
import * as z from "zod";
import { assemblePrivateConnection } from "../../packages/private-connection/src/connection/create-private-connection.ts";
import { fastRuntime } from "./fast-time.ts";
import type { ClientMessage, ClientSetup, Made } from "./processes.ts";

const setup = JSON.parse(process.argv[2] ?? "null") as ClientSetup;
const tell = (message: ClientMessage): void => void process.send?.(message);

/** Written before the call has any effect, so that the line survives a kill of this process. */
function note(made: Made): void {
  appendFileSync(setup.ledgerPath, `${JSON.stringify(made)}\n`);
}

const waiting = new Map<number, () => void>();
/** The time to wait for the other call, which may never come: its client was killed, or the call is done. */
const longestWaitMs = 5_000;

/** Makes two calls end at the same time. */
async function otherOf(pair: number): Promise<void> {
  const other = waiting.get(pair);
  waiting.delete(pair);
  if (other !== undefined) return other();
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.set(pair, resolve);
  await Promise.race([promise, pause(longestWaitMs)]);
}

const functions = (["pay", "look"] as const).map((name) =>
  defineFunction({
    name,
    description: `Does ${name}.`,
    input: z.object({ n: z.int(), pair: z.int() }),
    idempotent: name === "look",
    handler: async ({ n, pair }, { id }) => {
      note({ name, n, id, client: setup.client });
      tell({ type: "running", n });
      await pause(setup.workMs);
      if (pair !== 0) await otherOf(pair);
      return { n, client: setup.client };
    },
  }),
);

process.on("disconnect", () => process.exit());
const { url, token, ca, concurrency } = setup;
const log = { info: () => {}, warn: () => {}, error: () => {} };
const options = { url, token, ca, concurrency, functions, log, proxy: false } as const;
const connection = assemblePrivateConnection(options, fastRuntime(setup.sinceMs));
connection.on("connected", () => tell({ type: "connected" }));
await connection.start();
