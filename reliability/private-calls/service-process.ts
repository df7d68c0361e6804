/**
 * The service on a SQLite file, in a process that will be killed or drained. Its setup is the JSON of its first
 * argument.
 */
import process from "node:process";
import { createEngine, masterKeyFile } from "@procedo/engine";
import { createHttp, serveNode } from "@procedo/http";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { fastClock } from "./fast-time.ts";
import type { ServiceReady, ServiceSetup } from "./processes.ts";

const setup = JSON.parse(process.argv[2] ?? "null") as ServiceSetup;
const clock = fastClock(setup.sinceMs);
const by = { person: "olga" };
/** The time after which unanswered requests are cut off, in milliseconds of the machine's clock. */
const requestsMs = 1_000;

// Without its parent, the process ends.
process.on("disconnect", () => process.exit());
const storage = await SqliteStorage.open({ path: setup.databasePath, now: clock.now });
const engine = createEngine({
  storage,
  integrations: [],
  masterKey: await masterKeyFile(setup.keyPath),
  // Leases of workers are as long as those of calls, so that none ends because of a busy machine.
  worker: { leaseMs: 60_000 },
  clock,
});
await engine.start();
const origin = "https://service.procedo.test";
const http = createHttp({ engine, runnerUrl: origin, appUrl: origin, clock });
const listener = await serveNode(http, { port: 0 });
process.once("SIGTERM", () => void drain());
const { port } = listener;
const ready: ServiceReady = { port, ...(setup.isNew && (await prepare())) };
process.send?.(ready);

/** Ends like the server. */
async function drain(): Promise<void> {
  await listener.close({ drainMs: requestsMs });
  await engine.stop();
  await storage.close();
  process.exit();
}

async function prepare() {
  const { connectionId, tokens } = await engine.connections.create({
    name: "office",
    integration: "private_connection",
    by,
  });
  const permissions = ["run", "manage", "review"] as const;
  const { key } = await engine.keys.create({ name: "proof", environment: "sandbox", permissions, by });
  return { made: { connectionId, token: tokens?.sandbox ?? "", key } };
}
