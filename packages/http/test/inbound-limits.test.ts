import { describe, expect, test } from "vitest";
import { createReceiver, expectEmpty, payment } from "./inbound-receiver.ts";
import { cardsSignature } from "./signed-services.ts";

describe("case 33: an address", () => {
  const unknown = ["in_live_00000000000000000000000000000000", "in_live_", "x", "%00", "__proto__"];
  test.each(unknown)("that is unknown (%s) is answered 404 with nothing, as a known one is 401", async (address) => {
    const { post } = await createReceiver();
    const sent = await post(address, payment("evt_1"), {});
    expect(sent.status).toBe(404);
    expectEmpty(sent);
    const known = await post("cards", payment("evt_1"), {});
    expect(known.status).toBe(401);
    expectEmpty(known);
    expect(Object.keys(known.headers)).toEqual(Object.keys(sent.headers));
  });

  test.each([
    "",
    "in_live_",
    "in_test_00000000000000000000000000000000",
    `in_live_${"g".repeat(32)}`,
    "x".repeat(8_000),
  ])("of another form (%s) costs no read", async (address) => {
    const { harness, postFrom, addressReads } = await createReceiver();
    const before = addressReads();
    expect((await postFrom("192.0.2.1", address, payment("evt_1"))).status).toBe(404);
    const request = { address, headers: new Map(), body: new Uint8Array() };
    expect((await harness.engine.inbound.receive(request)).status).toBe(404);
    expect(addressReads()).toBe(before);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE"])("answers %s with 405 and nothing", async (method) => {
    const { harness, address } = await createReceiver();
    const response = await harness.http.fetch(new Request(`http://procedo.test/in/v1/${address("cards")}`, { method }));
    expect([response.status, response.headers.get("allow"), response.headers.get("content-type")]).toEqual([
      405,
      "POST, OPTIONS",
      null,
    ]);
    expect(await response.text()).toBe("");
  });

  test.each(["POST", "GET"])("that is not UTF-8 answers %s with 404 and nothing", async (method) => {
    const { harness } = await createReceiver();
    const response = await harness.http.fetch(new Request("http://procedo.test/in/v1/in_live_%ff", { method }));
    expect([response.status, await response.text()]).toEqual([404, ""]);
  });

  test("of the other environment does not exist", async () => {
    const { post, address } = await createReceiver("sandbox");
    expect((await post(address("cards").replace("sandbox", "live"), payment("evt_1"), {})).status).toBe(404);
  });
});

describe("the limits of an address", () => {
  test("a sender of 20 wrong signatures is answered 429 from then on, another sender is not", async () => {
    const { postFrom, seconds, address } = await createReceiver();
    const body = payment("evt_1");
    const ask = (signature: string, from: string) =>
      postFrom(from, address("cards"), body, { "Cards-Signature": signature });
    const statuses: number[] = [];
    for (let count = 0; count < 23; count++) statuses.push((await ask("t=1,v1=", "192.0.2.1")).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    // One per second is still answered.
    expect(statuses.slice(20)).toEqual([401, 429, 429]);
    const refused = await ask(cardsSignature(body, seconds()), "192.0.2.1");
    expect([refused.status, refused.headers.get("retry-after"), await refused.text()]).toEqual([429, "1", ""]);
    for (let count = 0; count < 100; count++) {
      expect((await ask(cardsSignature(body, seconds()), "192.0.2.2")).status).toBe(200);
    }
  });

  test("a sender of 20 bodies that cannot be read is answered 429 from then on, another sender is not", async () => {
    const { postFrom, seconds, address } = await createReceiver();
    const body = payment("evt_1");
    const headers = { "Cards-Signature": cardsSignature(body, seconds()) };
    const compressed = async () =>
      (await postFrom("192.0.2.1", address("cards"), body, { ...headers, "Content-Encoding": "gzip" })).status;
    const statuses: number[] = [];
    for (let count = 0; count < 23; count++) statuses.push(await compressed());
    // One per second is still answered.
    expect(statuses).toEqual([...Array<number>(21).fill(415), 429, 429]);
    expect((await postFrom("192.0.2.2", address("cards"), body, headers)).status).toBe(200);
  });

  test("a sender of 20 unknown addresses is answered 429 without a read, except at addresses that exist", async () => {
    const { postFrom, seconds, address, addressReads } = await createReceiver();
    const body = payment("evt_1");
    const askUnknown = async (count: number, from: string) => {
      const response = await postFrom(from, `in_live_${String(count).padStart(32, "0")}`, body);
      return [response.status, response.headers.get("retry-after"), await response.text()];
    };
    const askCards = async (from: string) =>
      (await postFrom(from, address("cards"), body, { "Cards-Signature": cardsSignature(body, seconds()) })).status;
    expect(await askCards("192.0.2.1")).toBe(200);
    // The one that a slowed sender has per second is the 21st.
    for (let count = 0; count < 21; count++) expect(await askUnknown(count, "192.0.2.1")).toEqual([404, null, ""]);
    const before = addressReads();
    for (let count = 21; count < 100; count++) expect(await askUnknown(count, "192.0.2.1")).toEqual([429, "1", ""]);
    expect(addressReads()).toBe(before);
    expect(await askUnknown(100, "192.0.2.2")).toEqual([404, null, ""]);
    expect([await askCards("192.0.2.1"), await askCards("192.0.2.2")]).toEqual([200, 200]);
  });

  test("a burst of 500 requests is answered, and the next one is 429", async () => {
    const { postFrom, seconds, address, firings } = await createReceiver();
    const body = payment("evt_1");
    const headers = { "Cards-Signature": cardsSignature(body, seconds()) };
    const asking = Array.from({ length: 501 }, () => postFrom("192.0.2.1", address("cards"), body, headers));
    const statuses = (await Promise.all(asking)).map(({ status }) => status);
    expect(statuses).toEqual([...Array<number>(500).fill(200), 429]);
    expect(await firings("cards")).toHaveLength(1);
  });
});
