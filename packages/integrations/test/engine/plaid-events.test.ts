import type { JsonObject } from "@procedo/contract";
import { createEngine, silentLog, systemClock } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test, vi } from "vitest";
import { plaid } from "../../src/services/index.ts";
import { plaidKey, plaidProbeSecrets, plaidSignature } from "../../src/services/plaid/plaid.probe.ts";
import { startProbeService } from "../../src/testing/probe-service.ts";
import { by, sandbox } from "./ledger-engine.ts";

const found = { status: 200, body: JSON.stringify({ key: plaidKey, request_id: "req_1" }) };

/** An engine with a connection to Plaid, whose webhooks about transactions start a procedure. */
async function bank() {
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
  const secrets = plaidProbeSecrets;
  const { inbound } = await engine.connections.create({ name: "bank", integration: "plaid", ...sandbox, secrets, by });
  const document = {
    ...{ schemaVersion: 1, procedureId: "sync", name: "Sync", input: { type: "object" } },
    nodes: [
      { id: "start", kind: "start" },
      { id: "done", kind: "end", output: { item: "{{ input.item }}" } },
    ],
    edges: [{ from: "start", to: "done" }],
  } as const;
  await engine.procedures.publish({ document, version: "v1", defaultIn: ["sandbox"], by });
  await engine.triggers.create({
    ...{ name: "transactions", procedureId: "sync", ...sandbox, by, input: { item: "{{ event.item_id }}" } },
    source: { kind: "integration", connection: "bank", events: ["TRANSACTIONS.SYNC_UPDATES_AVAILABLE"] },
  });
  const deliver = (body: string, signature = plaidSignature(body, Date.now())) =>
    engine.inbound.receive({
      address: inbound?.address ?? "",
      headers: new Map([["plaid-verification", [signature]]]),
      body: new TextEncoder().encode(body),
    });
  const started = (count = 1) =>
    vi.waitFor(
      async () => {
        const { items } = await engine.runs.list({ ...sandbox, limit: 50 });
        expect(items.map(({ status }) => status)).toEqual(Array(count).fill("completed"));
        const runs = await Promise.all(items.map(({ runId }) => engine.runs.get({ ...sandbox, runId })));
        return runs.map(({ output }) => (output as JsonObject)["item"]);
      },
      { timeout: 90_000 },
    );
  return { engine, service, deliver, started };
}

const webhook = JSON.stringify({
  ...{ webhook_type: "TRANSACTIONS", webhook_code: "SYNC_UPDATES_AVAILABLE", item_id: "it_1" },
  ...{ initial_update_complete: true, historical_update_complete: false, environment: "sandbox" },
});

test("the same request again starts one run, the same text at another time a second one, and the key is asked for once", async () => {
  const { engine, service, deliver, started } = await bank();
  const arrived = service.answer([found]);
  const signature = plaidSignature(webhook, Date.now());
  expect(await deliver(webhook, signature)).toEqual({ status: 200 });
  // Any change makes the engine forget whom the addresses belong to.
  const secrets = plaidProbeSecrets;
  await engine.connections.create({ name: "other", integration: "plaid", ...sandbox, secrets, by });
  expect(await deliver(webhook, signature)).toEqual({ status: 200 });
  expect(await started()).toEqual(["it_1"]);
  expect(await deliver(webhook, plaidSignature(webhook, Date.now() - 60_000))).toEqual({ status: 200 });
  expect(await started(2)).toEqual(["it_1", "it_1"]);
  expect(arrived.map(({ request }) => request)).toEqual(["POST /webhook_verification_key/get"]);
});

const refusedId = {
  error_type: "INVALID_INPUT",
  error_code: "INVALID_WEBHOOK_VERIFICATION_KEY_ID",
  error_message: "not found",
};
const refusedClient = { error_type: "INVALID_INPUT", error_code: "INVALID_API_KEYS", error_message: "invalid" };
const expired = { key: { ...plaidKey, expired_at: 1_796_000_000 }, request_id: "req_1" };

test.each([
  ["that Plaid does not know", { status: 400, body: JSON.stringify(refusedId) }],
  ["that has expired", { status: 200, body: JSON.stringify(expired) }],
])("a webhook signed with a key %s is refused", async (_which, answer) => {
  const { service, deliver } = await bank();
  service.answer([answer]);
  const refused = { status: 401, unproven: "wrong_signature" };
  expect(await deliver(webhook)).toEqual(refused);
  expect(await deliver(webhook)).toEqual(refused);
});

test.each([
  ["Plaid fails", { status: 500, body: "{}" }],
  ["Plaid refuses the credentials", { status: 400, body: JSON.stringify(refusedClient) }],
])("while %s, a webhook is asked for again, and then starts its run", async (_which, answer) => {
  const { service, deliver, started } = await bank();
  service.answer([answer, found]);
  expect(await deliver(webhook)).toEqual({ status: 503, unproven: "wrong_signature" });
  expect(await deliver(webhook)).toEqual({ status: 200 });
  expect(await started()).toEqual(["it_1"]);
});

test("a token of another form, or of another algorithm, asks Plaid for nothing", async () => {
  const { service, deliver } = await bank();
  const arrived = service.answer([]);
  const nowMs = Date.now();
  const ids = { kid: "../../item/get" };
  for (const signature of [
    ...["", "a.b.c", "a.b", plaidSignature(webhook, nowMs).replace(/^[^.]+/, "e30")],
    ...[ids, { alg: "none" }, { alg: "HS256" }].map((header) => plaidSignature(webhook, nowMs, { header })),
  ]) {
    expect(await deliver(webhook, signature)).toEqual({ status: 401, unproven: "wrong_signature" });
  }
  expect(arrived).toEqual([]);
});
