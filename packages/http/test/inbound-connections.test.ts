import { createHmac } from "node:crypto";
import { defineIntegration, isSignature, z } from "@procedo/engine";
import { expect, test } from "vitest";
import { createHarness, origin, owner } from "./harness.ts";
import { createReceiver, payment } from "./inbound-receiver.ts";
import { cardsSignature, signingSecret } from "./signed-services.ts";

test("a connection shows its address, its last request and its refused ones; it keeps the address over changes", async () => {
  const { harness, post, seconds, address } = await createReceiver();
  const body = payment("evt_1");
  await post("cards", body, { "Cards-Signature": cardsSignature(body, seconds()) });
  await post("cards", body, {});
  const { items } = await harness.engine.connections.list({ environment: "live", limit: 100 });
  const { connectionId = "" } = items.find(({ name }) => name === "cards") ?? {};
  const key = await harness.key(["manage"], "live");
  const shown = await harness.ask(`GET /api/v1/connections/${connectionId}`, { key });
  const url = `${origin}/in/v1/${address("cards")}`;
  expect(shown.body["inbound"]).toEqual({
    url,
    events: ["payment.succeeded"],
    lastReceivedAt: expect.any(String) as string,
    refusedLast24h: 1,
  });
  const changed = await harness.ask(`PATCH /api/v1/connections/${connectionId}`, {
    key,
    body: { secrets: { signingSecret: "another-secret" } },
  });
  expect(changed.body["inbound"]).toMatchObject({ url });
  // The new secret counts at once.
  expect((await post("cards", body, { "Cards-Signature": cardsSignature(body, seconds()) })).status).toBe(401);
  expect(shown.text + changed.text).not.toContain(signingSecret);
});

test("with a second secret that its integration accepts, a connection's secret is replaced without a refused request", async () => {
  const twoSecrets = defineIntegration({
    name: "two_secrets",
    secrets: z.object({ signingSecret: z.string(), otherSigningSecret: z.string().optional() }),
    actions: {},
    inbound: {
      events: [{ type: "any", title: "Any event", sample: {} }],
      verify: ({ header, body, secrets }) => {
        const [signature = ""] = header("X-Signature");
        const valid = [secrets.signingSecret, secrets.otherSigningSecret].filter((secret) => secret !== undefined);
        return valid.map((secret) => isSignature(signature, [body], { secret })).includes(true);
      },
      parse: () => [],
    },
  });
  const harness = await createHarness({ started: false, integrations: [twoSecrets] });
  const { connectionId, inbound } = await harness.engine.connections.create({
    name: "two",
    integration: "two_secrets",
    environment: "live",
    secrets: { signingSecret: "the-first" },
    by: owner,
  });
  const statuses = () =>
    Promise.all(
      ["the-first", "the-second"].map(async (secret) => {
        const headers = { "X-Signature": createHmac("sha256", secret).update("{}").digest("hex") };
        const request = { method: "POST", body: "{}", headers };
        const target = `http://procedo.test/in/v1/${inbound?.address ?? ""}`;
        return (await harness.http.fetch(new Request(target, request))).status;
      }),
    );
  const change = (secrets: Readonly<Record<string, string | null>>) =>
    harness.engine.connections.update({ environment: "live", connectionId, secrets, by: owner });
  expect(await statuses()).toEqual([200, 401]);
  await change({ otherSigningSecret: "the-second" });
  expect(await statuses()).toEqual([200, 200]);
  await change({ signingSecret: "the-second", otherSigningSecret: null });
  expect(await statuses()).toEqual([401, 200]);
});

test("a removed connection's address does not exist any more", async () => {
  const { harness, post, seconds } = await createReceiver();
  const { items } = await harness.engine.connections.list({ environment: "live", limit: 100 });
  const { connectionId = "" } = items.find(({ name }) => name === "cards") ?? {};
  const body = payment("evt_1");
  const headers = { "Cards-Signature": cardsSignature(body, seconds()) };
  expect((await post("cards", body, headers)).status).toBe(200);
  await harness.engine.connections.remove({ environment: "live", connectionId, force: true, by: owner });
  expect((await post("cards", body, headers)).status).toBe(404);
});
