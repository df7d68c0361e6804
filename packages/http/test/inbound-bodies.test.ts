import { describe, expect, it, test } from "vitest";
import { createReceiver, expectEmpty, payment } from "./inbound-receiver.ts";
import { booksSignature, cardsSignature } from "./signed-services.ts";

describe("case 31: a signed body of another form", () => {
  it.each<[string, number, string]>([
    ["that nests 65 levels", 400, "[".repeat(65) + "]".repeat(65)],
    ["with a member __proto__", 400, '{"__proto__":{"admin":true}}'],
    ["with a member twice", 400, payment("evt_1").replace("{", '{"id":"evt_0",')],
    ["that is a form", 400, "id=evt_1&type=payment.succeeded"],
    ["that is empty", 400, ""],
    ["with another JSON", 422, '{"id":1}'],
  ])("%s is answered %i, and nothing is stored", async (_how, status, body) => {
    const { post, seconds, firings } = await createReceiver();
    const sent = await post("cards", body, { "Cards-Signature": cardsSignature(body, seconds()) });
    expect(sent.status).toBe(status);
    expectEmpty(sent);
    expect(await firings("cards")).toEqual([]);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  test("with invalid UTF-8 is answered 400", async () => {
    const { post } = await createReceiver();
    const body = Buffer.from([0x22, 0xff, 0x22]);
    expect((await post("books", body, { "Books-Signature": booksSignature(body) })).status).toBe(400);
  });

  test("of 1 MiB is read, and one byte more is answered 413", async () => {
    const { post, seconds } = await createReceiver();
    const body = payment("evt_1").padEnd(1024 * 1024, " ");
    expect((await post("cards", body, { "Cards-Signature": cardsSignature(body, seconds()) })).status).toBe(200);
    const larger = `${body} `;
    const sent = await post("cards", larger, { "Cards-Signature": cardsSignature(larger, seconds()) });
    expect(sent.status).toBe(413);
    expectEmpty(sent);
  });

  test.each(["gzip", "GZIP", "identity, gzip", "br"])("that is encoded as %s is answered 415", async (encoding) => {
    const { post, seconds } = await createReceiver();
    const body = payment("evt_1");
    const headers = { "Cards-Signature": cardsSignature(body, seconds()), "Content-Encoding": encoding };
    const sent = await post("cards", body, headers);
    expect(sent.status).toBe(415);
    expectEmpty(sent);
  });

  test.each(["application/json", "text/plain", "application/x-www-form-urlencoded", "image/png"])(
    "is read as JSON under any type, such as %s",
    async (type) => {
      const { post, seconds } = await createReceiver();
      const body = payment("evt_1");
      const headers = { "Cards-Signature": cardsSignature(body, seconds()), "Content-Type": type };
      expect((await post("cards", body, headers)).status).toBe(200);
    },
  );
});
