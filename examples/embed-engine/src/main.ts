import { createEngine, defineAction, defineIntegration, defineProcedure, masterKeyFile, z } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";

const input = z.object({ sum: z.int() });
const run = ({ sum }: z.infer<typeof input>) => ({ id: `pay_${sum}` });
const pay = defineAction({ description: "Pays.", input, effect: "once", run });
const document = defineProcedure({
  procedureId: "payment",
  name: "Payment",
  input,
  nodes: {
    start: { kind: "start", next: "pay" },
    pay: { kind: "tool_call", connection: "bank", action: "pay", arguments: { sum: "{{ input.sum }}" }, next: "end" },
    end: { kind: "end", output: { receipt: "{{ money(input.sum, 'EUR') }}: {{ nodes.pay.output.id }}" } },
  },
});
const storage = await SqliteStorage.open({ path: "procedo.sqlite" });
const bank = defineIntegration({ name: "bank", actions: { pay } });
const engine = createEngine({ storage, integrations: [bank], masterKey: await masterKeyFile("procedo.key") });
await engine.start();
const [environment, by] = ["sandbox", { person: "ana" }] as const;
await engine.procedures.publish({ document, version: "1", by });
const { runId } = await engine.runs.execute({ procedureId: "payment", environment, data: { sum: 1250 }, by });
console.log(await engine.runs.get({ environment, runId }));
await engine.stop().then(() => storage.close());
