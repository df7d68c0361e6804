/** A process with the real engine and triggers, which will be killed. Its setup is the JSON of its first argument. */
import process from "node:process";
import { createEngine, masterKeyFile, ProcedoError, type Log } from "@procedo/engine";
import type { Storage } from "@procedo/storage";
import { PostgresStorage } from "@procedo/storage-postgres";
import { SqliteStorage } from "@procedo/storage-sqlite";
import pg from "pg";
import { withFailpoints } from "../crash/failing-storage.ts";
import { createFailpoints } from "../crash/failpoints.ts";
import { pacedClock } from "./paced-clock.ts";
import { desk, environment, prepareTriggers, sendEvent } from "./triggered-procedures.ts";
import type { TriggerMessage, TriggerRequest, TriggerRequests, TriggerSetup } from "./trigger-protocol.ts";

const setup = JSON.parse(process.argv[2] ?? "null") as TriggerSetup;
const tell = (message: TriggerMessage): void => void process.send?.(message);
const log: Log = { info: () => {}, warn: logAs("warn"), error: logAs("error") };
const clock = pacedClock(setup.pace);
const failpoints = createFailpoints();
failpoints.arm(setup.failpoint);

const storage = await openStorage();
const engine = createEngine({
  storage: withFailpoints(storage, failpoints, () => {}),
  integrations: [desk],
  masterKey: await masterKeyFile(setup.keyPath),
  worker: { leaseMs: setup.leaseMs, pollMs: setup.leaseMs / 10, sendWindowMs: setup.leaseMs / 2 },
  clock,
  log,
});
const hook = setup.hook ?? (await prepareTriggers(engine));
await engine.start();

type Answers = {
  readonly [Name in keyof TriggerRequests]: (
    request: TriggerRequests[Name]["request"],
  ) => Promise<TriggerRequests[Name]["answer"]>;
};

const answers: Answers = {
  send: async ({ eventIds }) => ({
    statuses: await Promise.all(eventIds.map((eventId) => sendEvent(engine, hook, eventId))),
  }),
  look: async () => {
    const { schedules } = await storage.triggers.due({ workspace: "default", limit: 1 });
    const triggers = await engine.triggers.list({ environment, limit: 100 });
    const running = await engine.runs.list({ environment, status: "running", limit: 1_000 });
    const waiting = triggers.items.reduce((sum, { health }) => sum + health.waiting, 0);
    return { isDue: schedules.length > 0, waiting, running: running.items.length };
  },
  arm: ({ failpoint }) => {
    failpoints.arm(failpoint);
    return Promise.resolve({});
  },
};

process.on("message", (message) => void answer(message as TriggerRequest));
// Without its parent, the process ends.
process.on("disconnect", () => process.exit());
tell({ type: "ready", hook });

async function openStorage(): Promise<Storage> {
  const { database } = setup;
  if (database.kind === "sqlite") return await SqliteStorage.open({ path: database.path, now: clock.now });
  const pool = new pg.Pool({ connectionString: database.url, max: 6, application_name: "member" });
  return await PostgresStorage.open({ pool, now: clock.now });
}

async function answer({ id, name, request }: TriggerRequest): Promise<void> {
  try {
    const handle = answers[name] as (request: unknown) => Promise<unknown>;
    tell({ type: "answer", id, value: await handle(request) });
  } catch (error) {
    const code = ProcedoError.isError(error) ? error.code : "unexpected";
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell({ type: "refusal", id, code, message });
  }
}

function logAs(level: string): Log["warn"] {
  return (message, fields = {}) => tell({ type: "logged", level, message: `${message} ${JSON.stringify(fields)}` });
}
