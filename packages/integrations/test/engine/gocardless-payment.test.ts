import type { ProcedureDocument } from "@procedo/contract";
import { createEngine } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test, vi } from "vitest";
import { goCardless } from "../../src/services/index.ts";
import { startProbeService, type GivenAnswer } from "../../src/testing/probe-service.ts";
import { by, sandbox } from "./ledger-engine.ts";

const collecting: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "collect",
  name: "Collect",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    {
      ...{ id: "collect", kind: "tool_call", title: "Collect", connection: "bank", action: "create_payment" },
      arguments: { mandate: "MD1", amount: 1_250, currency: "GBP" },
      retry: { initialDelayMs: 100, maxDelayMs: 100 },
    },
    { id: "done", kind: "end", output: { payment: "{{ nodes.collect.output.id }}" } },
  ],
  edges: [
    { from: "start", to: "collect" },
    { from: "collect", to: "done" },
  ],
};

const payment = { id: "PM1", amount: 1_250, currency: "GBP", status: "pending_submission" };
const found: GivenAnswer = { status: 200, body: JSON.stringify({ payments: payment }) };
const links = { conflicting_resource_id: "PM1" };
const errors = [{ reason: "idempotent_creation_conflict", message: "exists", links }];
const conflict: GivenAnswer = { status: 409, body: JSON.stringify({ error: { message: "exists", errors } }) };

/** Collects a payment at a GoCardless that answers so. */
async function collect(answers: readonly GivenAnswer[]) {
  const service = await startProbeService();
  const arrived = service.answer(answers);
  const engine = createEngine({
    ...{ storage: createMemoryStorage({ now: Date.now }), masterKey: new Uint8Array(32).fill(7) },
    ...{ egress: { allowNetworks: ["127.0.0.0/8"] }, integrations: [goCardless({ baseUrl: service.origin })] },
  });
  await engine.start();
  onTestFinished(async () => {
    await engine.stop();
    await service.close();
  });
  const secrets = { accessToken: "sandbox_Q2hlY2tlZA" };
  await engine.connections.create({ name: "bank", integration: "gocardless", ...sandbox, secrets, by });
  await engine.procedures.publish({ document: collecting, version: "v1", defaultIn: ["sandbox"], by });
  const { runId } = await engine.runs.start({ procedureId: "collect", ...sandbox, data: {}, by });
  const run = { ...sandbox, runId };
  await vi.waitFor(async () => expect((await engine.runs.get(run)).status).not.toBe("running"), { timeout: 90_000 });
  const keys = arrived.map(({ headers }) => headers["idempotency-key"]);
  return { ended: await engine.runs.get(run), requests: arrived.map(({ request }) => request), keys };
}

test("a payment whose answer was lost is made once, and the second attempt reads it", async () => {
  const { ended, requests, keys } = await collect(["cut", conflict, found]);
  expect(ended).toMatchObject({ status: "completed", output: { payment: "PM1" } });
  expect(requests).toEqual(["POST /payments", "POST /payments", "GET /payments/PM1"]);
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{32}$/), keys[0], undefined]);
});

test("a payment that cannot be read yet is asked for again under its key, and never counts as refused", async () => {
  const { ended, requests, keys } = await collect(["cut", conflict, "cut", conflict, found]);
  expect(ended).toMatchObject({ status: "completed", output: { payment: "PM1" } });
  expect(requests.filter((request) => request.startsWith("POST"))).toHaveLength(3);
  expect(new Set(keys.filter((key) => key !== undefined)).size).toBe(1);
});

test("a payment that can never be read leaves the decision to a person", async () => {
  const gone: GivenAnswer = { status: 404, body: "{}" };
  const { ended } = await collect(["cut", conflict, gone, conflict, gone, conflict, gone, conflict, gone]);
  expect(ended).toMatchObject({ status: "awaiting_review" });
});
