/** A client of the private connection, made to be killed. Its setup is the JSON of its first argument. */
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

/** Written before anything else is done: the line is there whatever happens to this process. */
function note(made: Made): void {
  appendFileSync(setup.ledgerPath, `${JSON.stringify(made)}\n`);
}

const functions = (["pay", "look"] as const).map((name) =>
  defineFunction({
    name,
    description: `Does ${name}.`,
    input: z.object({ n: z.int() }),
    idempotent: name === "look",
    handler: async ({ n }, { id }) => {
      note({ name, n, id, client: setup.client });
      tell({ type: "running", n });
      await pause(setup.workMs);
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
