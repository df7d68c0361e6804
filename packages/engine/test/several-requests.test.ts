import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine, defineIntegration, z, type GuardedFetch } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test } from "vitest";
import { alice, testKey } from "./harness.ts";
import { procedure } from "./documents.ts";

/** A bank that counts its requests, and an address without a listener. */
async function bankAndNobody() {
  const methods: string[] = [];
  const bank = createServer((request, response) => {
    methods.push(request.method ?? "");
    response.end("{}");
  });
  const nobody = createServer();
  const open = async (server: typeof bank): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const close = (server: typeof bank) => new Promise<void>((resolve) => server.close(() => resolve()));
  const [bankUrl, nobodyUrl] = [await open(bank), await open(nobody)];
  await close(nobody);
  onTestFinished(() => close(bank));
  return { methods, bankUrl, nobodyUrl };
}

async function execute(run: (fetch: GuardedFetch) => Promise<unknown>) {
  const steps = defineIntegration({
    name: "bank",
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Makes two requests.",
        input: z.object({}),
        effect: "once",
        run: (_input, { fetch }) => run(fetch),
      }),
    }),
  });
  const engine = createEngine({
    storage: createMemoryStorage({ now: Date.now }),
    integrations: [steps],
    masterKey: testKey,
    egress: { allowNetworks: ["127.0.0.1"] },
  });
  onTestFinished(() => engine.stop({ drainMs: 0 }));
  await engine.start();
  const retry = { maxAttempts: 3, initialDelayMs: 1 };
  const node = { id: "a", kind: "tool_call", connection: "bank", action: "pay", retry } as const;
  await engine.procedures.publish({ document: procedure([node]), version: "v1", by: alice });
  return engine.runs.execute({ procedureId: "p", environment: "sandbox", data: {}, by: alice });
}

test("a once action that has paid and then finds the service unreachable opens a review, and does not pay again", async () => {
  const { methods, bankUrl, nobodyUrl } = await bankAndNobody();
  const outcome = await execute(async (fetch) => {
    await fetch(bankUrl, { method: "POST" });
    return (await fetch(nobodyUrl, { method: "POST" })).json();
  });
  expect(outcome.status).toBe("awaiting_review");
  expect(methods).toEqual(["POST"]);
});

test("a once action that has only read before it finds the service unreachable is retried, and then has failed", async () => {
  const { methods, bankUrl, nobodyUrl } = await bankAndNobody();
  const outcome = await execute(async (fetch) => {
    await fetch(bankUrl);
    return (await fetch(nobodyUrl, { method: "POST" })).json();
  });
  expect(outcome.status).toBe("failed");
  expect(methods).toEqual(["GET", "GET", "GET"]);
});
