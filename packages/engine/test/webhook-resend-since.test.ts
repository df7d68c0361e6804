import { ProcedoError } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { createWebhookHarness, hasEnded, receive } from "./webhook-harness.ts";

describe("a resend of all undelivered events since a time", () => {
  /** Failed deliveries, one per second: tests are attempted once. */
  async function failed(count: number) {
    const harness = await createWebhookHarness();
    const receiver = await receive(500);
    const webhook = await harness.subscribe(receiver.url);
    for (let made = 0; made < count; made++) {
      await harness.engine.webhooks.test({ ...webhook, by: alice });
      await harness.until(async () => (await harness.deliveries(webhook)).every(hasEnded));
      await harness.clock.advance(1_000);
    }
    await harness.clock.advance(5_000);
    receiver.answer(200);
    const statuses = async () => (await harness.deliveries(webhook)).map(({ status }) => status);
    return { harness, receiver, webhook, statuses };
  }

  test("sends each once more with its id and bytes, oldest first, but no earlier ones, and is one audit entry", async () => {
    const { harness, receiver, webhook, statuses } = await failed(5);
    const sinceMs = (await harness.deliveries(webhook))[2]?.createdAtMs ?? 0;
    const before = receiver.requests.map(({ body }) => body.toString());
    const answer = await harness.engine.webhooks.resendSince({ ...webhook, sinceMs, by: alice });
    expect(answer).toEqual({ resent: 3, nextCursor: undefined });
    await harness.until(async () => !(await statuses()).includes("pending"));
    expect(await statuses()).toEqual(["delivered", "delivered", "delivered", "failed", "failed"]);
    expect(receiver.requests.slice(5).map(({ body }) => body.toString())).toEqual(before.slice(2));
    const changes = (await harness.engine.audit.changes()).filter(
      ({ action }) => action === "webhook.deliveries_resent",
    );
    const details = { since: new Date(sinceMs).toISOString(), statuses: ["failed", "skipped"] };
    expect(changes).toMatchObject([{ by: "alice", details }]);
    expect(await harness.engine.webhooks.resendSince({ ...webhook, sinceMs, by: alice })).toMatchObject({ resent: 0 });
  });

  test("requested 20 times at once by two engines sends each once", async () => {
    const { harness, receiver, webhook, statuses } = await failed(4);
    const other = await harness.addEngine();
    const request = { ...webhook, sinceMs: 0, by: alice };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? harness.engine : other).webhooks.resendSince(request)),
    );
    expect(answers.reduce((sum, { resent }) => sum + resent, 0)).toBe(4);
    await harness.until(async () => !(await statuses()).includes("pending"));
    expect(receiver.requests).toHaveLength(8);
    await harness.stop(other);
  });

  test("restarts the schedule of each: one that fails again is retried", async () => {
    const { harness, receiver, webhook } = await failed(1);
    receiver.answer(503);
    await harness.engine.webhooks.resendSince({ ...webhook, sinceMs: 0, by: alice });
    await harness.until(() => receiver.requests.length === 2);
    receiver.answer(200);
    await harness.clock.advance(6_000);
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 3 });
  });

  test("reads a bounded number at a time and returns where to continue", async () => {
    const { harness, webhook } = await failed(1);
    let pages = 0;
    harness.engine.way.on("deliveries.resendUndelivered", async () => {
      pages += 1;
      return { status: "resent", deliveries: 0, nextCursor: `page-${pages}` };
    });
    const request = { ...webhook, sinceMs: 0, by: alice };
    expect(await harness.engine.webhooks.resendSince(request)).toEqual({ resent: 0, nextCursor: "page-10" });
    expect(pages).toBe(10);
  });

  test.each([
    ["before a page is stored", true, 0],
    ["after a page is stored", false, 2],
  ])(
    "by a process that dies %s is completed by a repeated request, and sends nothing twice",
    async (_when, before, first) => {
      const { harness, receiver, webhook, statuses } = await failed(3);
      const ids = receiver.requests.map(({ id }) => id);
      const request = { ...webhook, sinceMs: 0, by: alice };
      // Pages of two. The first page is stored or not.
      harness.engine.way.on("deliveries.resendUndelivered", async (_work, asked) => {
        const { resendUndelivered } = harness.storage.deliveries;
        const page = { ...(asked as Parameters<typeof resendUndelivered>[0]), limit: 2 };
        if (!before) await resendUndelivered(page);
        harness.engine.way.cut();
        throw new ProcedoError("storage_unavailable", "The process is gone.");
      });
      await expect(harness.engine.webhooks.resendSince(request)).rejects.toMatchObject({ code: "storage_unavailable" });
      const other = await harness.addEngine();
      expect(await other.webhooks.resendSince(request)).toEqual({ resent: 3 - first, nextCursor: undefined });
      await harness.until(() => receiver.requests.length === 6);
      harness.engine.way.mend();
      await harness.until(async () => !(await statuses()).includes("pending"));
      expect(await statuses()).toEqual(["delivered", "delivered", "delivered"]);
      expect(receiver.requests.map(({ id }) => id)).toEqual([...ids, ...ids]);
      const changes = (await other.audit.changes()).filter(({ action }) => action === "webhook.deliveries_resent");
      expect(changes).toHaveLength(before ? 1 : 2);
      await harness.stop(other);
    },
  );

  test("requires the permission, and a webhook", async () => {
    const { harness, webhook } = await failed(0);
    const { resendSince } = harness.engine.webhooks;
    const viewer = { person: "vera", permissions: [] };
    await expect(resendSince({ ...webhook, sinceMs: 0, by: viewer })).rejects.toMatchObject({
      code: "permission_denied",
    });
    const elsewhere = { ...webhook, environment: "live", sinceMs: 0, by: alice } as const;
    await expect(resendSince(elsewhere)).rejects.toMatchObject({ code: "webhook_not_found" });
  });
});
