import { expect, test } from "vitest";
import { owner } from "./harness.ts";
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
  const url = `http://procedo.test/in/v1/${address("cards")}`;
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
