import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { createWebhookHarness } from "./webhook-harness.ts";

const url = "https://93.184.216.34/hook";

describe("webhooks", () => {
  test("are listed by pages, each of its environment, without a secret", async () => {
    const harness = await createWebhookHarness();
    const created = [];
    for (let count = 0; count < 5; count++) {
      created.push(await harness.subscribe(url, { name: `hook ${count}` }));
      harness.clock.leap(1);
    }
    await harness.subscribe(url, { environment: "live" });
    const first = await harness.engine.webhooks.list({ environment: "sandbox", limit: 3 });
    const cursor = first.nextCursor ?? "";
    const second = await harness.engine.webhooks.list({ environment: "sandbox", limit: 3, cursor });
    expect([...first.items, ...second.items]).toEqual(created.map(({ secret: _secret, ...shown }) => shown));
    expect(second.nextCursor).toBeUndefined();
    expect((await harness.engine.webhooks.list({ environment: "live", limit: 3 })).items).toHaveLength(1);
  });

  test("of the other environment are treated as missing", async () => {
    const harness = await createWebhookHarness();
    const { webhookId } = await harness.subscribe(url, { environment: "live" });
    const { webhooks } = harness.engine;
    const address = { environment: "sandbox", webhookId, by: alice } as const;
    const unknown = { ...address, webhookId: "whk_0" };
    for (const at of [address, unknown]) {
      const refused = { code: "webhook_not_found", message: `There is no webhook "${at.webhookId}" in sandbox.` };
      await expect(webhooks.get(at)).rejects.toMatchObject(refused);
      await expect(webhooks.update({ ...at, name: "x" })).rejects.toMatchObject(refused);
      await expect(webhooks.rotate(at)).rejects.toMatchObject(refused);
      await expect(webhooks.test(at)).rejects.toMatchObject(refused);
      await expect(webhooks.deliveries({ ...at, limit: 9 })).rejects.toMatchObject(refused);
      await expect(webhooks.attempts({ ...at, deliveryId: "dlv_0" })).rejects.toMatchObject(refused);
      await expect(webhooks.resend({ ...at, deliveryId: "dlv_0" })).rejects.toMatchObject(refused);
      await expect(webhooks.remove(at)).rejects.toMatchObject(refused);
    }
    expect(await webhooks.get({ ...address, environment: "live" })).toMatchObject({ webhookId });
  });

  test("change in the named fields only", async () => {
    const harness = await createWebhookHarness();
    const { secret: _secret, ...webhook } = await harness.subscribe(url);
    const { webhookId, environment } = webhook;
    const { webhooks } = harness.engine;
    const update = { webhookId, environment, by: alice };
    expect(await webhooks.update({ ...update, name: "ledger" })).toEqual({ ...webhook, name: "ledger" });
    expect(await webhooks.update({ ...update, events: ["run_failed", "run_failed"] })).toEqual({
      ...webhook,
      name: "ledger",
      events: ["run_failed"],
    });
    expect(await webhooks.update(update)).toEqual(await webhooks.get(webhook));
    const changes = (await harness.engine.audit.changes()).filter(({ action }) => action === "webhook.updated");
    expect(changes.map(({ details }) => details)).toEqual([{ changed: ["name"] }, { changed: ["events"] }]);
  });

  test("keep both of two concurrent changes", async () => {
    const harness = await createWebhookHarness();
    const { secret: _secret, ...webhook } = await harness.subscribe(url);
    const { webhookId, environment } = webhook;
    const other = await harness.addEngine();
    const update = { webhookId, environment, by: alice };
    await Promise.all([
      harness.engine.webhooks.update({ ...update, name: "ledger" }),
      other.webhooks.update({ ...update, isActive: false }),
      harness.engine.webhooks.update({ ...update, events: ["run_failed"] }),
    ]);
    expect(await other.webhooks.get(webhook)).toEqual({
      ...webhook,
      name: "ledger",
      isActive: false,
      deactivatedAtMs: harness.clock.now(),
      deactivatedBecause: "Deactivated by alice.",
      events: ["run_failed"],
    });
    await harness.stop(other);
  });

  test.each([
    [{ name: "" }, "/name"],
    [{ name: "x".repeat(201) }, "/name"],
    [{ events: [] }, "/events"],
    [{ events: Array.from({ length: 101 }, (_, index) => `custom.event_${index}`) }, "/events"],
    [{ events: ["run_completed", "custom."] }, "/events/1"],
  ])("refuse %j with its pointer", async (changes, path) => {
    const harness = await createWebhookHarness();
    const refused = { code: "invalid_input", details: [{ path }] };
    await expect(harness.subscribe(url, changes)).rejects.toMatchObject(refused);
    const webhook = await harness.subscribe(url);
    const { webhookId, environment } = webhook;
    await expect(
      harness.engine.webhooks.update({ webhookId, environment, ...changes, by: alice }),
    ).rejects.toMatchObject(refused);
  });

  test("show a secret only when created or rotated, and keep it encrypted", async () => {
    const harness = await createWebhookHarness();
    const webhook = await harness.subscribe(url);
    const { secret } = await harness.engine.webhooks.rotate({ ...webhook, keepOldSecret: true, by: alice });
    expect(secret).not.toBe(webhook.secret);
    const stored = JSON.stringify([
      (await harness.storage.records.list({ workspace: "default", kind: "webhook", limit: 9 })).items,
      await harness.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 99 }),
      await harness.engine.webhooks.get(webhook),
      harness.engine.logged,
    ]);
    for (const one of [secret, webhook.secret]) expect(stored).not.toContain(one.slice("whsec_".length));
    expect((await harness.engine.audit.changes()).at(-1)).toMatchObject({
      action: "webhook.rotated",
      details: { keepOldSecret: true },
    });
  });

  test("can be changed only with the permission to manage in their environment", async () => {
    const harness = await createWebhookHarness();
    const webhook = await harness.subscribe(url);
    const { webhookId, environment } = webhook;
    const { webhooks } = harness.engine;
    for (const [by, code] of [
      [{ person: "eve", permissions: ["run", "review"] }, "permission_denied"],
      [{ person: "eve", environment: "live" }, "environment_mismatch"],
    ] as const) {
      const at = { webhookId, environment, by };
      await expect(webhooks.update({ ...at, name: "x" })).rejects.toMatchObject({ code });
      await expect(webhooks.rotate(at)).rejects.toMatchObject({ code });
      await expect(webhooks.remove(at)).rejects.toMatchObject({ code });
    }
  });
});
