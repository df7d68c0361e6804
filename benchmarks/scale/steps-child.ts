/**
 * Long runs, in this fresh process: reads a {@link StepsOrder} as JSON from its first argument and prints {@link
 * StepsFigures} as JSON.
 */
import { performance } from "node:perf_hooks";
import process from "node:process";
import type { ProcedureDocument } from "@procedo/contract";
import { createEngine } from "@procedo/engine";
import { quantile } from "../closed-loop.ts";
import { instantTools, paymentInput, type Tool } from "../payment.ts";
import { toolCall, w1Document } from "../procedo-documents.ts";
import { openStorage } from "../procedo-storage.ts";
import { integrationOf } from "../procedo.ts";
import type { Place } from "../workloads.ts";

/** The parent's request. */
export interface StepsOrder extends Place {
  readonly steps: number;
  /** Number of measured consecutive runs, after a tenth as many unmeasured ones. */
  readonly runs: number;
}

export interface StepsFigures {
  /** Median time between the calls of consecutive steps, in the first and in the last tenth of a run. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly runMs: number;
}

const order = JSON.parse(process.argv[2] ?? "null") as StepsOrder;
const calledAt: number[] = [];
const timed: Tool = (args) => {
  calledAt.push(performance.now());
  return instantTools.a(args);
};
const { storage } = await openStorage(order);
const engine = createEngine({
  storage,
  integrations: [integrationOf({ ...instantTools, a: timed })],
  masterKey: new Uint8Array(32).fill(7),
  // Every step is a call, more than a run may have by default.
  limits: { nodeVisits: order.steps + 2, toolCalls: order.steps },
  log: { info: () => {}, warn: console.warn, error: console.error },
});
await engine.start();
const by = { person: "alice" };
const environment = "sandbox";
const document = longDocument(order.steps);
await engine.procedures.publish({ document, version: "v1", defaultIn: [environment], by });

const tenth = Math.max(1, Math.floor(order.steps / 10));
const [first, last, whole]: [number[], number[], number[]] = [[], [], []];
const warm = Math.ceil(order.runs / 10);
for (let n = 0; n < warm + order.runs; n++) {
  calledAt.length = 0;
  const begin = performance.now();
  const data = { ...paymentInput(n) };
  const outcome = await engine.runs.execute({ procedureId: document.procedureId, environment, data, by });
  if (outcome.status !== "completed")
    throw new Error(`Run ${outcome.runId} did not complete: ${JSON.stringify(outcome)}`);
  if (n < warm) continue;
  whole.push(performance.now() - begin);
  const between = calledAt.slice(1).map((at, index) => at - (calledAt[index] ?? NaN));
  first.push(...between.slice(0, tenth));
  last.push(...between.slice(-tenth));
}
await engine.stop();
await storage.close();
const figures: StepsFigures = {
  firstMs: quantile(first, 0.5),
  lastMs: quantile(last, 0.5),
  runMs: quantile(whole, 0.5),
};
process.stdout.write(JSON.stringify(figures));

/** Consecutive calls. */
function longDocument(steps: number): ProcedureDocument {
  const calls = Array.from({ length: steps }, (_, n) => ({ ...toolCall("a"), id: `step${n + 1}` }));
  const ids = ["start", ...calls.map(({ id }) => id), "done"];
  return {
    schemaVersion: 1,
    procedureId: "bench-steps",
    name: "Many steps",
    input: w1Document.input,
    nodes: [{ id: "start", kind: "start" }, ...calls, { id: "done", kind: "end" }],
    edges: ids.slice(1).map((to, index) => ({ from: ids[index] ?? "", to })),
  };
}
