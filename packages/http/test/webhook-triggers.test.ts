import { createHmac } from "node:crypto";
import { systemClock, type Engine } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, it, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { createHarness, origin, owner, until } from "./harness.ts";

type Source = Extract<Parameters<Engine["triggers"]["create"]>[0]["source"], { readonly kind: "webhook" }>;
type Authentication = Source["authentication"];

const hmac = { scheme: "hmac", header: "X-Signature", prefix: "sha256=" } as const;
const body = '{"id":"evt_1","amount":12}';

const signed = (secret: string, text = body): Record<string, string> => ({
  "X-Signature": `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`,
});

async function createReceiver(given: Partial<Source> = {}) {
  let laterMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
  const harness = await createHarness({ clock, started: false, storage: createMemoryStorage({ now: clock.now }) });
  const {
    triggerId,
    inbound,
    secret = "",
  } = await harness.engine.triggers.create({
    name: "Orders",
    environment: "live",
    procedureId: "echo",
    source: { kind: "webhook", authentication: hmac, ...given },
    by: owner,
  });
  const address = inbound?.address ?? "";
  return {
    harness,
    clock,
    secret,
    address,
    place: { environment: "live", triggerId, by: owner } as const,
    later: (ms: number) => (laterMs += ms),
    post: async (headers: Record<string, string>, text = body) => {
      const request = { method: "POST", headers, body: text };
      const response = await harness.http.fetch(new Request(`http://procedo.test/in/v1/${address}`, request));
      expect(await response.text()).toBe("");
      return response.status;
    },
    firings: async () =>
      (await harness.engine.triggers.firings({ environment: "live", triggerId, limit: 1_000 })).items,
    content: async () => {
      const { items } = await harness.engine.triggers.firings({ environment: "live", triggerId, limit: 1 });
      const firingId = items[0]?.firingId ?? "";
      return (await harness.engine.triggers.firing({ environment: "live", triggerId, firingId })).content;
    },
  };
}

test("one operation receives requests of other services, and it accepts no key in place of a signature", async () => {
  expect(operations.filter(({ access }) => access === "inbound").map(({ id }) => id)).toEqual(["receiveEvents"]);
  const { harness, post } = await createReceiver();
  const key = await harness.key(["run", "manage", "review"], "live");
  expect(await post({ authorization: `Bearer ${key}` })).toBe(401);
});

describe("a request that proves its origin becomes a firing", () => {
  const seconds = () => String(Math.floor(Date.now() / 1_000));
  it.each<[string, Authentication, (secret: string) => Record<string, string>]>([
    ["by hmac", hmac, signed],
    [
      "by hmac with a time",
      { scheme: "hmac", header: "X-Signature", timestampHeader: "X-Time" },
      (secret) => {
        const time = seconds();
        const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
        return { "X-Time": time, "X-Signature": signature };
      },
    ],
    ["by a token", { scheme: "token", header: "X-Token" }, (secret) => ({ "X-Token": secret })],
    ["by basic", { scheme: "basic" }, (secret) => ({ Authorization: `Basic ${btoa(`procedo:${secret}`)}` })],
    [
      "by standard webhooks",
      { scheme: "standard_webhooks" },
      (secret) => {
        const time = seconds();
        const key = Buffer.from(secret.slice("whsec_".length), "base64");
        const signature = createHmac("sha256", key).update(`msg_1.${time}.${body}`).digest("base64");
        return { "webhook-id": "msg_1", "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
      },
    ],
  ])("%s", async (_how, authentication, sign) => {
    const { secret, post, firings, content } = await createReceiver({ authentication });
    expect(await post({})).toBe(401);
    expect(await post(sign("whsec_BBBB"))).toBe(401);
    expect(await post(sign(secret))).toBe(200);
    expect(await firings()).toMatchObject([{ status: "pending", event: { type: "webhook" } }]);
    expect((await content())?.event).toEqual({ id: "evt_1", amount: 12 });
    expect(JSON.stringify(await content())).not.toContain(secret);
  });
});

test("the old secret is accepted for 24 hours after a rotation, and the new one at once", async () => {
  const { harness, secret, place, post, later } = await createReceiver({ dedupe: { by: "none" } });
  expect(await post(signed(secret))).toBe(200);
  const { secret: next } = await harness.engine.triggers.rotate(place);
  expect([await post(signed(secret)), await post(signed(next))]).toEqual([200, 200]);
  later(24 * 3_600_000 - 1_000);
  expect([await post(signed(secret)), await post(signed(next))]).toEqual([200, 200]);
  later(1_000);
  expect([await post(signed(secret)), await post(signed(next))]).toEqual([401, 200]);
});

test("each of five replaced secrets is accepted for its 24 hours, and the sixth rotation ends the first", async () => {
  const { harness, secret, place, post, later } = await createReceiver({ dedupe: { by: "none" } });
  const secrets = [secret];
  const rotate = async () => secrets.push((await harness.engine.triggers.rotate(place)).secret);
  const answers = () => Promise.all(secrets.map((one) => post(signed(one))));
  for (let count = 0; count < 5; count++) {
    await rotate();
    later(3_600_000);
  }
  expect(await answers()).toEqual([200, 200, 200, 200, 200, 200]);
  await rotate();
  expect(await answers()).toEqual([401, 200, 200, 200, 200, 200, 200]);
  // The second one was replaced 24 hours ago.
  later(20 * 3_600_000);
  expect(await answers()).toEqual([401, 401, 200, 200, 200, 200, 200]);
});

describe("which requests are the same event", () => {
  const other = '{"id":"evt_1","amount":13}';

  test("by an expression: the id decides, for 35 days", async () => {
    const { secret, post, firings, later } = await createReceiver({
      dedupe: { by: "expression", expression: "event.id" },
    });
    for (const text of [body, other]) expect(await post(signed(secret, text), text)).toBe(200);
    expect(await firings()).toMatchObject([{ duplicates: 1, event: { id: "evt_1" } }]);
    later(34 * 86_400_000);
    await post(signed(secret));
    expect(await firings()).toHaveLength(1);
    later(2 * 86_400_000);
    await post(signed(secret));
    expect(await firings()).toHaveLength(2);
  });

  test("by an expression over a header", async () => {
    const dedupe = { by: "expression", expression: 'headers["x-delivery"]' } as const;
    const { secret, post, firings } = await createReceiver({ dedupe });
    for (const delivery of ["1", "1", "2"]) await post({ ...signed(secret), "X-Delivery": delivery });
    expect(await firings()).toHaveLength(2);
  });

  test("by an expression that gives nothing: the body decides, and the event is not lost", async () => {
    const { secret, post, firings } = await createReceiver({
      dedupe: { by: "expression", expression: "event.number" },
    });
    for (const text of [body, body, other]) expect(await post(signed(secret, text), text)).toBe(200);
    expect(await firings()).toHaveLength(2);
  });

  test("by the body, within a time", async () => {
    const { secret, post, firings, later } = await createReceiver({ dedupe: { by: "body", within: "PT1H" } });
    for (const text of [body, body, other]) expect(await post(signed(secret, text), text)).toBe(200);
    expect(await firings()).toHaveLength(2);
    later(3_600_001);
    await post(signed(secret));
    expect(await firings()).toHaveLength(3);
  });

  test("by the signed id of Standard Webhooks, unless chosen otherwise: equal bodies are two events, a retry is none", async () => {
    const { secret, post, firings } = await createReceiver({ authentication: { scheme: "standard_webhooks" } });
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const send = async (id: string, seconds: number) => {
      const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
      return await post({
        "webhook-id": id,
        "webhook-timestamp": String(seconds),
        "webhook-signature": `v1,${signature}`,
      });
    };
    const now = Math.floor(Date.now() / 1_000);
    for (const [id, seconds] of [
      ["msg_1", now],
      ["msg_2", now],
      ["msg_1", now + 1],
    ] as const)
      expect(await send(id, seconds)).toBe(200);
    expect((await firings()).map(({ event, duplicates }) => [event?.id, duplicates])).toEqual([
      ["msg_2", 0],
      ["msg_1", 1],
    ]);
  });

  test("by the body, a retry that was signed again is the same event", async () => {
    const authentication = { scheme: "hmac", header: "X-Signature", timestampHeader: "X-Time" } as const;
    const { secret, post, firings } = await createReceiver({ authentication });
    const now = Math.floor(Date.now() / 1_000);
    for (const seconds of [now, now + 60]) {
      const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
      expect(await post({ "X-Time": String(seconds), "X-Signature": signature })).toBe(200);
    }
    expect(await firings()).toMatchObject([{ duplicates: 1 }]);
  });

  test("by none: each request is an event", async () => {
    const { secret, post, firings } = await createReceiver({ dedupe: { by: "none" } });
    for (let count = 0; count < 3; count++) await post(signed(secret));
    expect(await firings()).toHaveLength(3);
  });
});

test("headers are kept, except for signatures, cookies and credentials", async () => {
  const { secret, post, content } = await createReceiver();
  const private_ = { Authorization: "Bearer of-the-sender", Cookie: "sid=1", "Proxy-Authorization": "Basic eA==" };
  const others = { "X-Hub-Signature": "sha1=1", "X-Forwarded-Access-Token": "t", "Cf-Access-Jwt-Assertion": "j" };
  await post({ ...signed(secret), ...private_, ...others, "X-Api-Key": "k", "X-Delivery": "7" });
  const { headers = {} } = (await content()) ?? {};
  expect(headers).toMatchObject({ "x-delivery": "7" });
  for (const name of ["x-signature", "x-api-key", ...Object.keys({ ...private_, ...others })])
    expect(Object.keys(headers)).not.toContain(name.toLowerCase());
});

test("a number that a double would change keeps its digits", async () => {
  const { secret, post, content } = await createReceiver();
  const text = '{"id":9007199254740993}';
  expect(await post(signed(secret, text), text)).toBe(200);
  expect((await content())?.event).toEqual({ id: "9007199254740993" });
});

test("a trigger shows its address, its last verified request and its refused ones, as a connection does", async () => {
  const { harness, secret, address, place, post } = await createReceiver();
  const key = await harness.key(["manage"], "live");
  const shown = async () => (await harness.ask(`GET /api/v1/triggers/${place.triggerId}`, { key })).body["inbound"];
  const url = `${origin}/in/v1/${address}`;
  expect(await shown()).toEqual({ url, refusedLast24h: 0 });
  for (let count = 0; count < 3; count++) expect(await post({ "X-Signature": "sha256=" })).toBe(401);
  expect(await shown()).toEqual({ url, refusedLast24h: 3 });
  expect(await post(signed(secret, "no JSON"), "no JSON")).toBe(400);
  expect(await shown()).toEqual({ url, refusedLast24h: 4 });
  expect(await post(signed(secret))).toBe(200);
  expect(await shown()).toEqual({ url, refusedLast24h: 4, lastReceivedAt: expect.any(String) as string });
  const { body } = await harness.ask("GET /api/v1/triggers", { key });
  expect(body["data"]).toMatchObject([{ inbound: { refusedLast24h: 4 } }]);
});

test("a paused trigger answers 200, and a removed one 404", async () => {
  const { harness, secret, place, post } = await createReceiver();
  await harness.engine.triggers.pause(place);
  expect(await post(signed(secret))).toBe(200);
  await harness.engine.triggers.remove(place);
  expect(await post(signed(secret))).toBe(404);
});

test("case 33: 1,000 unknown addresses, forged and good requests to a paused trigger are answered 404, 401 and 200", async () => {
  const { harness, secret, place, address, firings } = await createReceiver({ dedupe: { by: "none" } });
  await harness.engine.triggers.pause(place);
  const bytes = new TextEncoder().encode(body);
  const createAsked = () => ({ statuses: new Set<number>(), ms: [] as number[] });
  const asked = { unknown: createAsked(), forged: createAsked(), good: createAsked() };
  const ask = async ({ statuses, ms }: ReturnType<typeof createAsked>, to: string, signature: string) => {
    const headers = new Map([["x-signature", [signature]]]);
    const beganMs = performance.now();
    const { status } = await harness.engine.inbound.receive({ address: to, headers, body: bytes });
    ms.push(performance.now() - beganMs);
    statuses.add(status);
  };
  const medianOf = ({ ms }: ReturnType<typeof createAsked>) => ms.toSorted((one, other) => one - other)[500] ?? 0;
  const good = signed(secret)["X-Signature"] ?? "";
  for (let count = 0; count < 1_000; count++) {
    await ask(asked.unknown, `in_live_${String(count).padStart(32, "0")}`, good);
    await ask(asked.forged, address, `sha256=${"0".repeat(64)}`);
    await ask(asked.good, address, good);
  }
  expect([asked.unknown, asked.forged, asked.good].map(({ statuses }) => [...statuses])).toEqual([[404], [401], [200]]);
  await harness.engine.start();
  await until(async () => (await firings()).every(({ status }) => status !== "pending"));
  const paused = await firings();
  expect(paused).toHaveLength(1_000);
  expect(new Set(paused.map(({ status, reason }) => `${status} ${reason ?? ""}`))).toEqual(new Set(["skipped paused"]));
  // Durations that differ by more than noise would tell existing addresses from others.
  const ratio = medianOf(asked.unknown) / medianOf(asked.forged);
  expect(Math.max(ratio, 1 / ratio)).toBeLessThan(10);
});
