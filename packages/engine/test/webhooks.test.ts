import { describe, expect, test } from "vitest";
import { alice } from "./bench.ts";
import { createWebhookBench } from "./webhook-bench.ts";

const url = "https://93.184.216.34/hook";

describe("webhooks", () => {
  test("are listed by pages, each of its environment, without a secret", async () => {
    const bench = await createWebhookBench();
    const created = [];
    for (let count = 0; count < 5; count++) {
      created.push(await bench.subscribe(url, { name: `hook ${count}` }));
      bench.clock.leap(1);
    }
    await bench.subscribe(url, { environment: "live" });
    const first = await bench.engine.webhooks.list({ environment: "sandbox", limit: 3 });
    const cursor = first.nextCursor ?? "";
    const second = await bench.engine.webhooks.list({ environment: "sandbox", limit: 3, cursor });
    expect([...first.items, ...second.items]).toEqual(created.map(({ secret: _secret, ...shown }) => shown));
    expect(second.nextCursor).toBeUndefined();
    expect((await bench.engine.webhooks.list({ environment: "live", limit: 3 })).items).toHaveLength(1);
  });

  test("one of the other environment is as one that never was", async () => {
    const bench = await createWebhookBench();
    const { webhookId } = await bench.subscribe(url, { environment: "live" });
    const { webhooks } = bench.engine;
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

  test("take a change of what it names, and of nothing else", async () => {
    const bench = await createWebhookBench();
    const { secret: _secret, ...webhook } = await bench.subscribe(url);
    const { webhookId, environment } = webhook;
    const { webhooks } = bench.engine;
    const update = { webhookId, environment, by: alice };
    expect(await webhooks.update({ ...update, name: "ledger" })).toEqual({ ...webhook, name: "ledger" });
    expect(await webhooks.update({ ...update, events: ["run_failed", "run_failed"] })).toEqual({
      ...webhook,
      name: "ledger",
      events: ["run_failed"],
    });
    expect(await webhooks.update(update)).toEqual(await webhooks.get(webhook));
    const changes = (await bench.engine.audit.changes()).filter(({ action }) => action === "webhook.updated");
    expect(changes.map(({ details }) => details)).toEqual([{ changed: ["name"] }, { changed: ["events"] }]);
  });

  test("keep both of two changes that are made at the same time", async () => {
    const bench = await createWebhookBench();
    const { secret: _secret, ...webhook } = await bench.subscribe(url);
    const { webhookId, environment } = webhook;
    const other = await bench.addEngine();
    const update = { webhookId, environment, by: alice };
    await Promise.all([
      bench.engine.webhooks.update({ ...update, name: "ledger" }),
      other.webhooks.update({ ...update, isActive: false }),
      bench.engine.webhooks.update({ ...update, events: ["run_failed"] }),
    ]);
    expect(await other.webhooks.get(webhook)).toEqual({
      ...webhook,
      name: "ledger",
      isActive: false,
      deactivatedAtMs: bench.clock.now(),
      deactivatedBecause: "Deactivated by alice.",
      events: ["run_failed"],
    });
    await bench.stop(other);
  });

  test.each([
    [{ name: "" }, "/name"],
    [{ name: "x".repeat(201) }, "/name"],
    [{ events: [] }, "/events"],
    [{ events: Array.from({ length: 101 }, (_, index) => `custom.event_${index}`) }, "/events"],
    [{ events: ["run_completed", "custom."] }, "/events/1"],
  ])("refuse %j with its pointer", async (changes, path) => {
    const bench = await createWebhookBench();
    const refused = { code: "invalid_input", details: [{ path }] };
    await expect(bench.subscribe(url, changes)).rejects.toMatchObject(refused);
    const webhook = await bench.subscribe(url);
    const { webhookId, environment } = webhook;
    await expect(bench.engine.webhooks.update({ webhookId, environment, ...changes, by: alice })).rejects.toMatchObject(
      refused,
    );
  });

  test("show a secret in the answers of creation and rotation only, and keep it encrypted", async () => {
    const bench = await createWebhookBench();
    const webhook = await bench.subscribe(url);
    const { secret } = await bench.engine.webhooks.rotate({ ...webhook, keepOldSecret: true, by: alice });
    expect(secret).not.toBe(webhook.secret);
    const stored = JSON.stringify([
      (await bench.storage.records.list({ workspace: "default", kind: "webhook", limit: 9 })).items,
      await bench.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 99 }),
      await bench.engine.webhooks.get(webhook),
      bench.engine.logged,
    ]);
    for (const one of [secret, webhook.secret]) expect(stored).not.toContain(one.slice("whsec_".length));
    expect((await bench.engine.audit.changes()).at(-1)).toMatchObject({
      action: "webhook.rotated",
      details: { keepOldSecret: true },
    });
  });

  test("change only for who may manage in their environment", async () => {
    const bench = await createWebhookBench();
    const webhook = await bench.subscribe(url);
    const { webhookId, environment } = webhook;
    const { webhooks } = bench.engine;
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
