import { request as send } from "node:http";
import { interceptVerbs } from "@procedo-testing/faults";
import { ProcedoError, type Environment, type JsonObject } from "@procedo/contract";
import { defineIntegration, systemClock, z } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { createHarness, owner } from "./harness.ts";
import {
  books,
  booksSignature,
  cards,
  cardsSignature,
  chat,
  chatHeaders,
  debits,
  debitsHeaders,
  signingSecret,
} from "./signed-services.ts";

interface Sent {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A service with a connection to each of the signed services, over TCP. */
async function createReceiver(environment: Environment = "live") {
  let laterMs = 0;
  let isDown = false;
  const clock = { ...systemClock, now: () => systemClock.now() + laterMs };
  const storage = createMemoryStorage({ now: clock.now });
  const harness = await createHarness({
    clock,
    started: false,
    integrations: [cards, books, debits, chat],
    storage: interceptVerbs(storage, {
      "triggers.take": async (pass) => {
        if (isDown) throw new ProcedoError("storage_unavailable", "The disk is gone.");
        return await pass();
      },
    }),
  });
  const { url } = await harness.listen();
  const settings: Readonly<Record<string, JsonObject>> = { books: { tenantId: "ours" }, chat: { botId: "B_OURS" } };
  const addresses = new Map<string, string>();
  const triggers = new Map<string, string>();
  for (const [name, type] of [
    ["cards", "payment.succeeded"],
    ["books", "invoice.update"],
    ["debits", "paid_out"],
    ["chat", "message"],
  ] as const) {
    const { inbound } = await harness.engine.connections.create({
      name,
      integration: name,
      environment,
      settings: settings[name] ?? {},
      secrets: { signingSecret },
      by: owner,
    });
    addresses.set(name, inbound?.address ?? "");
    const { triggerId } = await harness.engine.triggers.create({
      name,
      environment,
      procedureId: "echo",
      source: { kind: "integration", connection: name, events: [type] },
      by: owner,
    });
    triggers.set(name, triggerId);
  }
  const post = (
    name: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const target = `${url}/in/v1/${addresses.get(name) ?? name}`;
      const request = send(
        target,
        { method: "POST", headers: { ...headers } as Record<string, string> },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part: string) => (text += part));
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
          );
        },
      );
      request.on("error", reject).end(body);
    });
  return {
    harness,
    post,
    seconds: () => Math.floor(clock.now() / 1_000),
    later: (ms: number) => (laterMs += ms),
    breakStorage: (broken: boolean) => (isDown = broken),
    address: (name: string) => addresses.get(name) ?? "",
    firings: async (name: string) =>
      (await harness.engine.triggers.firings({ environment, triggerId: triggers.get(name) ?? "", limit: 1_000 })).items,
  };
}

const payment = (id: string, more: JsonObject = {}): string =>
  JSON.stringify({ id, type: "payment.succeeded", created: Math.floor(Date.now() / 1_000), livemode: true, ...more });

/** No body, no cookie, and nothing else that the service did not ask for. */
function expectEmpty({ body, headers }: Sent): void {
  expect(body).toBe("");
  expect(headers["content-length"]).toBe("0");
  expect(headers["set-cookie"]).toBeUndefined();
  expect(headers["content-type"]).toBeUndefined();
  expect(headers["x-request-id"]).toMatch(/^req_/);
}

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

test("case 28: while storage is down the answer is 503 with Retry-After, and the next attempt is the one firing", async () => {
  const { post, seconds, breakStorage, firings } = await createReceiver();
  const body = payment("evt_1");
  const headers = { "Cards-Signature": cardsSignature(body, seconds()) };
  breakStorage(true);
  for (let count = 0; count < 3; count++) {
    const sent = await post("cards", body, headers);
    expect([sent.status, sent.headers["retry-after"]]).toEqual([503, "10"]);
    expectEmpty(sent);
  }
  breakStorage(false);
  expect(await firings("cards")).toEqual([]);
  expect((await post("cards", body, headers)).status).toBe(200);
  expect(await firings("cards")).toMatchObject([{ status: "pending", duplicates: 0 }]);
});

describe("case 31: a signed body of another form", () => {
  const signedBy = (body: string | Uint8Array) => Buffer.from(body).toString("latin1");
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
    const { createHmac } = await import("node:crypto");
    const signature = createHmac("sha256", signingSecret).update(body).digest("base64");
    expect(signedBy(body)).toHaveLength(3);
    expect((await post("books", body, { "Books-Signature": signature })).status).toBe(400);
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

  test("of the other environment does not exist", async () => {
    const { post, address } = await createReceiver("sandbox");
    expect((await post(address("cards").replace("sandbox", "live"), payment("evt_1"), {})).status).toBe(404);
  });
});

describe("the limits of an address", () => {
  test("a sender of 20 wrong signatures is answered 429 from then on, another sender is not", async () => {
    const { harness, seconds, address } = await createReceiver();
    const body = payment("evt_1");
    const ask = async (signature: string, from: string) => {
      const request = new Request(`http://procedo.test/in/v1/${address("cards")}`, {
        method: "POST",
        body,
        headers: { "Cards-Signature": signature },
      });
      return await harness.http.fetch(request, { address: from });
    };
    const statuses: number[] = [];
    for (let count = 0; count < 23; count++) statuses.push((await ask("t=1,v1=", "192.0.2.1")).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    // One per second is still answered.
    expect(statuses.slice(20)).toEqual([401, 429, 429]);
    const refused = await ask(cardsSignature(body, seconds()), "192.0.2.1");
    expect([refused.status, refused.headers.get("retry-after"), await refused.text()]).toEqual([429, "1", ""]);
    expect((await ask(cardsSignature(body, seconds()), "192.0.2.2")).status).toBe(200);
  });

  test("a burst of 500 requests is answered, and the next one is 429", async () => {
    const { harness, seconds, address, firings } = await createReceiver();
    const body = payment("evt_1");
    const signature = cardsSignature(body, seconds());
    const ask = async () => {
      const headers = { "Cards-Signature": signature };
      return await harness.http.fetch(
        new Request(`http://procedo.test/in/v1/${address("cards")}`, { method: "POST", body, headers }),
      );
    };
    const statuses = await Promise.all(Array.from({ length: 800 }, async () => (await ask()).status));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(500);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(await firings("cards")).toHaveLength(1);
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

/** A connection of an integration that was written without types. */
async function createUntyped(code: {
  readonly verify?: unknown;
  readonly parse?: unknown;
  readonly handshake?: unknown;
}) {
  const untyped = defineIntegration({
    name: "untyped",
    secrets: z.object({ signingSecret: z.string() }),
    actions: {},
    inbound: {
      events: [{ type: "any", title: "Any event", sample: {} }],
      refusalStatus: 498,
      verify: () => true,
      parse: () => [],
      ...(code as object),
    },
  });
  // The engine's log is the console.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const harness = await createHarness({ started: false, integrations: [untyped] });
  const { inbound } = await harness.engine.connections.create({
    name: "untyped",
    integration: "untyped",
    environment: "live",
    secrets: { signingSecret },
    by: owner,
  });
  const target = `http://procedo.test/in/v1/${inbound?.address ?? ""}`;
  const post = async (body: string) => {
    const response = await harness.http.fetch(new Request(target, { method: "POST", body }));
    return [response.status, await response.text()];
  };
  return { harness, post, warned: () => warn.mock.calls.map(([line]) => String(line)) };
}

test("an integration that fails on a body with its secret in the error is answered 422, and the log shows no secret", async () => {
  const { harness, post, warned } = await createUntyped({
    parse: ({ secrets }: { readonly secrets: { readonly signingSecret: string } }) => {
      throw new Error(`Cannot decode with ${secrets.signingSecret}.`);
    },
  });
  for (let count = 0; count < 3; count++) expect(await post("{}")).toEqual([422, ""]);
  expect(harness.logged).toEqual([]);
  expect(warned()).toHaveLength(1);
  expect(warned().join()).toContain("failed on a request: Cannot decode with [redacted].");
  expect(warned().join()).not.toContain(signingSecret);
});

describe("an integration that was written without types", () => {
  const event = { id: "evt_1", type: "any", occurredAtMs: 1, event: {} };
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  const deep = JSON.parse("[".repeat(65) + "]".repeat(65)) as unknown;
  it.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["a promise", async () => Promise.reject(new Error("late"))],
    ["null", () => [null]],
    ["no id", () => [{ ...event, id: undefined }]],
    ["an empty id", () => [{ ...event, id: "" }]],
    ["a number as id", () => [{ ...event, id: 1 }]],
    ["no type", () => [{ ...event, type: undefined }]],
    ["no event", () => [{ ...event, event: undefined }]],
    ["a time that is NaN", () => [{ ...event, occurredAtMs: NaN }]],
    ["an infinite time", () => [{ ...event, occurredAtMs: Infinity }]],
    ["a time that is text", () => [{ ...event, occurredAtMs: "2026-11-27" }]],
    ["a BigInt", () => [{ ...event, event: { amount: 1n } }]],
    ["NaN in the event", () => [{ ...event, event: { amount: NaN } }]],
    ["a cycle", () => [{ ...event, event: cyclic }]],
    ["65 levels", () => [{ ...event, event: deep }]],
    ["more than 1 MiB", () => [{ ...event, event: "x".repeat(1024 * 1024) }]],
  ])("that parses %s is answered 422 each time, without an error in the log", async (_how, parsed) => {
    const { harness, post, warned } = await createUntyped({ parse: parsed });
    for (let count = 0; count < 2; count++) expect(await post("{}")).toEqual([422, ""]);
    expect(harness.logged).toEqual([]);
    expect(warned()).toHaveLength(1);
  });

  it("that repeats the body in each event is answered 413 above 4 MiB", async () => {
    const large = "x".repeat(1_000_000);
    const events = Array.from({ length: 5 }, (_, index) => ({ ...event, id: `${index}`, event: large }));
    const { post } = await createUntyped({ parse: () => events });
    expect(await post("{}")).toEqual([413, ""]);
  });

  it.each<[string, unknown]>([
    ["text", "challenge"],
    ["no text", { contentType: "text/plain" }],
    ["two lines as a content type", { contentType: "text/plain\r\nX-Evil: 1", text: "x" }],
  ])("that answers a check of the address with %s is answered 422", async (_how, answer) => {
    const { harness, post } = await createUntyped({ handshake: () => answer });
    expect(await post("{}")).toEqual([422, ""]);
    expect(harness.logged).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["throws", () => JSON.parse("{evt_forged")],
    [
      "throws a value",
      () =>
        ((): never => {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- as untyped code does
          throw "evt_forged";
        })(),
    ],
    ["returns a promise of true", async () => true],
    ["returns a promise that rejects", async () => Promise.reject(new Error("evt_forged"))],
    ["returns 1", () => 1],
  ])("whose verify %s is answered the status of a refusal, and its sender is slowed down", async (_how, verify) => {
    const { harness, post, warned } = await createUntyped({ verify });
    for (let count = 0; count < 20; count++) expect(await post("{evt_forged")).toEqual([498, ""]);
    const statuses = [await post("{evt_forged"), await post("{evt_forged")].map(([status]) => status);
    expect(statuses).toContain(429);
    expect(harness.logged).toEqual([]);
    expect(warned()).toHaveLength(1);
    expect(warned().join()).not.toContain("evt_forged");
  });
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
