import type { ProcedureDocument } from "@procedo/contract";
import { createEngine } from "@procedo/engine";
import { createHttp, serveNode } from "@procedo/http";
import { committedTransactions } from "../database.ts";
import { openStorage } from "../procedo-storage.ts";
import type { CallsService } from "./calls-child.ts";

const by = { person: "alice" };
const environment = "sandbox";

/**
 * The engine behind its listener on one SQLite file: a run with this many consecutive calls, with all changes durable.
 */
export async function listenProcedo(directory: string, callsInRun: number): Promise<CallsService> {
  const { storage, database } = await openStorage({ directory });
  if (database.kind !== "sqlite") throw new Error("Private calls are measured on SQLite.");
  const engine = createEngine({
    storage,
    integrations: [],
    masterKey: new Uint8Array(32).fill(7),
    log: { info: () => {}, warn: console.warn, error: console.error },
  });
  await engine.start();
  const { tokens } = await engine.connections.create({ name: "office", integration: "private_connection", by });
  const base = "http://127.0.0.1";
  const listener = await serveNode(createHttp({ engine, runnerUrl: base, appUrl: base }), { port: 0 });
  const document = documentOf(callsInRun);
  return {
    url: `${base}:${listener.port}`,
    token: tokens?.[environment] ?? "",
    prepare: async () => {
      await engine.procedures.publish({ document, version: "v1", defaultIn: [environment], by });
    },
    call: async (n) => {
      const run = await engine.runs.execute({ procedureId: "call", environment, data: { n }, by });
      if (run.status !== "completed" || run.output["n"] !== n) throw new Error(`Call ${n} is ${JSON.stringify(run)}.`);
    },
    commits: () => committedTransactions(database.file),
    close: async () => {
      await listener.close({ drainMs: 0 });
      await engine.stop({ drainMs: 0 });
      await storage.close();
    },
  };
}

/** A procedure of this many calls, each with the result of the previous call, or with the run's data. */
function documentOf(calls: number): ProcedureDocument {
  const ids = Array.from({ length: calls }, (_, at) => `echo${at + 1}`);
  const given = (id: string | undefined): string => (id === undefined ? "{{ input.n }}" : `{{ nodes.${id}.output }}`);
  const path = ["start", ...ids, "done"];
  return {
    schemaVersion: 1,
    procedureId: "call",
    name: "Call",
    input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false },
    nodes: [
      { id: "start", kind: "start" },
      ...ids.map((id, at) => ({
        id,
        kind: "tool_call" as const,
        connection: "office",
        action: "echo",
        arguments: { n: given(ids[at - 1]) },
      })),
      { id: "done", kind: "end", output: { n: given(ids.at(-1)) } },
    ],
    edges: path.slice(1).map((to, at) => ({ from: path[at] ?? "", to })),
  };
}
