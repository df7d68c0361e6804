/**
 * Procedo as a sender of webhooks, in this fresh process: reads a {@link SenderOrder} as JSON from its first argument.
 * Runs end and leave their deliveries in storage, which the engine cannot claim until the parent sends `send`.
 */
import process from "node:process";
import { performance } from "node:perf_hooks";
import type { ProcedureDocument } from "@procedo/contract";
import { createEngine } from "@procedo/engine";
import type { DeliveryStore } from "@procedo/storage";
import { committedTransactions } from "../database.ts";
import { paymentInput } from "../payment.ts";
import { w1Document } from "../procedo-documents.ts";
import { openStorage } from "../procedo-storage.ts";
import { answerParent } from "./child-process.ts";
import { LOOPBACK } from "./loopback.ts";
import type { ReceiverPorts } from "./receivers-child.ts";
import { samplingAnswers } from "./sampling-answers.ts";

/** The parent's request. */
export interface SenderOrder {
  readonly directory: string;
  readonly databaseUrl?: string;
  readonly ports: ReceiverPorts;
  /** The first deliveries, to responsive receivers, which run code that is not compiled yet. */
  readonly warmDeliveries: number;
  /** The measured deliveries after them. All exist before the first is sent. */
  readonly deliveries: number;
}

/** The answer to `send`, once every delivery to a responsive receiver is durably delivered. */
export interface SenderFigures {
  /** All deliveries that were delivered. */
  readonly total: number;
  /** The measured ones. */
  readonly perSecond: number;
  readonly cpuUsEach: number;
  /** For a file only. */
  readonly commitsEach?: number;
  readonly peakRssMb: number;
}

const RUNS_AT_ONCE = 100;
const by = { person: "alice" };
const environment = "sandbox";

/** A run that ends at once and returns its input. */
const eventDocument: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "bench-event",
  name: "Event",
  input: w1Document.input,
  nodes: [
    { id: "start", kind: "start" },
    { id: "done", kind: "end", output: { request: "{{ input }}" } },
  ],
  edges: [{ from: "start", to: "done" }],
};

const order = JSON.parse(process.argv[2] ?? "null") as SenderOrder;
const { storage, database } = await openStorage(order);
/** For a file, whose count is always current; Postgres gets the counts of its sessions when they end. */
const file = database.kind === "sqlite" ? database.file : undefined;
const gate = gatedDeliveries(storage.deliveries);
const engine = createEngine({
  storage: {
    runs: storage.runs,
    inbox: storage.inbox,
    reviews: storage.reviews,
    invocations: storage.invocations,
    budgets: storage.budgets,
    workers: storage.workers,
    triggers: storage.triggers,
    procedures: storage.procedures,
    records: storage.records,
    sessions: storage.sessions,
    audit: storage.audit,
    retention: storage.retention,
    deliveries: gate.deliveries,
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  },
  integrations: [],
  masterKey: new Uint8Array(32).fill(7),
  egress: { allowNetworks: [`${LOOPBACK}/32`] },
  log: { info: () => {}, warn: console.warn, error: console.error },
});
await engine.start();
await engine.procedures.publish({ document: eventDocument, version: "v1", defaultIn: [environment], by });
for (const port of [...order.ports.answering, ...order.ports.hanging]) {
  await engine.webhooks.create({ url: `http://${LOOPBACK}:${port}/hook`, events: ["run_completed"], environment, by });
}
let started = 0;
const runOne = async (): Promise<void> => {
  const data = { ...paymentInput(started++) };
  await engine.runs.execute({ procedureId: eventDocument.procedureId, environment, data, by });
};
/** The last one opens the gate. */
const runs = Math.ceil((order.warmDeliveries + order.deliveries) / order.ports.answering.length) - 1;
const runMany = async (): Promise<void> => {
  while (started < runs) await runOne();
};
await Promise.all(Array.from({ length: RUNS_AT_ONCE }, runMany));

answerParent(
  null,
  {
    ...samplingAnswers(),
    send: async (): Promise<SenderFigures> => {
      const total = (runs + 1) * order.ports.answering.length;
      const warmed = gate.delivered(order.warmDeliveries);
      const ended = gate.delivered(total);
      gate.open();
      // Wakes the sender, as every event does.
      await runOne();
      const begin = await warmed;
      const commitsBefore = file === undefined ? 0 : await committedTransactions(file);
      const end = await ended;
      const commits = file === undefined ? undefined : (await committedTransactions(file)) - commitsBefore;
      const deliveries = end.count - begin.count;
      return {
        total: end.count,
        perSecond: deliveries / ((end.atMs - begin.atMs) / 1000),
        cpuUsEach: (end.cpuUs - begin.cpuUs) / deliveries,
        ...(commits !== undefined && { commitsEach: commits / deliveries }),
        peakRssMb: process.resourceUsage().maxRSS / 1024,
      };
    },
  },
  async () => {
    await engine.stop({ drainMs: 0 });
    await storage.close();
  },
);

interface Progress {
  readonly count: number;
  readonly atMs: number;
  /** Processor time of this process so far. */
  readonly cpuUs: number;
}

/** The delivery queue behind a gate, and a count of durable deliveries. */
function gatedDeliveries(deliveries: DeliveryStore) {
  let isOpen = false;
  let count = 0;
  const awaited: { readonly least: number; readonly resolve: (progress: Progress) => void }[] = [];
  const gated: DeliveryStore = {
    claim: async (request) => (isOpen ? deliveries.claim(request) : { deliveries: [], nextDueAtMs: undefined }),
    settle: async (items) => {
      const results = await deliveries.settle(items);
      count += items.filter(
        ({ next }, index) => next.status === "delivered" && results[index]?.status === "settled",
      ).length;
      while (awaited[0] !== undefined && count >= awaited[0].least) {
        const { user, system } = process.cpuUsage();
        awaited.shift()?.resolve({ count, atMs: performance.now(), cpuUs: user + system });
      }
      return results;
    },
    get: (request) => deliveries.get(request),
    post: (request) => deliveries.post(request),
    resend: (request) => deliveries.resend(request),
    resendUndelivered: (request) => deliveries.resendUndelivered(request),
    endPending: (request) => deliveries.endPending(request),
    list: (request) => deliveries.list(request),
    attempts: (request) => deliveries.attempts(request),
    failing: (request) => deliveries.failing(request),
  };
  return {
    deliveries: gated,
    open: () => {
      isOpen = true;
    },
    /** Resolves when this many are delivered; requested in growing order. */
    delivered: (least: number) => new Promise<Progress>((resolve) => awaited.push({ least, resolve })),
  };
}
