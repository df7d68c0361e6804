/** A process with the real engine, whose runs make one payment each. Its setup is the JSON of its first argument. */
import process from "node:process";
import { createEngine, defineIntegration, z, type Log } from "@procedo/engine";
import { PostgresStorage } from "@procedo/storage-postgres";
import { SqliteStorage } from "@procedo/storage-sqlite";
import type { PayingAnswer, PayingRequest, PayingSetup } from "./paying-member.ts";

const setup = JSON.parse(process.argv[2] ?? "null") as PayingSetup;
const environment = "sandbox";
const by = { person: "operator" };

const bank = defineIntegration({
  name: "bank",
  actions: ({ defineAction }) => ({
    pay: defineAction({
      description: "Pays.",
      effect: "once",
      timeoutMs: setup.timeoutMs,
      input: z.object({}),
      output: z.object({ receipt: z.string() }),
      run: async (_input, { fetch, idempotencyKey }) => {
        const headers = { "idempotency-key": idempotencyKey };
        const response = await fetch(`${setup.bankUrl}/payments`, { method: "POST", headers });
        return (await response.json()) as { receipt: string };
      },
    }),
  }),
});
const silent = (): void => {};
const log: Log = { info: silent, warn: silent, error: silent };
const storage =
  setup.databaseUrl === undefined
    ? await SqliteStorage.open({ path: setup.databasePath })
    : await PostgresStorage.connect(setup.databaseUrl);
const engine = createEngine({
  storage,
  integrations: [bank],
  masterKey: new Uint8Array(32).fill(7),
  egress: { allowNetworks: ["127.0.0.0/8"] },
  worker: { leaseMs: setup.leaseMs, pollMs: 250 },
  log,
});
if (setup.prepares) {
  const document = {
    schemaVersion: 1,
    procedureId: "payment",
    name: "Payment",
    input: { type: "object" },
    nodes: [
      { id: "start", kind: "start" },
      { id: "pay", kind: "tool_call", connection: "bank", action: "pay", arguments: {} },
      { id: "done", kind: "end", output: { receipt: "{{ nodes.pay.output.receipt }}" } },
    ],
    edges: [
      { from: "start", to: "pay" },
      { from: "pay", to: "done" },
    ],
  } as const;
  await engine.procedures.publish({ document, version: "1", defaultIn: [environment], by });
}
await engine.start();

const runIds: string[] = [];

async function answer(request: PayingRequest): Promise<PayingAnswer> {
  switch (request.do) {
    case "start":
      for (let run = 0; run < request.runs; run++) {
        const started = await engine.runs.start({ procedureId: "payment", environment, data: {}, by });
        runIds.push(started.runId);
      }
      return { runIds };
    case "block": {
      const endsAtMs = performance.now() + request.ms;
      while (performance.now() < endsAtMs);
      return {};
    }
    case "stop":
      await engine.stop();
      await storage.close();
      return {};
    case "look": {
      const ended: string[] = [];
      const asked: string[] = [];
      for (const runId of request.runIds) {
        const { status } = await engine.runs.get({ environment, runId });
        if (status === "completed" || status === "failed") ended.push(runId);
        if ((await engine.reviews.ofRun({ environment, runId })).length > 0) asked.push(runId);
      }
      return { ended, asked };
    }
  }
}

process.on("message", (message) => {
  const request = message as PayingRequest;
  answer(request).then(
    (value) => process.send?.({ id: request.id, value }),
    (error: unknown) => process.send?.({ id: request.id, failed: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ id: 0, value: {} });
