/**
 * A process with the real engine on a SQLite file, which will be killed. Its setup is the JSON of its first argument.
 */
import "../clock-ahead.ts";
import process from "node:process";
import { createEngine, masterKeyFile, ProcedoError } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { bankIntegration } from "./bank-integration.ts";
import { engineAnswers, prepareEngine } from "./engine-answers.ts";
import { FailingDatabase } from "./failing-database.ts";
import { withFailpoints } from "./failing-storage.ts";
import { createFailpoints } from "./failpoints.ts";
import type { NodeMessage, NodeRequest, NodeRequests, NodeSetup } from "./protocol.ts";

const setup = JSON.parse(process.argv[2] ?? "null") as NodeSetup;
const tell = (message: NodeMessage): void => void process.send?.(message);
const failpoints = createFailpoints();
failpoints.arm(setup.failpoint);
tell({ type: "loaded" });

const database = new FailingDatabase(setup.databasePath, failpoints);
const storage = withFailpoints(new SqliteStorage({ database }), failpoints, progressed());
const engine = createEngine({
  storage,
  integrations: [bankIntegration(failpoints)],
  masterKey: await masterKeyFile(setup.keyPath),
  egress: { allowNetworks: ["127.0.0.0/8"] },
  worker: { leaseMs: setup.leaseMs, pollMs: 100, sendWindowMs: 400 },
});
await prepareEngine(engine, setup);
await engine.start();

const answers = {
  ...engineAnswers(engine, setup.clockAheadMs),
  drain: async ({ drainMs }: NodeRequests["drain"]["request"]) => {
    await engine.stop({ drainMs });
    await storage.close();
    process.exit();
  },
  arm: ({ failpoint }: NodeRequests["arm"]["request"]) => {
    failpoints.arm(failpoint);
    return Promise.resolve({});
  },
};

process.on("message", (message) => void answer(message as NodeRequest));
// Without its parent, the process ends.
process.on("disconnect", () => process.exit());
tell({ type: "ready" });

async function answer({ id, name, request }: NodeRequest): Promise<void> {
  try {
    const handle = answers[name] as (request: unknown) => Promise<unknown>;
    tell({ type: "answer", id, value: await handle(request) });
  } catch (error) {
    const code = ProcedoError.isError(error) ? error.code : "unexpected";
    tell({
      type: "refusal",
      id,
      code,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

function progressed(): () => void {
  let first = true;
  return () => {
    if (first) tell({ type: "progress" });
    first = false;
  };
}
