/** A process with the real engine on Postgres, one of several. Its setup is the JSON of its first argument. */
import process from "node:process";
import { interceptVerbs, seededRandom } from "@procedo-testing/faults";
import { createEngine, masterKeyFile, ProcedoError, type Engine, type Log } from "@procedo/engine";
import { createHttp, serveNode, type Http } from "@procedo/http";
import type { Storage } from "@procedo/storage";
import { PostgresStorage } from "@procedo/storage-postgres";
import pg from "pg";
import { bankIntegration } from "../crash/bank-integration.ts";
import { engineAnswers, prepareEngine } from "../crash/engine-answers.ts";
import { createFailpoints } from "../crash/failpoints.ts";
import { askingAnswers, publishAsking } from "./asking-procedure.ts";
import { breakTransactions } from "./breaking-pool.ts";
import type { Door, LogLine, MemberMessage, MemberRequest, MemberRequests, MemberSetup } from "./member-protocol.ts";

const environment = "sandbox";

const setup = JSON.parse(process.argv[2] ?? "null") as MemberSetup;
const tell = (message: MemberMessage): void => void process.send?.(message);
const log: Log = { info: logAs("info"), warn: logAs("warn"), error: logAs("error") };

const pool = new pg.Pool({
  connectionString: setup.databaseUrl,
  max: setup.poolSize,
  application_name: "member",
  connectionTimeoutMillis: 3_000,
});
/** The worker id of the engine; known once it works. */
let named: string | undefined;
const broken = breakTransactions(pool, () => (named === undefined ? 0 : setup.brokenShare), seededRandom(setup.seed));
const storage = await PostgresStorage.open({ pool });
const engine = createEngine({
  storage: namingWorker(storage, (workerId) => void (named ??= workerId)),
  // No failpoint is armed: these processes are killed by signals.
  integrations: [bankIntegration(createFailpoints())],
  masterKey: await masterKeyFile(setup.keyPath),
  egress: { allowNetworks: ["127.0.0.0/8"] },
  worker: { leaseMs: setup.leaseMs, pollMs: 250, sendWindowMs: 1_000 },
  log,
});
if (setup.prepares) {
  await prepareEngine(engine, setup);
  await publishAsking(engine);
}
await engine.start();
const door = setup.serves ? await serve(engine) : undefined;

const answers = {
  ...engineAnswers(engine),
  ...askingAnswers(engine),
  drain: async ({ drainMs }: MemberRequests["drain"]["request"]) => {
    await engine.stop({ drainMs });
    await pool.end();
    process.exit();
  },
  door: () =>
    door === undefined ? Promise.reject(new Error("This member has no HTTP interface.")) : Promise.resolve(door),
  count: () => Promise.resolve(broken),
};

process.on("message", (message) => void answer(message as MemberRequest));
// Without its parent, the process ends.
process.on("disconnect", () => process.exit());
tell({ type: "ready", workerId: named ?? "unknown" });

async function answer({ id, name, request }: MemberRequest): Promise<void> {
  try {
    const handle = answers[name] as (request: unknown) => Promise<unknown>;
    tell({ type: "answer", id, value: await handle(request) });
  } catch (error) {
    const code = ProcedoError.isError(error) ? error.code : "unexpected";
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell({ type: "refusal", id, code, message });
  }
}

function logAs(level: LogLine["level"]): Log["info"] {
  return (message, fields = {}) => {
    const { runId, error } = fields;
    const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
    tell({ type: "logged", level, message, runId: text(runId), error: text(error) });
  };
}

/** The same storage; records the engine's worker id. */
function namingWorker(storage: Storage, learn: (workerId: string) => void): Storage {
  return interceptVerbs(storage, {
    "workers.heartbeat": (send, request) => {
      learn(request.workerId);
      return send();
    },
  });
}

async function serve(served: Engine): Promise<Door> {
  // The address is known once the server listens.
  let reply: Http["answer"] = () => Promise.resolve(undefined);
  const listener = await serveNode({ answer: (request) => reply(request) }, { port: 0 });
  const url = `http://127.0.0.1:${listener.port}`;
  const http = createHttp({ engine: served, runnerUrl: url, appUrl: url });
  reply = (request) => http.answer(request);
  const { key } = await served.keys.create({ name: "proof", environment, by: { person: "starter" } });
  return { url, key };
}
