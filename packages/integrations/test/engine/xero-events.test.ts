import type { JsonObject } from "@procedo/contract";
import { createEngine, silentLog, systemClock } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test, vi } from "vitest";
import { xero } from "../../src/services/index.ts";
import { deliveryOf, signedByXero, xeroConnection } from "../../src/services/xero/xero.probe.ts";
import { by, sandbox } from "./ledger-engine.ts";

const { settings, secrets } = xeroConnection;

/** An engine with a connection to Xero, and a procedure that a changed invoice starts. */
async function books() {
  const engine = createEngine({
    storage: createMemoryStorage({ now: systemClock.now }),
    ...{ integrations: [xero({ identityUrl: "http://127.0.0.1:8443" })], masterKey: new Uint8Array(32).fill(7) },
    ...{ egress: { allowNetworks: ["127.0.0.0/8"] }, log: silentLog },
  });
  await engine.start();
  onTestFinished(() => engine.stop());
  const { inbound } = await engine.connections.create({
    ...{ name: "books", integration: "xero", ...sandbox, settings, secrets, by },
  });
  const document = {
    ...{ schemaVersion: 1, procedureId: "bill", name: "Bill", input: { type: "object" } },
    nodes: [
      { id: "start", kind: "start" },
      { id: "done", kind: "end", output: { invoice: "{{ input.invoice }}" } },
    ],
    edges: [{ from: "start", to: "done" }],
  } as const;
  await engine.procedures.publish({ document, version: "v1", defaultIn: ["sandbox"], by });
  await engine.triggers.create({
    ...{ name: "bills", procedureId: "bill", ...sandbox, by, input: { invoice: "{{ event.resourceId }}" } },
    source: { kind: "integration", connection: "books", events: ["INVOICE.UPDATE"] },
  });
  const deliver = (body: string, signature = signedByXero(body, secrets.webhookKey)) => {
    const headers = new Map([["x-xero-signature", [signature]]]);
    return engine.inbound.receive({
      ...{ address: inbound?.address ?? "", headers, body: new TextEncoder().encode(body) },
    });
  };
  const started = (): Promise<readonly unknown[]> =>
    vi.waitFor(
      async () => {
        const { items } = await engine.runs.list({ ...sandbox, limit: 50 });
        expect(items.map(({ status }) => status)).toEqual(["completed"]);
        const runs = await Promise.all(items.map(({ runId }) => engine.runs.get({ ...sandbox, runId })));
        return runs.map(({ output }) => (output as JsonObject)["invoice"]);
      },
      { timeout: 90_000 },
    );
  return { deliver, started };
}

const [invoice] = (xero().inbound?.events ?? []).filter(({ type }) => type === "INVOICE.UPDATE");
const changed = (more: JsonObject): JsonObject => {
  return { ...(invoice?.sample as JsonObject), eventDateUtc: new Date().toISOString().replace("Z", ""), ...more };
};

test("a delivery with an event twice and with events of other organisations starts one run", async () => {
  const { deliver, started } = await books();
  const own = changed({ resourceId: "a03ffcd2-5d91-4c7e-b483-318584e9e439" });
  const others = ["1", "2"].map((tenantId) => changed({ tenantId, resourceId: `of ${tenantId}` }));
  const body = deliveryOf(own, ...others, own);
  expect(await deliver(body)).toEqual({ status: 200 });
  // Xero delivers again what it has no answer to.
  expect(await deliver(body)).toEqual({ status: 200 });
  expect(await started()).toEqual(["a03ffcd2-5d91-4c7e-b483-318584e9e439"]);
});

test("the check of an address is answered without a body: 200 for its signature, and 401 for another", async () => {
  const { deliver } = await books();
  const body = deliveryOf();
  expect(await deliver(body)).toEqual({ status: 200 });
  expect(await deliver(body, signedByXero(body, "another key"))).toEqual({ status: 401, unproven: "wrong_signature" });
});
