/**
 * Runs one kind in a closed loop on SQLite, in a separate process, with a model that answers at once; prints an {@link
 * AgentSample}.
 */
import process from "node:process";
import { createEngine, defineAction, defineIntegration, z, type EngineOptions } from "@procedo/engine";
import { closedLoop, quantile, type Load } from "../closed-loop.ts";
import { startMeter } from "../database.ts";
import { openStorage } from "../procedo-storage.ts";
import { agentKinds } from "./agent-kinds.ts";

export interface AgentMeasurement {
  readonly kind: string;
  readonly load: Load;
  readonly directory: string;
}

export interface AgentSample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Durable transactions of the database per run. */
  readonly commitsEach: number;
  readonly cpuUsEach: number;
  /** Requests to the model per run. */
  readonly turnsEach: number;
}

type Models = NonNullable<EngineOptions["models"]>;
type Model = Extract<NonNullable<Models["arguments"]>["model"], { readonly specificationVersion: "v4" }>;
type Answer = Awaited<ReturnType<Model["doGenerate"]>>;

const asked = JSON.parse(process.argv[2] ?? "") as AgentMeasurement;
const kind = agentKinds.find(({ name }) => name === asked.kind);
if (kind === undefined) throw new Error(`There is no kind "${asked.kind}".`);
const { document, wrong } = kind;
const environment = "sandbox";
const by = { person: "alice" };
let turns = 0;

const usage: Answer["usage"] = {
  inputTokens: { total: 900, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 40, text: undefined, reasoning: undefined },
};

/** Decides only by the offered tool and by the number of its replies in this conversation. */
const model: Model = {
  specificationVersion: "v4",
  provider: "instant",
  modelId: "instant-1",
  supportedUrls: {},
  doGenerate: ({ prompt, tools = [] }) => {
    turns += 1;
    const replies = prompt.filter(({ role }) => role === "assistant").length;
    const toolName = tools[0]?.name ?? "";
    const good = toolName === "answer" ? { branch: "pay", reason: "It is due." } : { amount: 100, reference: "INV-1" };
    const input = JSON.stringify(replies < wrong ? { amount: "a hundred" } : good);
    return Promise.resolve({
      content: [{ type: "tool-call", toolCallId: `call_${replies}`, toolName, input }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings: [],
    });
  },
  doStream: () => Promise.reject(new Error("Nobody asks for a stream.")),
};

const bank = defineIntegration({
  name: "bank",
  actions: {
    pay: defineAction({
      description: "Pays a vendor.",
      effect: "once",
      input: z.object({ vendorId: z.string(), amount: z.int().min(1), reference: z.string() }),
      run: ({ amount }) => ({ paymentId: `pay_${amount}`, status: "executed" }),
    }),
  },
});

const { storage, database } = await openStorage({ directory: asked.directory });
const engine = createEngine({
  storage,
  integrations: [bank],
  masterKey: new Uint8Array(32).fill(7),
  models: { arguments: { model }, questions: { model } },
});
await engine.start();
await engine.procedures.publish({ document, version: "1", defaultIn: [environment], by });
const { procedureId } = document;
const note = "Delivery of 12 pallets, as agreed on the phone. ".repeat(8);

const meter = await startMeter(database);
const before = process.cpuUsage();
const { ended, seconds, latenciesMs, total } = await closedLoop(asked.load, async (n) => {
  const began = performance.now();
  const data = { vendorId: `ven_${n}`, amount: 100, note };
  const run = await engine.runs.execute({ procedureId, environment, data, by });
  if (run.status !== "completed") throw new Error(`Run ${n} is ${JSON.stringify(run)}.`);
  return performance.now() - began;
});
const { user, system } = process.cpuUsage(before);
const { commits = NaN } = await meter.usedBy(async () => {
  await engine.stop({ drainMs: 0 });
  await storage.close();
});
const sample: AgentSample = {
  perSecond: ended / seconds,
  p50Ms: quantile(latenciesMs, 0.5),
  p99Ms: quantile(latenciesMs, 0.99),
  commitsEach: commits / total,
  cpuUsEach: (user + system) / total,
  turnsEach: turns / total,
};
process.stdout.write(JSON.stringify(sample));
process.exit(0);
