import type { JsonObject } from "@procedo/contract";
import { describe, expect, it, test } from "vitest";
import { createReceiver, expectEmpty, payment } from "./inbound-receiver.ts";
import { booksSignature, cardsSignature, chatHeaders } from "./signed-services.ts";

describe("case 19: a signature with a time, as Stripe sends it", () => {
  const body = payment("evt_1");
  const flipped = (signature: string) => signature.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
  it.each<[string, (now: number) => string | readonly string[] | undefined]>([
    ["missing", () => undefined],
    ["empty", () => ""],
    ["with an empty v1", (now) => `t=${now},v1=`],
    ["with v0 only", (now) => cardsSignature(body, now).replace("v1", "v0")],
    ["of another body", (now) => cardsSignature(`${body} `, now)],
    ["with one digit changed", (now) => flipped(cardsSignature(body, now))],
    [
      "in upper case, cut to 63 digits",
      (now) => `t=${now},v1=${cardsSignature(body, now).slice(-64, -1).toUpperCase()}`,
    ],
    ["without a time", (now) => cardsSignature(body, now).replace(/^t=\d+,/, "")],
    ["with a time that is text", () => cardsSignature(body, "now")],
    ["301 s ahead", (now) => cardsSignature(body, now + 302)],
    ["301 s old", (now) => cardsSignature(body, now - 301)],
    ["sent in two headers", (now) => [cardsSignature(body, now), cardsSignature(body, now)]],
  ])("%s is answered 401 with nothing, and nothing is stored or logged of the body", async (_how, sign) => {
    const { harness, post, seconds, firings } = await createReceiver();
    const signature = sign(seconds());
    const sent = await post("cards", body, signature === undefined ? {} : { "Cards-Signature": signature });
    expect(sent.status).toBe(401);
    expectEmpty(sent);
    expect(await firings("cards")).toEqual([]);
    expect(JSON.stringify([harness.logged, harness.warned])).not.toContain("evt_1");
  });

  it("with two v1, one of them good, is answered 200 with nothing", async () => {
    const { post, seconds, firings } = await createReceiver();
    const signature = cardsSignature(body, seconds()).replace(",v1=", `,v1=${"0".repeat(64)},v1=`);
    const sent = await post("cards", body, { "Cards-Signature": signature });
    expect(sent.status).toBe(200);
    expectEmpty(sent);
    expect(await firings("cards")).toHaveLength(1);
  });
});

describe("case 20: the same JSON written in another way is answered 401 under the first one's signature", () => {
  it.each<[string, (body: string) => string]>([
    ["with spaces", (body) => JSON.stringify(JSON.parse(body), undefined, 1)],
    [
      "with its members in another order",
      (body) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body) as JsonObject).reverse())),
    ],
    ["with another escape", (body) => body.replace("\\u001b", "\\u001B")],
  ])("%s", async (_how, rewrite) => {
    const { post, seconds, firings } = await createReceiver();
    const body = payment("evt_1", { note: "\u001b" });
    const headers = { "Cards-Signature": cardsSignature(body, seconds()) };
    expect(rewrite(body)).not.toBe(body);
    expect((await post("cards", rewrite(body), headers)).status).toBe(401);
    expect((await post("cards", body, headers)).status).toBe(200);
    expect(await firings("cards")).toHaveLength(1);
  });
});

test("case 24: a signed check of the address is answered with its challenge as text, an unsigned or old one 401", async () => {
  const { post, seconds } = await createReceiver();
  const body = JSON.stringify({ type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV" });
  const signed = await post("chat", body, chatHeaders(body, seconds()));
  expect([signed.status, signed.body, signed.headers["content-type"]]).toEqual([
    200,
    "3eZbrw1aBm2rZgRNFdxV",
    "text/plain",
  ]);
  expect(signed.headers["set-cookie"]).toBeUndefined();
  for (const headers of [{}, chatHeaders(body, seconds() - 301)]) {
    const refused = await post("chat", body, headers);
    expect(refused.status).toBe(401);
    expectEmpty(refused);
  }
});

describe("case 25: a check of the address, as Xero sends it", () => {
  const body = '{"events":[],"firstEventSequence":0,"lastEventSequence":0,"entropy":"S0m3r4nd0mt3xt"}';
  /** A body whose signature has a slash. */
  const slashed = [...Array(1_000).keys()]
    .map((count) => `${body} ${count}`)
    .find((text) => booksSignature(text).includes("/"));

  it.each<[string, string, string, number]>([
    ["with a good signature is answered 200", body, booksSignature(body), 200],
    ["with a wrong signature is answered 401", body, booksSignature(`${body} `), 401],
    [
      "with a slash removed from its signature is answered 401",
      slashed ?? "",
      booksSignature(slashed ?? "").replace("/", ""),
      401,
    ],
  ])("%s, with 0 bytes and no cookie", async (_how, text, signature, status) => {
    const { post } = await createReceiver();
    const sent = await post("books", text, { "Books-Signature": signature });
    expect(sent.status).toBe(status);
    expectEmpty(sent);
  });
});
