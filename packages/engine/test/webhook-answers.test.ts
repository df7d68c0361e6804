import { createServer as createTlsServer } from "node:tls";
import { expiredCertificate, serverCertificate, testAuthority } from "@procedo-testing/certificates";
import { describe, expect, test } from "vitest";
import { answering, closedPort, http, listen, onceRead } from "../src/egress/listeners.fixture.ts";
import { createWebhookHarness, hasEnded, receive, wasTried, type Answer } from "./webhook-harness.ts";

const secondMs = 1_000;
const hourMs = 3_600_000;

describe("acceptance by a receiver", () => {
  test.each([200, 201, 202, 204, 299])("with %d is a delivery", async (status) => {
    const harness = await createWebhookHarness();
    const receiver = await receive(status);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({
      status: "delivered",
      responseCode: status,
      attemptCount: 1,
      url: receiver.url,
      deliveredAtMs: harness.clock.now(),
    });
    expect((await harness.deliveries(webhook))[0]).not.toHaveProperty("nextAttemptAtMs");
    expect(receiver.requests).toMatchObject([
      { headers: { "content-type": "application/json", "user-agent": "Procedo" } },
    ]);
  });

  test("counts from the status line alone: 100 MB after it are not read", async () => {
    const harness = await createWebhookHarness();
    let written = 0;
    let closed = false;
    const receiver = await receive((response) => {
      const megabyte = Buffer.alloc(1024 * 1024);
      response.on("close", () => (closed = true));
      const write = (): void => {
        while (!closed && written < 100 * megabyte.length) {
          written += megabyte.length;
          if (!response.write(megabyte)) return void response.once("drain", write);
        }
      };
      response.writeHead(200);
      write();
    });
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", responseCode: 200 });
    await harness.until(() => closed);
    expect(written).toBeLessThan(50 * 1024 * 1024);
  });

  test.each([
    ["a body that never ends", (write: (text: string) => void) => write("x")],
    ["headers only", () => {}],
  ])("counts after 15 s at the latest, and the connection is closed: %s", async (_what, begin) => {
    const harness = await createWebhookHarness();
    let closed = false;
    const receiver = await receive((response) => {
      response.on("close", () => (closed = true));
      response.writeHead(200).flushHeaders();
      begin((text) => response.write(text));
    });
    const webhook = await harness.subscribe(receiver.url);
    let read = false;
    onceRead("headers", () => (read = true));
    await harness.emitEvent();
    await harness.until(() => read);
    await harness.clock.advance(15 * secondMs - 1);
    expect(closed).toBe(false);
    await harness.clock.advance(1);
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", responseCode: 200 });
    await harness.until(() => closed);
  });
});

test("a delivery whose final answer follows interim ones is delivered, and is sent once", async () => {
  const harness = await createWebhookHarness();
  const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
  const receiver = await listen(answering(interim + http("200 OK", [])));
  const webhook = await harness.subscribe(`http://127.0.0.1:${receiver.port}/hook`);
  await harness.emitEvent();
  expect(await harness.deliveryThat(webhook, wasTried)).toMatchObject({ status: "delivered", attemptCount: 1 });
  expect(receiver.received().split("POST /hook")).toHaveLength(2);
});

describe("a redirect", () => {
  test.each([301, 302, 303, 304, 307, 308])("%d is a failed attempt and is not followed", async (status) => {
    const harness = await createWebhookHarness();
    const target = await listen(answering(http("200 OK", [])));
    const receiver = await receive((response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end();
    });
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    const delivery = await harness.deliveryThat(webhook, wasTried);
    expect(delivery).toMatchObject({ status: "pending", responseCode: status, attemptCount: 1 });
    expect(delivery.error).toContain(`answered ${status}, and redirects are not followed`);
    expect(target.arrivals).toEqual([]);
    expect(await harness.engine.webhooks.attempts({ ...webhook, deliveryId: delivery.deliveryId })).toMatchObject([
      { failure: "redirect", responseCode: status, manual: false },
    ]);
  });
});

describe("a refusal by a receiver", () => {
  const afterFirst = { atLeast: 4 * secondMs, atMost: 6 * secondMs };

  test.each([400, 401, 403, 404, 409, 422, 429, 500, 502, 503])("with %d is retried on schedule", async (status) => {
    const harness = await createWebhookHarness();
    const receiver = await receive(status);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    const delivery = await harness.deliveryThat(webhook, wasTried);
    expect(delivery).toMatchObject({
      status: "pending",
      responseCode: status,
      error: `The receiver answered ${status}.`,
      deliveredAtMs: undefined,
    });
    const waitMs = (delivery.nextAttemptAtMs ?? 0) - harness.clock.now();
    expect(waitMs).toBeGreaterThanOrEqual(afterFirst.atLeast);
    expect(waitMs).toBeLessThanOrEqual(afterFirst.atMost);
    receiver.answer(200);
    await harness.clock.advance(waitMs);
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 2 });
    expect(new Set(receiver.requests.map(({ id }) => id))).toEqual(new Set([delivery.deliveryId]));
    expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body);
  });

  test.each([
    [429, "120", 120 * secondMs],
    [503, "90", 90 * secondMs],
    [503, "Fri, 02 Jan 2026 13:00:00 GMT", hourMs],
    [429, "1000000000", 24 * hourMs],
  ])("with %d and Retry-After %s waits %d ms", async (status, retryAfter, waitMs) => {
    const harness = await createWebhookHarness();
    const receiver = await receive((response) => response.writeHead(status, { "retry-after": retryAfter }).end());
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    const { nextAttemptAtMs = 0 } = await harness.deliveryThat(webhook, wasTried);
    expect(nextAttemptAtMs - harness.clock.now()).toBe(waitMs);
  });

  test.each([
    [429, "-5"],
    [503, "soon"],
    [503, "0"],
    [500, "3600"],
    [404, "3600"],
  ])("with %d and Retry-After %s keeps to the schedule", async (status, retryAfter) => {
    const harness = await createWebhookHarness();
    const receiver = await receive((response) => response.writeHead(status, { "retry-after": retryAfter }).end());
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    const { nextAttemptAtMs = 0 } = await harness.deliveryThat(webhook, wasTried);
    expect(nextAttemptAtMs - harness.clock.now()).toBeLessThanOrEqual(afterFirst.atMost);
  });

  test("with 410 ends the delivery and deactivates the webhook, once, with a notice and an audit entry", async () => {
    const harness = await createWebhookHarness();
    // No request is answered before the third one has arrived.
    const waiting: (() => void)[] = [];
    const receiver = await receive((response) => {
      waiting.push(() => response.writeHead(410).end());
      if (waiting.length === 3) for (const answer of waiting) answer();
    });
    const webhook = await harness.subscribe(receiver.url);
    for (let count = 0; count < 3; count++) await harness.emitEvent();
    await harness.until(async () => !(await harness.engine.webhooks.get(webhook)).isActive);
    await harness.until(async () => (await harness.deliveries(webhook)).every(hasEnded));
    expect((await harness.deliveries(webhook)).map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
    const notices = harness.engine.logged.filter((line) => line.includes("deactivated"));
    expect(notices).toEqual(["warn: A webhook was deactivated."]);
    const changes = await harness.engine.audit.changes();
    expect(changes.filter(({ action }) => action === "webhook.deactivated")).toMatchObject([
      { by: "procedo", subject: `sandbox/${webhook.webhookId}`, details: { reason: expect.stringContaining("410") } },
    ]);
    await harness.emitEvent();
    await harness.until(async () => (await harness.deliveries(webhook)).every(hasEnded));
    expect((await harness.deliveries(webhook)).map(({ status }) => status)).toEqual([
      "skipped",
      "failed",
      "failed",
      "failed",
    ]);
    expect(receiver.requests).toHaveLength(3);
  });
});

describe("a failed attempt is recorded for", () => {
  const slow =
    (head: string): Answer =>
    (response) =>
      void response.socket?.write(head);

  async function failureOf(url: string, egress: object = {}): Promise<{ failure?: string; error?: string }> {
    const harness = await createWebhookHarness({ egress: { allowNetworks: ["127.0.0.1/32"], ...egress } });
    const webhook = await harness.subscribe(url);
    await harness.emitEvent();
    const delivery = await harness.deliveryThat(webhook, wasTried);
    expect(delivery).toMatchObject({ status: "pending", attemptCount: 1 });
    const [attempt] = await harness.engine.webhooks.attempts({ ...webhook, deliveryId: delivery.deliveryId });
    expect(attempt?.error).toBe(delivery.error);
    return attempt ?? {};
  }

  test("a refused connection", async () => {
    const port = await closedPort();
    const { failure, error } = await failureOf(`http://127.0.0.1:${port}/`);
    expect([failure, error]).toEqual([
      "connect",
      `The connection to "127.0.0.1" port ${port} could not be opened. (ECONNREFUSED)`,
    ]);
  });

  test("a connection that is reset in the middle of the request", async () => {
    const server = await listen((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const { failure, error } = await failureOf(`http://127.0.0.1:${server.port}/`);
    expect(failure).toBe("connection_lost");
    expect(error).toMatch(/^The connection to "127.0.0.1:\d+" was lost before the answer was whole. \(ECONNRESET\)$/);
  });

  test.each([
    [
      "from an untrusted authority",
      "api.procedo.test",
      serverCertificate,
      undefined,
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
    ["that has expired", "api.procedo.test", expiredCertificate, testAuthority, "CERT_HAS_EXPIRED"],
    ["of another host", "other.procedo.test", serverCertificate, testAuthority, "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("a certificate %s", async (_what, host, certificate, ca, code) => {
    const server = await listen(answering(http("200 OK", [])), (secure) => createTlsServer(certificate, secure));
    const egress = { resolve: async () => ["127.0.0.1"], ...(ca === undefined ? {} : { ca }) };
    const { failure, error } = await failureOf(`https://${host}:${server.port}/`, egress);
    expect(failure).toBe("tls");
    expect(error).toBe(`The TLS connection to "${host}" port ${server.port} could not be established. (${code})`);
    expect(server.received()).toBe("");
  });

  test("a name that no longer exists", async () => {
    let known = true;
    const resolve = async (): Promise<readonly string[]> => {
      if (known) return ["127.0.0.1"];
      throw Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
    };
    const harness = await createWebhookHarness({ egress: { allowNetworks: ["127.0.0.1/32"], resolve } });
    const webhook = await harness.subscribe("http://gone.procedo.test/");
    known = false;
    await harness.emitEvent();
    expect(await harness.deliveryThat(webhook, wasTried)).toMatchObject({
      status: "pending",
      error: 'The name "gone.procedo.test" could not be resolved: it does not exist, or it has no address. (ENOTFOUND)',
    });
  });

  test.each([
    ["no answer", slow("")],
    ["a head that never ends", slow("HTTP/1.1 200 OK\r\nx-a: b\r\n")],
  ])("a receiver that is too slow, after 15 s: %s", async (_what, answer) => {
    const harness = await createWebhookHarness();
    const receiver = await receive(answer);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 1);
    await harness.clock.advance(15 * secondMs);
    const delivery = await harness.deliveryThat(webhook, wasTried);
    expect(delivery).toMatchObject({
      status: "pending",
      responseCode: undefined,
      error: '"127.0.0.1:PORT" did not answer within 15,000 ms.'.replace("PORT", new URL(receiver.url).port),
    });
    expect(await harness.engine.webhooks.attempts({ ...webhook, deliveryId: delivery.deliveryId })).toMatchObject([
      { failure: "timeout", tookMs: 15 * secondMs },
    ]);
  });

  test("an answer that is not HTTP", async () => {
    const server = await listen(answering("SSH-2.0-OpenSSH_9.6\r\n"));
    expect((await failureOf(`http://127.0.0.1:${server.port}/`)).failure).toBe("response");
  });

  test.each([
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nok"],
    ["an invalid chunked body", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n"],
  ])("but not if the status is a success: %s", async (_what, answer) => {
    const harness = await createWebhookHarness();
    const server = await listen((socket) => socket.once("data", () => socket.end(answer)));
    const webhook = await harness.subscribe(`http://127.0.0.1:${server.port}/`);
    await harness.emitEvent();
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", responseCode: 200 });
  });
});
