import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, defineIntegration, z } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test } from "vitest";
import { alice, testKey } from "./harness.ts";
import { procedure } from "./documents.ts";

/** A ledger whose account numbers have more digits than a double. */
async function ledgerUrl(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end('{"account":9007199254740993,"rate":0.1000000000000000055,"cents":1250}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a number that a service sends keeps all its digits in the run's record", async () => {
  const url = await ledgerUrl();
  const ledger = defineIntegration({
    name: "ledger",
    actions: ({ defineAction }) => ({
      balance: defineAction({
        description: "Reads an account.",
        input: z.object({}),
        effect: "read",
        run: async (_input, { fetch }) => (await fetch(url)).json(),
      }),
    }),
  });
  const engine = createEngine({
    storage: createMemoryStorage({ now: Date.now }),
    integrations: [ledger],
    masterKey: testKey,
    egress: { allowNetworks: ["127.0.0.1"] },
  });
  onTestFinished(() => engine.stop({ drainMs: 0 }));
  await engine.start();
  const node = { id: "a", kind: "tool_call", connection: "ledger", action: "balance" } as const;
  const document = procedure([node], { output: { balance: "{{ nodes.a.output }}" } });
  await engine.procedures.publish({ document, version: "v1", by: alice });
  const start = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;
  expect(await engine.runs.execute(start)).toMatchObject({
    status: "completed",
    output: { balance: { account: "9007199254740993", rate: "0.1000000000000000055", cents: 1250 } },
  });
});
