/*
 * The service whose streams are read: SQLite in a file, and W1 by the engine in the same process, as `bench` measures it.
 */
import { createEngine } from "@procedo/engine";
import { createHttp, serveNode } from "@procedo/http";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { closedLoop, type Load } from "../closed-loop.ts";
import { withFreshFolder } from "../fresh-process.ts";
import { instantTools, paymentInput } from "../payment.ts";
import { w1Document } from "../procedo-documents.ts";
import { openStorage } from "../procedo-storage.ts";
import { integrationOf } from "../procedo.ts";

/** The parent's requests. */
export type Asked =
  /** W1 in a closed loop. */
  | { readonly type: "load"; readonly load: Load }
  /** W1 at a rate. */
  | { readonly type: "pace"; readonly perSecond: number; readonly forMs: number }
  | { readonly type: "memory" }
  /** Closes the listener, which waits for answers under way for this time. */
  | { readonly type: "close"; readonly drainMs: number };

/** Their answers. The first message has the address. */
export type ServiceMessage =
  | {
      readonly type: "ready";
      readonly port: number;
      readonly keys: readonly string[];
    }
  | { readonly type: "load"; readonly perSecond: number; readonly cpuUsEach: number }
  | { readonly type: "pace"; readonly runs: number; readonly cpuShare: number }
  | { readonly type: "memory"; readonly heapMb: number; readonly rssMb: number }
  | { readonly type: "close"; readonly tookMs: number };

const keys = 50;
const by = { person: "olga" };
const environment = "sandbox";
const mb = 2 ** 20;

const answer = (message: ServiceMessage): void => void process.send?.(message);

await withFreshFolder(async (directory) => {
  const { storage } = await openStorage({ directory });
  const engine = createEngine({
    storage,
    integrations: [integrationOf(instantTools)],
    masterKey: new Uint8Array(32).fill(7),
    log: { info: () => {}, warn: console.warn, error: console.error },
  });
  await engine.start();
  await engine.procedures.publish({ document: w1Document, version: "v1", defaultIn: [environment], by });
  const made = Array.from({ length: keys }, (_, n) =>
    engine.keys.create({ name: `reader ${n}`, environment, permissions: ["manage"], by }),
  );
  const origin = "http://127.0.0.1";
  const listener = await serveNode(createHttp({ engine, runnerUrl: origin, appUrl: origin }), { port: 0 });
  let number = 0;
  const execute = async (): Promise<number> => {
    const begin = performance.now();
    const data = { ...paymentInput(number++) };
    const outcome = await engine.runs.execute({ procedureId: w1Document.procedureId, environment, data, by });
    if (outcome.status !== "completed") throw new Error(`Run ${outcome.runId} is ${outcome.status}.`);
    return performance.now() - begin;
  };

  const load = async (asked: Load): Promise<ServiceMessage> => {
    const before = process.cpuUsage();
    const { ended, seconds, total } = await closedLoop(asked, execute);
    const { user, system } = process.cpuUsage(before);
    return { type: "load", perSecond: ended / seconds, cpuUsEach: (user + system) / total };
  };
  const pace = async (perSecond: number, forMs: number): Promise<ServiceMessage> => {
    const before = process.cpuUsage();
    const runs: Promise<number>[] = [];
    const begin = performance.now();
    while (performance.now() - begin < forMs) {
      while (runs.length < ((performance.now() - begin) / 1_000) * perSecond) runs.push(execute());
      await pause(5);
    }
    await Promise.all(runs);
    const { user, system } = process.cpuUsage(before);
    return { type: "pace", runs: runs.length, cpuShare: (user + system) / 1_000 / (performance.now() - begin) };
  };
  const memory = async (): Promise<ServiceMessage> => {
    for (let times = 0; times < 3; times++) {
      globalThis.gc?.();
      await pause(100);
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    return { type: "memory", heapMb: (heapUsed + external) / mb, rssMb: rss / mb };
  };
  const close = async (drainMs: number): Promise<ServiceMessage> => {
    const begin = performance.now();
    await listener.close({ drainMs });
    return { type: "close", tookMs: performance.now() - begin };
  };
  const answerTo = (asked: Asked): Promise<ServiceMessage> => {
    switch (asked.type) {
      case "load":
        return load(asked.load);
      case "pace":
        return pace(asked.perSecond, asked.forMs);
      case "memory":
        return memory();
      case "close":
        return close(asked.drainMs);
    }
  };
  process.on("message", (asked: Asked) => void answerTo(asked).then(answer));
  answer({ type: "ready", port: listener.port, keys: (await Promise.all(made)).map(({ key }) => key) });
  await new Promise<void>((resolve) => process.once("disconnect", resolve));
  await listener.close({ drainMs: 0 });
  await engine.stop({ drainMs: 0 });
  await storage.close();
});
