import { expect, test } from "vitest";
import { alice, bob, holdDeliveries } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { createPrivateBench, declared } from "./private-bench.ts";
import { createWebhookBench } from "./webhook-bench.ts";

const reason = "It was pending in a backup that was restored, and is not sent again.";
const environment = "sandbox";

async function restored() {
  const bench = await createWebhookBench();
  const { webhookId } = await bench.subscribe("https://93.184.216.34/hook");
  holdDeliveries(bench.engine);
  await bench.publish(procedure([call("a", "once")], { procedureId: "w" }));
  const runId = await bench.run({}, { procedureId: "w" });
  const deliveries = async () => (await bench.engine.webhooks.deliveries({ environment, webhookId, limit: 9 })).items;
  return { ...bench, webhookId, runId, deliveries };
}

test("what was pending ends as failed, says why, and can be sent by hand", async () => {
  const { engine, webhookId, deliveries, addEngine, clock } = await restored();
  expect(await deliveries()).toMatchObject([{ status: "pending" }]);
  expect(await engine.markRestored({ by: alice, resendWebhooks: true })).toEqual({ deliveriesEnded: 0, callsLost: 0 });
  expect(await engine.markRestored({ by: alice })).toEqual({ deliveriesEnded: 1, callsLost: 0 });
  expect(await engine.markRestored({ by: alice })).toEqual({ deliveriesEnded: 0, callsLost: 0 });
  const [ended] = await deliveries();
  expect(ended).toMatchObject({ status: "failed", error: reason });

  const sending = await addEngine();
  await clock.advance(3_600_000);
  expect(await deliveries()).toMatchObject([{ status: "failed", error: reason }]);
  const { deliveryId = "" } = ended ?? {};
  await sending.webhooks.resend({ environment, webhookId, deliveryId, by: alice });
  expect(await deliveries()).toMatchObject([{ status: "pending" }]);
});

test("it is told in the workspace's chain, and is for those who may manage both environments", async () => {
  const { engine } = await restored();
  await engine.markRestored({ by: alice });
  const told = (await engine.audit.changes()).filter(({ action }) => action === "webhook.pending_ended");
  expect(told.map(({ by, subject, details }) => ({ by, subject, details }))).toEqual([
    { by: "alice", subject: "sandbox", details: { reason: "The database was restored from a copy." } },
    { by: "alice", subject: "live", details: { reason: "The database was restored from a copy." } },
  ]);
  for (const by of [
    { ...bob, permissions: ["run"] as const },
    { ...bob, environment: "live" as const },
  ]) {
    await expect(engine.markRestored({ by })).rejects.toMatchObject({ status: 403 });
  }
});

test("calls of private functions that may have been made since are left to a person, and others are handed out", async () => {
  const bench = await createPrivateBench();
  const client = await bench.connect([declared("pay"), declared("screen", { idempotent: true })]);
  const runId = await bench.call("pay");
  await bench.call("screen");
  expect(await bench.engine.markRestored({ by: alice })).toEqual({ deliveriesEnded: 0, callsLost: 1 });
  expect(await bench.engine.markRestored({ by: alice })).toEqual({ deliveriesEnded: 0, callsLost: 0 });
  expect(await client.poll()).toMatchObject([{ function: "screen" }]);
  await bench.clock.advance(30_000);
  expect(await bench.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);
  const told = (await bench.engine.audit.changes()).filter(({ action }) => action === "private_call.lost");
  expect(told.map(({ subject }) => subject)).toEqual(["sandbox", "live", "sandbox", "live"]);
});
