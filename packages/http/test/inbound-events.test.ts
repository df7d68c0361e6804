import { hash } from "node:crypto";
import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createReceiver, expectEmpty, payment } from "./inbound-receiver.ts";
import { booksSignature, cardsSignature, chatHeaders, debitsHeaders } from "./signed-services.ts";

test("case 21: an event 50 times at once and 34 days later is one firing; 36 days later it is too old", async () => {
  const { post, seconds, later, firings } = await createReceiver();
  const body = payment("evt_1");
  const again = () => post("cards", body, { "Cards-Signature": cardsSignature(body, seconds()) });
  const answers = await Promise.all(Array.from({ length: 50 }, again));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  later(34 * 86_400_000);
  expect((await again()).status).toBe(200);
  expect(await firings("cards")).toMatchObject([{ status: "pending", duplicates: 50 }]);
  later(2 * 86_400_000);
  expect((await again()).status).toBe(200);
  const [newest, ...older] = await firings("cards");
  expect(newest).toMatchObject({ status: "skipped", reason: "too_old" });
  expect(older).toMatchObject([{ status: "pending", duplicates: 50 }]);
});

describe("messages of a chat", () => {
  const message = (eventId: string, ts: string, more: JsonObject = {}) =>
    JSON.stringify({
      type: "event_callback",
      event_id: eventId,
      team_id: "T1",
      event: { channel: "C1", ts, text: "Pay INV-1", ...more },
    });

  test("case 22: one message under 11 event ids is one firing; the same text posted again is a second one", async () => {
    const { post, seconds, firings } = await createReceiver();
    const ts = `${seconds()}.000100`;
    for (let count = 0; count < 11; count++) {
      const body = message(`Ev${count}`, ts);
      expect((await post("chat", body, chatHeaders(body, seconds()))).status).toBe(200);
    }
    expect(await firings("chat")).toMatchObject([{ duplicates: 10 }]);
    const second = message("Ev12", `${seconds()}.000200`);
    await post("chat", second, chatHeaders(second, seconds()));
    expect(await firings("chat")).toHaveLength(2);
  });

  test("case 23: a message of our own bot is answered 200 and no firing; that of another app is one", async () => {
    const { post, seconds, firings } = await createReceiver();
    const own = message("Ev1", `${seconds()}.1`, { bot_id: "B_OURS" });
    expect((await post("chat", own, chatHeaders(own, seconds()))).status).toBe(200);
    expect(await firings("chat")).toEqual([]);
    const other = message("Ev2", `${seconds()}.2`, { bot_id: "B_OTHER" });
    expect((await post("chat", other, chatHeaders(other, seconds()))).status).toBe(200);
    expect(await firings("chat")).toHaveLength(1);
  });
});

test("case 26: events of three tenants, one of them ours and twice in the list, are one firing", async () => {
  const { post, firings } = await createReceiver();
  const of = (tenantId: string) => ({ tenantId, resourceId: "inv_1", eventType: "invoice.update" });
  const body = JSON.stringify({ events: [of("theirs"), of("ours"), of("others"), of("ours")] });
  expect((await post("books", body, { "Books-Signature": booksSignature(body) })).status).toBe(200);
  expect(await firings("books")).toMatchObject([{ duplicates: 1, event: { id: "inv_1:invoice.update" } }]);
});

describe("case 27: many events, as GoCardless sends them", () => {
  const events = (from: number, to: number) =>
    JSON.stringify({
      events: Array.from({ length: to - from }, (_, index) => ({ id: `EV${from + index}`, action: "paid_out" })),
    });

  test("250 events, 100 of them seen before, are 150 new firings", async () => {
    const { post, firings } = await createReceiver();
    const first = events(0, 100);
    expect((await post("debits", first, debitsHeaders(first, "live"))).status).toBe(200);
    expect(await firings("debits")).toHaveLength(100);
    const second = events(0, 250);
    expect((await post("debits", second, debitsHeaders(second, "live"))).status).toBe(200);
    expect(await firings("debits")).toHaveLength(250);
  });

  test("each event has the digest of the bytes that brought it first", async () => {
    const { post, firings } = await createReceiver();
    // Spaces that our own JSON would not have.
    const [first, second] = [`${events(0, 1)} `, ` ${events(0, 3)}`];
    for (const body of [first, second]) {
      expect((await post("debits", body, debitsHeaders(body, "live"))).status).toBe(200);
    }
    const digests = Object.fromEntries((await firings("debits")).map(({ event }) => [event?.id, event?.digest]));
    const [ofFirst, ofSecond] = [hash("sha256", first, "hex"), hash("sha256", second, "hex")];
    expect(digests).toEqual({ EV0: ofFirst, EV1: ofSecond, EV2: ofSecond });
  });

  test("a wrong signature is answered 498, and events of the sandbox at a live address 403", async () => {
    const { post, firings } = await createReceiver();
    const body = events(0, 1);
    const forged = await post("debits", body, { ...debitsHeaders(body, "live"), "Debits-Signature": "0".repeat(64) });
    expect(forged.status).toBe(498);
    expectEmpty(forged);
    const other = await post("debits", body, debitsHeaders(body, "sandbox"));
    expect(other.status).toBe(403);
    expectEmpty(other);
    expect(await firings("debits")).toEqual([]);
  });

  test("more than 1,000 events are answered 413, and none is stored", async () => {
    const { post, firings } = await createReceiver();
    const body = events(0, 1_001);
    expect((await post("debits", body, debitsHeaders(body, "live"))).status).toBe(413);
    expect(await firings("debits")).toEqual([]);
  });
});

test("an event of a type that no trigger takes is answered 200 and not stored", async () => {
  const { post, seconds, firings } = await createReceiver();
  const body = payment("evt_1", { type: "payment.failed" });
  const sent = await post("cards", body, { "Cards-Signature": cardsSignature(body, seconds()) });
  expect(sent.status).toBe(200);
  expectEmpty(sent);
  expect(await firings("cards")).toEqual([]);
});
