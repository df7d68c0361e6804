/** A process with the real engine on a SQLite file, made to be killed. Its setup is the JSON of its first argument. */
import process from "node:process";
import { createEngine, masterKeyFile, ProcedoError, type Engine } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { bankIntegration } from "./bank-integration.ts";
import { crashProcedure } from "./crash-procedure.ts";
import { FailingDatabase } from "./failing-database.ts";
import { withFailpoints } from "./failing-storage.ts";
import { createFailpoints } from "./failpoints.ts";
import type { NodeMessage, NodeRequest, NodeRequests, NodeSetup, RequestName } from "./protocol.ts";

const environment = "sandbox";
const by = { person: "starter" };
const reviewer = { person: "reviewer", roles: ["reviewer"] };

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
  outgoing: { allowNetworks: ["127.0.0.0/8"] },
  worker: { leaseMs: setup.leaseMs, pollMs: 100, sendWindowMs: 400 },
});
await prepare(engine);
await engine.start();

const answers: { readonly [Name in RequestName]: (request: NodeRequests[Name]["request"]) => Promise<unknown> } = {
  start: ({ input, key }) =>
    engine.runs.start({ procedureId: "crash", environment, data: { ...input }, idempotencyKey: key, by }),
  decide: (request) => engine.reviews.decide({ ...request, environment, by: reviewer }),
  look: async () => {
    const running = await engine.runs.list({ environment, status: "running", limit: 1000 });
    const { items } = await engine.reviews.list({ environment, status: "open", limit: 1000 });
    return { running: running.items.length, reviews: items };
  },
  cancel: async ({ runId }) => {
    await engine.runs.cancel({ environment, runId, by, reason: "Not needed any more." });
    return {};
  },
  show: async ({ reviewId }) => ({ data: (await engine.reviews.get({ environment, reviewId })).data }),
  arm: async ({ failpoint }) => {
    failpoints.arm(failpoint);
    return {};
  },
};

process.on("message", (message) => void answer(message as NodeRequest));
// An orphan has nobody left to work for.
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

/** Sets up what the first process of a database needs; an earlier one may have died on any step of it. */
async function prepare({ connections, procedures, webhooks }: Engine): Promise<void> {
  if ((await connections.list({ environment })).length === 0) {
    const settings = { baseUrl: setup.ledgerUrl };
    const secrets = { token: setup.ledgerToken };
    await connections.create({ name: "bank", integration: "bank", environment, settings, secrets, by });
  }
  if ((await webhooks.list({ environment, limit: 1 })).items.length === 0) {
    const events = ["run_completed", "run_failed", "human_review_requested", "custom.pay_made", "custom.deposit_made"];
    await webhooks.create({ url: `${setup.ledgerUrl}/events`, events, environment, by });
  }
  if ((await procedures.list({ limit: 1 })).items.length === 0) {
    await procedures.publish({ document: crashProcedure, version: "1", defaultIn: [environment], by });
  }
}

function progressed(): () => void {
  let first = true;
  return () => {
    if (first) tell({ type: "progress" });
    first = false;
  };
}
