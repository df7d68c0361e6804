import type { Scope } from "@procedo/storage";
import { expect, it, onTestFinished } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { openDatabaseBefore } from "./database-before.ts";
import { firstRow } from "./run-rows.ts";

const scope: Scope = { workspace: "acme", environment: "live" };

it("has an inactive webhook of the version before subscribe again, and lets its deliveries end as skipped", async () => {
  const { url, old } = await openDatabaseBefore(7);
  await old.query(`
    INSERT INTO records (workspace, kind, id, environment, body, revision) VALUES
      ('acme', 'webhook', 'hook-1', 'live', '{"isActive":false,"name":"\\u0000","events":["run_failed","run_completed"]}', 2),
      ('acme', 'connection', 'bank', 'live', '{"events":["run_failed"]}', 1)`);

  const storage = await PostgresStorage.connect(url, { notify: false });
  onTestFinished(() => storage.close());
  const keys = ["acme/live/run_completed", "acme/live/run_failed"];
  expect(await storage.records.get({ workspace: "acme", kind: "webhook", id: "hook-1" })).toMatchObject({ keys });
  expect(await storage.records.get({ workspace: "acme", kind: "connection", id: "bank" })).toMatchObject({ keys: [] });

  const event = { eventId: "event-1", event: "run_completed", createdAtMs: 1, data: "{}" };
  expect(await storage.runs.commit([firstRow("run-1", { scope, events: [event] })])).toEqual([{ status: "committed" }]);
  const sender = { workspace: "acme", senderId: "sender-1", limit: 9, perWebhook: 9, leaseMs: 1_000 };
  const { deliveries } = await storage.deliveries.claim(sender);
  const error = "The webhook was inactive.";
  await storage.deliveries.settle(
    deliveries.map(({ deliveryId, epoch }) => ({ scope, deliveryId, epoch, error, then: { status: "skipped" } })),
  );
  expect((await storage.deliveries.list({ scope, webhookId: "hook-1", limit: 9 })).items).toMatchObject([
    { status: "skipped", attemptCount: 0, error },
  ]);
});
