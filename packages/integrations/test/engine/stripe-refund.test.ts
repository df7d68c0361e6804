import type { ProcedureDocument } from "@procedo/contract";
import { createEngine, systemClock, type Clock, type Engine } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { expect, onTestFinished, test, vi } from "vitest";
import { stripe } from "../../src/services/index.ts";
import { startProbeService } from "../../src/testing/probe-service.ts";
import { by, sandbox } from "./ledger-engine.ts";

const hourMs = 3_600_000;

/** The wait before the second attempt is long, so that the server goes down in between. */
const refunding: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "refund",
  name: "Refund",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    {
      ...{ id: "pay_back", kind: "tool_call", title: "Pay back", connection: "shop", action: "create_refund" },
      arguments: { payment_intent: "pi_1", amount: 1_250 },
      retry: { initialDelayMs: 60_000, maxDelayMs: 60_000 },
    },
    { id: "done", kind: "end", output: { refund: "{{ nodes.pay_back.output.id }}" } },
  ],
  edges: [
    { from: "start", to: "pay_back" },
    { from: "pay_back", to: "done" },
  ],
};

/** The system's clock, which can be set forward. */
function leapingClock(): Clock & { leap(ms: number): void } {
  let aheadMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    leap: (ms) => {
      aheadMs += ms;
    },
  };
}

/** A server whose refund was cut after it was sent, and that was down for a while before it could be sent again. */
async function downFor(awayMs: number) {
  const service = await startProbeService();
  const clock = leapingClock();
  const storage = createMemoryStorage({ now: clock.now });
  const open = async (): Promise<Engine> => {
    const engine = createEngine({
      ...{ storage, clock, masterKey: new Uint8Array(32).fill(7), egress: { allowNetworks: ["127.0.0.0/8"] } },
      integrations: [stripe({ baseUrl: service.origin })],
    });
    await engine.start();
    return engine;
  };
  const refund = { id: "re_1", object: "refund", amount: 1_250, currency: "eur", status: "succeeded" };
  const arrived = service.answer(["cut", { status: 200, body: JSON.stringify(refund) }]);

  const before = await open();
  const secrets = { secretKey: "sk_test_51QaB1cD2eF3gH4" };
  await before.connections.create({ name: "shop", integration: "stripe", ...sandbox, secrets, by });
  await before.procedures.publish({ document: refunding, version: "v1", defaultIn: ["sandbox"], by });
  const { runId } = await before.runs.start({ procedureId: "refund", ...sandbox, data: {}, by });
  const run = { ...sandbox, runId };
  const hasFailedOnce = async () => {
    const { steps } = await before.runs.get(run);
    expect(JSON.stringify(steps)).toContain("retryAtMs");
  };
  await vi.waitFor(hasFailedOnce, { timeout: 90_000 });
  await before.stop();

  clock.leap(awayMs);
  const after = await open();
  onTestFinished(async () => {
    await after.stop();
    await service.close();
  });
  const untilStatus = async (status: string) => {
    await vi.waitFor(async () => expect((await after.runs.get(run)).status).toBe(status), { timeout: 90_000 });
    return after.runs.get(run);
  };
  return { engine: after, run, arrived, untilStatus };
}

test("18: a refund that was cut is not sent again after 25 hours: a person decides, and sees that its key is forgotten", async () => {
  const { engine, run, arrived, untilStatus } = await downFor(25 * hourMs);
  await untilStatus("awaiting_review");
  expect(arrived.map(({ request }) => request)).toEqual(["POST /v1/refunds"]);
  expect(await engine.reviews.ofRun(run)).toMatchObject([
    {
      kind: "outcome_unknown",
      title: "Outcome unknown, idempotency key expired: Pay back",
      data: {
        idempotencyKeyTtlMs: 24 * hourMs,
        idempotencyKeyAge: expect.stringMatching(/^First sent 25 hours before .* 24 hours, .* made twice\.$/) as string,
      },
    },
  ]);

  await engine.reviews.decide({ ...run, approved: true, idempotencyKey: crypto.randomUUID(), by: { person: "bob" } });
  expect(await untilStatus("completed")).toMatchObject({ output: { refund: "re_1" } });
  expectRepeated(arrived);
});

test("a refund that was cut is sent again within a day, under the same key and with the same bytes", async () => {
  const { arrived, untilStatus } = await downFor(23 * hourMs);
  await untilStatus("completed");
  expectRepeated(arrived);
});

/** There were two requests, with the same key and the same bytes. */
function expectRepeated(arrived: Awaited<ReturnType<typeof downFor>>["arrived"]): void {
  const sent = arrived.map(({ headers, body }) => [headers["idempotency-key"], body]);
  const [[key] = []] = sent;
  expect(key).toMatch(/^[\w-]{32}$/);
  expect(sent).toEqual(Array.from({ length: 2 }, () => [key, "payment_intent=pi_1&amount=1250"]));
}
