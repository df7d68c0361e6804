import { expect, test } from "vitest";
import { alice, bob, holdDeliveries } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { createPrivateHarness, declared } from "./private-harness.ts";
import { createWebhookHarness } from "./webhook-harness.ts";

const reason = "It was pending in a backup that was restored, and is not sent again.";
const environment = "sandbox";

async function restored() {
  const harness = await createWebhookHarness();
  const { webhookId } = await harness.subscribe("https://93.184.216.34/hook");
  holdDeliveries(harness.engine);
  await harness.publish(procedure([call("a", "once")], { procedureId: "w" }));
  const runId = await harness.run({}, { procedureId: "w" });
  const deliveries = async () => (await harness.engine.webhooks.deliveries({ environment, webhookId, limit: 9 })).items;
  return { ...harness, webhookId, runId, deliveries };
}

test("pending deliveries end as failed, with the reason, and can be resent manually", async () => {
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

test("the audit chain records the restore, which requires permission to manage both environments", async () => {
  const { engine } = await restored();
  await engine.markRestored({ by: alice });
  const reported = (await engine.audit.changes()).filter(({ action }) => action === "webhook.pending_ended");
  expect(reported.map(({ by, subject, details }) => ({ by, subject, details }))).toEqual([
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

test("calls of private functions that may have been made since the backup are left to a person, and others are dispatched", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect([declared("pay"), declared("screen", { idempotent: true })]);
  const runId = await harness.call("pay");
  await harness.call("screen");
  expect(await harness.engine.markRestored({ by: alice })).toEqual({ deliveriesEnded: 0, callsLost: 1 });
  expect(await harness.engine.markRestored({ by: alice })).toEqual({ deliveriesEnded: 0, callsLost: 0 });
  expect(await client.poll()).toMatchObject([{ function: "screen" }]);
  await harness.clock.advance(30_000);
  expect(await harness.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);
  const reported = (await harness.engine.audit.changes()).filter(({ action }) => action === "private_call.lost");
  expect(reported.map(({ subject }) => subject)).toEqual(["sandbox", "live", "sandbox", "live"]);
});
