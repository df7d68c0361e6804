/*
 * The service with the read run: SQLite in a file, one run of about 23 MB in `live`, and a procedure in `sandbox` that
 * other callers start meanwhile. Reports the pauses of its event loop to its parent.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createEngine, defineAction, defineIntegration, defineProcedure, z } from "@procedo/engine";
import { createHttp, serveNode } from "@procedo/http";
import { SqliteStorage } from "@procedo/storage-sqlite";

/** The parent's requests and their answers. */
export type Asked = { readonly type: "begin" } | { readonly type: "report" } | { readonly type: "stop" };
export type ServiceMessage =
  | {
      readonly type: "ready";
      readonly port: number;
      readonly runId: string;
      readonly readerKey: string;
      readonly starterKey: string;
    }
  | {
      readonly type: "report";
      readonly longestPauseMs: number;
      readonly rssMb: number;
      readonly leaseLost: number;
    };

const calls = 23;
const linesOfCall = 7_000;

const folder = mkdtempSync(join(tmpdir(), "procedo-readers-"));
const storage = await SqliteStorage.open({ path: join(folder, "service.db") });
const desk = defineIntegration({
  name: "desk",
  actions: {
    page: defineAction({
      description: "A page of a statement, of about 1 MB.",
      input: z.object({ page: z.int() }),
      effect: "read",
      run: ({ page }) => ({
        page,
        lines: Array.from({ length: linesOfCall }, (_line, index) => ({
          number: index,
          amount: index * 1.25,
          text: `Settlement of services rendered, page ${page}, line ${index}. `.repeat(2),
        })),
      }),
    }),
  },
});

let leaseLost = 0;
const noteWarning = (message: string): void => {
  if (message.includes("lease")) leaseLost += 1;
};
const engine = createEngine({
  storage,
  integrations: [desk],
  masterKey: randomBytes(32),
  log: { info: () => {}, warn: noteWarning, error: noteWarning },
});
await engine.start();
const by = { person: "olga" };
for (const environment of ["sandbox", "live"] as const) {
  await engine.connections.create({ name: "desk", integration: "desk", environment, by });
}
const pages = Object.fromEntries(
  Array.from({ length: calls }, (_call, index) => [
    `page${index}`,
    {
      kind: "tool_call" as const,
      connection: "desk",
      action: "page",
      arguments: { page: index },
      next: index + 1 < calls ? `page${index + 1}` : "done",
    },
  ]),
);
const statement = defineProcedure({
  procedureId: "statement",
  name: "Statement",
  input: z.looseObject({}),
  nodes: {
    start: { kind: "start", next: "page0" as never },
    ...pages,
    done: { kind: "end", output: { pages: calls } },
  },
});
const small = defineProcedure({
  procedureId: "small",
  name: "Small",
  input: z.looseObject({}),
  nodes: { start: { kind: "start", next: "done" }, done: { kind: "end", output: { said: "{{ input }}" } } },
});
for (const document of [statement, small]) {
  await engine.procedures.publish({ document, version: "v1", defaultIn: ["sandbox", "live"], by });
}
const outcome = await engine.runs.execute({ procedureId: "statement", environment: "live", data: {}, by });
if (outcome.status !== "completed") throw new Error(`The large run is ${outcome.status}.`);

const { key: readerKey } = await engine.keys.create({ name: "r", environment: "live", permissions: [], by });
const { key: starterKey } = await engine.keys.create({ name: "s", environment: "sandbox", permissions: ["run"], by });
const origin = "http://127.0.0.1";
const listener = await serveNode(createHttp({ engine, runnerUrl: origin, appUrl: origin }), { port: 0 });

const send = (reported: ServiceMessage): void => void process.send?.(reported);
let delay = monitorEventLoopDelay({ resolution: 1 });
process.on("message", (asked: Asked) => {
  switch (asked.type) {
    case "begin":
      delay.disable();
      delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      leaseLost = 0;
      break;
    case "report":
      send({
        type: "report",
        longestPauseMs: delay.max / 1e6,
        rssMb: process.memoryUsage().rss / 2 ** 20,
        leaseLost,
      });
      break;
    case "stop":
      void (async () => {
        await listener.close({ drainMs: 0 });
        await engine.stop({ drainMs: 0 });
        await storage.close();
        rmSync(folder, { recursive: true, force: true });
        process.exit(0);
      })();
  }
});
send({ type: "ready", port: listener.port, runId: outcome.runId, readerKey, starterKey });
