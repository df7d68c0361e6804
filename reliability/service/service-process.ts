/** The whole service in its own process, which will be killed. Its setup is the JSON of its first argument. */
import "../clock-ahead.ts";
import process from "node:process";
import type { Engine } from "@procedo/engine";
import { readSettings, runUntilStopped, startServer } from "@procedo/server";
import { serviceIntegrations } from "./service-integrations.ts";
import type { ServiceSetup } from "./service-node.ts";

const setup = JSON.parse(process.argv[2] ?? "null") as ServiceSetup;

// Without its parent, the process ends.
process.on("disconnect", () => process.exit());
await runUntilStopped(async () => {
  const server = await startServer({ settings: readSettings(setup.env), integrations: serviceIntegrations });
  await connect(server.engine);
  process.send?.(server.runnerUrl);
  return server;
});
process.disconnect?.();

/** The setup for which there is no endpoint. An earlier process may have died during it. */
async function connect({ connections }: Engine): Promise<void> {
  for (const connection of setup.connections) {
    const known = (await connections.list({ environment: connection.environment, limit: 100 })).items;
    if (known.some(({ name }) => name === connection.name)) continue;
    await connections.create({ ...connection, by: { person: "operator" } });
  }
}
