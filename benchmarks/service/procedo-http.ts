/**
 * Procedo's interface in an embedding application: engine, storage and the node listener, without logs and metrics. One
 * variant has a worker; in the other, accepted runs wait for a worker in another process.
 */
import { createEngine, type Engine } from "@procedo/engine";
import { createHttp, serveNode } from "@procedo/http";
import { instantTools, type Tools } from "../payment.ts";
import { w1Document } from "../procedo-documents.ts";
import { integrationOf } from "../procedo.ts";
import { openStorage } from "../procedo-storage.ts";
import { LOOPBACK } from "./loopback.ts";
import type { Listening, RunMode, Subject, SubjectOptions, Target } from "./subject.ts";

export const procedoHttp: Subject = { listen: (options) => listenToRuns(options, { withWorker: true }) };

export const procedoAccept: Subject = { listen: (options) => listenToRuns(options, { withWorker: false }) };

async function listenToRuns(
  options: SubjectOptions,
  { withWorker }: { readonly withWorker: boolean },
): Promise<Listening> {
  const { storage, database } = await openStorage(options);
  const { tools, ended } = countedTools();
  const engine = createEngine({
    storage,
    integrations: [integrationOf(tools)],
    masterKey: new Uint8Array(32).fill(7),
    log: { info: () => {}, warn: console.warn, error: console.error },
  });
  if (withWorker) await engine.start();
  const base = `http://${LOOPBACK}`;
  const listener = await serveNode(createHttp({ engine, runnerUrl: base, appUrl: base }), { port: 0 });
  return {
    database,
    target: await w1Target(engine, listener.port, options.mode),
    ...(withWorker && { ended }),
    close: async () => {
      await listener.close({ drainMs: 0 });
      await engine.stop();
      await storage.close();
    },
  };
}

/** The tools of W1, with a count of the runs whose last tool was called. */
export function countedTools(): { readonly tools: Tools; readonly ended: () => number } {
  let ended = 0;
  const c: Tools["c"] = (args) => {
    ended += 1;
    return instantTools.c(args);
  };
  return { tools: { ...instantTools, c }, ended: () => ended };
}

/** Publishes W1, creates a key, and returns the request that starts a run of W1. */
export async function w1Target(engine: Engine, port: number, mode: RunMode): Promise<Target> {
  const by = { person: "alice" };
  const environment = "sandbox";
  await engine.procedures.publish({ document: w1Document, version: "v1", defaultIn: [environment], by });
  const { key } = await engine.keys.create({ name: "bench", environment, by });
  const answer =
    mode === "sync" ? { status: 200, holds: '"status":"completed"' } : { status: 202, holds: '"status":"running"' };
  const path = `/v1/procedures/${w1Document.procedureId}/${environment}`;
  return { port, paths: [path], headers: { Authorization: `Bearer ${key}` }, signed: false, answer };
}
