import { expect, test } from "vitest";
import { alice, bob, holdDeliveries } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { createWebhookBench } from "./webhook-bench.ts";

const reason = "It was pending in a backup that was restored.";
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
  expect(await engine.webhooks.endPending({ by: alice, reason })).toBe(1);
  expect(await engine.webhooks.endPending({ by: alice, reason })).toBe(0);
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
  await engine.webhooks.endPending({ by: alice, reason });
  const told = (await engine.audit.changes()).filter(({ action }) => action === "webhook.pending_ended");
  expect(told.map(({ by, subject, details }) => ({ by, subject, details }))).toEqual([
    { by: "alice", subject: "sandbox", details: { reason } },
    { by: "alice", subject: "live", details: { reason } },
  ]);
  for (const by of [
    { ...bob, permissions: ["run"] as const },
    { ...bob, environment: "live" as const },
  ]) {
    await expect(engine.webhooks.endPending({ by, reason })).rejects.toMatchObject({ status: 403 });
  }
});
