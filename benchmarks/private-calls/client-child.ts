/**
 * The client in a separate process: Procedo's, a hand-written loop over a pool of connections, or the polling peer's.
 */
import { Agent, request } from "node:http";
import process from "node:process";
import { createPrivateConnection, defineFunction } from "@procedo/private-connection";
import { z } from "zod";
import type { ClientSetup } from "./calls-child.ts";

const setup = JSON.parse(process.argv[2] ?? "") as ClientSetup;
// Without its parent, the process ends.
process.on("disconnect", () => process.exit());
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});

if (setup.subject === "procedo") {
  const { url, token, slots, idempotent } = setup;
  const echo = defineFunction({
    name: "echo",
    description: "Gives the number back.",
    input: z.object({ n: z.int() }),
    idempotent,
    handler: ({ n }) => n,
  });
  const log = { info: () => {}, warn: console.warn, error: console.error };
  const connection = createPrivateConnection({ functions: [echo], url, token, concurrency: slots, log, proxy: false });
  connection.on("connected", () => process.send?.("connected"));
  await connection.start();
} else if (setup.subject === "polled") {
  const { listenAsPeer } = await import("../peers/retoolrpc.ts");
  await listenAsPeer(setup.url);
  process.send?.("connected");
} else {
  const agent = new Agent({ keepAlive: true });
  const ask = (method: string, body?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const asking = request(setup.url, { method, agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve(text));
      });
      asking.on("error", reject).end(body);
    });
  const loop = async (): Promise<void> => {
    for (;;) {
      const call = await ask("GET");
      if (!setup.idempotent) await ask("PUT", call);
      await ask("POST", call);
    }
  };
  process.send?.("connected");
  await Promise.all(Array.from({ length: setup.slots }, loop));
}
