/**
 * A burst of starts in this process, on SQLite: how soon all are durable, and how soon all have ended, beside the same number of runs that
 * are waited for, so many at once. `node --conditions=@procedo/source benchmarks/burst.ts [--starts 10000] [--at-once 64] [--rounds 5]`
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createEngine } from "@procedo/engine";
import { withFreshFolder } from "./fresh-process.ts";
import { paymentInput } from "./payment.ts";
import { w1Document } from "./procedo-documents.ts";
import { integrationOf } from "./procedo.ts";
import { openStorage } from "./procedo-storage.ts";
import { countedTools } from "./service/procedo-http.ts";

const { values: options } = parseArgs({
  options: {
    starts: { type: "string", default: "10000" },
    "at-once": { type: "string", default: "64" },
    rounds: { type: "string", default: "5" },
  },
});
const [starts, atOnce, rounds] = [options.starts, options["at-once"], options.rounds].map(Number) as [
  number,
  number,
  number,
];
const by = { person: "alice" };
const environment = "sandbox";
const { procedureId } = w1Document;

await withFreshFolder(async (directory) => {
  const { storage } = await openStorage({ directory });
  const { tools, ended } = countedTools();
  const log = { info: () => {}, warn: console.warn, error: console.error };
  const masterKey = new Uint8Array(32).fill(7);
  const engine = createEngine({ storage, integrations: [integrationOf(tools)], masterKey, log });
  await engine.start();
  await engine.procedures.publish({ document: w1Document, version: "v1", defaultIn: [environment], by });

  const begin = async (start: (data: ReturnType<typeof paymentInput>) => Promise<unknown>): Promise<number> => {
    const beganMs = performance.now();
    let begun = 0;
    const startSome = async (): Promise<void> => {
      while (begun < starts) await start(paymentInput(begun++));
    };
    await Promise.all(Array.from({ length: atOnce }, startSome));
    return performance.now() - beganMs;
  };

  for (let round = 1; round <= rounds; round++) {
    const waitedForMs = await begin((data) => engine.runs.execute({ procedureId, environment, data: { ...data }, by }));
    const before = ended();
    const beganMs = performance.now();
    const durableMs = await begin((data) => engine.runs.start({ procedureId, environment, data: { ...data }, by }));
    while (ended() < before + starts) await sleep(5);
    const endedMs = performance.now() - beganMs;
    const text = [waitedForMs, durableMs, endedMs].map((ms) => `${Math.round(ms)} ms`);
    console.log(`${round}/${rounds}  waited for: ${text[0]}   burst: durable after ${text[1]}, ended after ${text[2]}`);
  }
  await engine.stop();
  await storage.close();
});
