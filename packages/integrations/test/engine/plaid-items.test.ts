import { createEngine, silentLog, systemClock } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test } from "vitest";
import { plaid } from "../../src/services/index.ts";
import { plaidProbeSecrets } from "../../src/services/plaid/plaid.probe.ts";
import { startProbeService } from "../../src/testing/probe-service.ts";
import { by, callDocument, sandbox } from "./ledger-engine.ts";

const token = plaidProbeSecrets["item:main"];

/** The run of a procedure that reads the accounts of an item, and the requests that Plaid got. */
async function accountsOf(item: string) {
  const service = await startProbeService();
  const engine = createEngine({
    storage: createMemoryStorage({ now: systemClock.now }),
    ...{ integrations: [plaid({ baseUrl: service.origin })], masterKey: new Uint8Array(32).fill(7), log: silentLog },
    egress: { allowNetworks: ["127.0.0.0/8"] },
  });
  await engine.start();
  onTestFinished(async () => {
    await engine.stop();
    await service.close();
  });
  const arrived = service.answer([{ status: 200, body: JSON.stringify({ accounts: [], echo: { token } }) }]);
  const secrets = plaidProbeSecrets;
  await engine.connections.create({ name: "ledger", integration: "plaid", ...sandbox, secrets, by });
  const document = callDocument("get_accounts", { item });
  await engine.procedures.publish({ document, version: "v1", defaultIn: ["sandbox"], by });
  const { runId } = await engine.runs.execute({ procedureId: "p", ...sandbox, data: {}, by });
  return { arrived, run: await engine.runs.get({ ...sandbox, runId }) };
}

test("an item's access token is sent, and no record of the run has it", async () => {
  const { arrived, run } = await accountsOf("main");
  expect(arrived.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ access_token: token }]);
  expect(run).toMatchObject({ status: "completed", output: { answer: { accounts: [] } } });
  expect(JSON.stringify(run)).not.toContain(token);
});

test("the name of no item fails the step, and nothing is sent", async () => {
  const { arrived, run } = await accountsOf("payroll");
  expect(arrived).toEqual([]);
  expect(JSON.stringify(run.output)).toContain("has no secret");
});
