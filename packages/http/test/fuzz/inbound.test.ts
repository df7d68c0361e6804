import { connect } from "node:net";
import { once } from "node:events";
import { interceptEveryVerb } from "@procedo-testing/faults";
import { cases } from "@procedo-testing/tiers";
import { systemClock } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createHarness } from "../harness.ts";
import { createSender, senderNames, type SentHeaders } from "../inbound-senders.ts";
import { books, cards, chat, debits } from "../signed-services.ts";

/** Number of requests of each kind at every address. */
const requestsEach = { commit: 100, nightly: 10_000, release: 10_000 };

const text = (given: string): Uint8Array => new TextEncoder().encode(given);

const hostileBodies = [
  "",
  "null",
  "{}",
  "[]",
  '{"__proto__":{"admin":true}}',
  '{"id":1,"id":2}',
  '{"id":1e999}',
  '{"id":"\\ud800"}',
  "\ufeff{}",
  "{} {}",
  "[".repeat(100_000),
  "id=1&type=2",
  "\0",
].map(text);

const body = fc.oneof(
  { weight: 10, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 10, arbitrary: fc.json().map(text) },
  { weight: 10, arbitrary: fc.constantFrom(...hostileBodies) },
  fc.constantFrom("utf16le", "latin1").map((encoding) => Buffer.from('{"id":"ä"}', encoding as BufferEncoding)),
  fc.constant(new Uint8Array(1024 * 1024 + 1)),
);

const headerNames = [
  "X-Signature",
  "X-Time",
  "X-Token",
  "Authorization",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  "Cards-Signature",
  "Books-Signature",
  "Debits-Signature",
  "Chat-Signature",
  "Chat-Timestamp",
  "Origin",
  "Cookie",
  "Content-Type",
  "Content-Length",
  "X-Forwarded-For",
  "__proto__",
];
const headerValue = fc.oneof(
  fc.constantFrom("", "t=1,v1=", "v1,", "v0=", "sha256=", "Basic ", "Bearer ", "NaN", "-1", "1e99", ",", "gzip"),
  // RFC 9110, section 5.5
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  }),
);
const randomHeaders = fc.array(fc.tuple(fc.constantFrom(...headerNames), headerValue), { maxLength: 6 });
const encodings = fc.constantFrom("gzip", "br", "identity, gzip", "deflate", "x", "GZIP", "utf-8");

/** A sender and its receiver. Each request is a minute after the one before, so that no rate is reached. */
async function open(name: string) {
  let requests = 0;
  const verbs = new Set<string>();
  const clock = { ...systemClock, monotonic: () => requests * 60_000 };
  // The engine's log is the console.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const harness = await createHarness({
    clock,
    started: false,
    integrations: [cards, books, debits, chat],
    storage: interceptEveryVerb(createMemoryStorage({ now: clock.now }), async (pass, verb) => {
      verbs.add(verb);
      return await pass();
    }),
  });
  const sender = await createSender(harness, name);
  const { triggerId } = sender;
  verbs.clear();
  const send = async (path: string, headers: Headers, sent: Uint8Array | undefined, method = "POST") => {
    requests += 1;
    const given = { method, headers, ...(sent !== undefined && { body: sent as Uint8Array<ArrayBuffer> }) };
    const request = new Request(`http://procedo.test/in/v1/${path}`, given);
    const response = await harness.http.fetch(request, { address: "192.0.2.1" });
    return { status: response.status, body: await response.text() };
  };
  return {
    harness,
    sender,
    send,
    /** The verbs of storage that the requests called. */
    verbs: () => [...verbs].toSorted(),
    firings: async () => (await harness.engine.triggers.firings({ environment: "live", triggerId, limit: 10 })).items,
  };
}

function headersOf(random: readonly (readonly [string, string])[], proof: SentHeaders = {}): Headers {
  const headers = new Headers();
  for (const [name, value] of random) headers.append(name, value);
  for (const [name, value] of Object.entries(proof)) headers.set(name, value);
  return headers;
}

describe.each(senderNames)("an address of %s", (name) => {
  test("refuses every request without a proof, with no body, and only reads storage", async () => {
    const { harness, sender, send, verbs, firings } = await open(name);
    const forged = body.chain((sent) =>
      fc.record({
        sent: fc.constant(sent),
        proof: fc.constantFrom({}, ...sender.forgeries(sent)),
        random: randomHeaders,
      }),
    );
    await fc.assert(
      fc.asyncProperty(forged, async ({ sent, proof, random }) => {
        const answer = await send(sender.address, headersOf(random, proof), sent);
        expect([401, 498, 413]).toContain(answer.status);
        expect(answer.body).toBe("");
      }),
      { numRuns: cases(requestsEach) },
    );
    expect(verbs()).toEqual(["records.find"]);
    expect(await firings()).toEqual([]);
    expect(harness.logged).toEqual([]);
  });

  test("answers every signed request without a failure and without a body", async () => {
    const { harness, sender, send } = await open(name);
    await fc.assert(
      fc.asyncProperty(body, randomHeaders, async (sent, random) => {
        const answer = await send(sender.address, headersOf(random, sender.proof(sent)), sent);
        expect([200, 400, 403, 413, 422]).toContain(answer.status);
        expect(answer.body).toBe("");
      }),
      { numRuns: cases(requestsEach) },
    );
    expect(harness.logged).toEqual([]);
  });

  test("refuses every encoding, other method and path, with no body, and stores nothing", async () => {
    const { harness, sender, send, verbs, firings } = await open(name);
    const { address } = sender;
    const segment = fc.string({ unit: "binary" }).filter((one) => one.isWellFormed() && !/^\.{0,2}$/.test(one));
    const path = fc.oneof(
      segment.map(encodeURIComponent),
      fc.constantFrom(
        "%ff",
        "%",
        `${address}0`,
        address.slice(0, -1),
        address.toUpperCase(),
        address.replace("live", "sandbox"),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        body,
        encodings,
        path,
        fc.constantFrom("GET", "HEAD", "PUT", "PATCH", "DELETE"),
        async (sent, encoding, other, method) => {
          const proof = headersOf([], sender.proof(sent));
          const encoded = headersOf([["Content-Encoding", encoding]], sender.proof(sent));
          const isBodiless = method === "GET" || method === "HEAD";
          expect(await send(address, encoded, sent)).toEqual({ status: 415, body: "" });
          expect(await send(address, proof, isBodiless ? undefined : sent, method)).toEqual({ status: 405, body: "" });
          const unknown = await send(other, proof, sent);
          expect([404, 413]).toContain(unknown.status);
          expect(unknown.body).toBe("");
        },
      ),
      { numRuns: cases(requestsEach) },
    );
    expect(["", "records.find"]).toContain(verbs().join());
    expect(await firings()).toEqual([]);
    expect(harness.logged).toEqual([]);
  });

  test("stores nothing of a signed body that is cut off, and receives the next one", async () => {
    const { harness, sender, verbs } = await open(name);
    const { port } = await harness.listen();
    const whole = text('{"id":"evt_1"}');
    const proof = Object.entries(sender.proof(whole)).map(([header, value]) => `${header}: ${value}\r\n`);
    const head = `POST /in/v1/${sender.address} HTTP/1.1\r\nHost: procedo.test\r\n${proof.join("")}`;
    const framings = fc.constantFrom(
      `Content-Length: ${whole.length}\r\n\r\n`,
      `Transfer-Encoding: chunked\r\n\r\n${whole.length.toString(16)}\r\n`,
    );
    await fc.assert(
      fc.asyncProperty(framings, fc.nat(whole.length - 1), async (framing, length) => {
        const socket = connect(port, "127.0.0.1");
        await once(socket, "connect");
        socket.write(head + framing);
        socket.write(whole.subarray(0, length));
        socket.destroySoon();
        await once(socket, "close");
      }),
      { numRuns: cases({ commit: 20, nightly: 500, release: 500 }) },
    );
    expect(verbs()).not.toContain("triggers.take");
    const next = await fetch(`http://127.0.0.1:${port}/in/v1/${sender.address}`, {
      method: "POST",
      headers: sender.proof(whole),
      body: whole as Uint8Array<ArrayBuffer>,
    });
    expect([200, 400, 422, 403]).toContain(next.status);
    expect(await next.text()).toBe("");
  });
});
