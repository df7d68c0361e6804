import { createEngine, defineAction, defineIntegration, defineProcedure, masterKeyFile, z } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";

const input = z.object({ amount: z.int() });
const run = ({ amount }: z.infer<typeof input>) => ({ receipt: `Paid ${amount} cents.` });
const pay = defineAction({ description: "Pays.", input, effect: "once", run });
const document = defineProcedure({
  procedureId: "payment",
  name: "Payment",
  input,
  nodes: {
    start: { kind: "start", next: "pay" },
    pay: {
      kind: "tool_call",
      connection: "bank",
      action: "pay",
      arguments: { amount: "{{ input.amount }}" },
      next: "end",
    },
    end: { kind: "end", output: { receipt: "{{ nodes.pay.output.receipt }}" } },
  },
});
const storage = await SqliteStorage.open({ path: "procedo.sqlite" });
const bank = defineIntegration({ name: "bank", actions: { pay } });
const engine = createEngine({ storage, integrations: [bank], masterKey: await masterKeyFile("procedo.key") });
await engine.start();
await engine.procedures.publish({ document, version: "1", by: { person: "ana" } });
const request = {
  procedureId: "payment",
  environment: "sandbox",
  data: { amount: 1250 },
  by: { person: "ana" },
} as const;
const { runId } = await engine.runs.execute(request);
console.log(await engine.runs.get({ environment: "sandbox", runId }));
await Promise.all([engine.stop(), storage.close()]);
