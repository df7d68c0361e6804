import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { manualClock } from "@procedo-testing/faults";
import { ProcedoError, type JsonObject } from "@procedo/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHarness, textOf, until, type Harness } from "./harness.ts";

const path = "/api/v1/webhooks";

/** A receiver that answers 204 and reports each event. */
async function receiver(): Promise<{ readonly url: string; next(): Promise<string> }> {
  const events: string[] = [];
  const waiting: ((event: string) => void)[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      response.writeHead(204).end();
      const { event } = JSON.parse(text) as { event: string };
      const tell = waiting.shift();
      if (tell === undefined) events.push(event);
      else tell(event);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    next: () =>
      new Promise((resolve) => {
        const event = events.shift();
        if (event === undefined) waiting.push(resolve);
        else resolve(event);
      }),
  };
}

/** The address of a receiver that answers 500. */
async function refusing(): Promise<string> {
  const server = createServer(
    (request, response) => void request.resume().on("end", () => response.writeHead(500).end()),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

async function withWebhook(request: object = {}) {
  const harness = await createHarness();
  const key = await harness.key();
  const { url, next } = await receiver();
  const created = await harness.ask(`POST ${path}`, { key, body: { url, events: ["run_completed"], ...request } });
  const id = textOf(created.body["id"]);
  return { harness, key, url, next, created, id, at: `${path}/${id}` };
}

/** Polls until the delivery has ended: the receiver reports an event before its answer arrives. */
async function endedDelivery(harness: Harness, key: string, at: string): Promise<unknown> {
  let delivery: { readonly status: string } | undefined;
  await until(async () => {
    const { body } = await harness.ask(`GET ${at}/deliveries`, { key });
    [delivery] = body["data"] as { status: string }[];
    return delivery !== undefined && delivery.status !== "pending";
  });
  return delivery;
}

test("POST webhooks with only url and events answers 201, with the secret that no other answer contains", async () => {
  const { harness, key, url, created, id, at } = await withWebhook();
  const shown = {
    id,
    name: new URL(url).host,
    url,
    events: ["run_completed"],
    isActive: true,
    createdBy: "olga@procedo.test",
    createdAt: expect.any(String),
  };
  expect(created.status).toBe(201);
  expect(created.body).toEqual({ ...shown, secret: expect.stringMatching(/^whsec_/) });
  const read = await harness.ask(`GET ${at}`, { key });
  expect(read.body).toEqual(shown);
  expect((await harness.ask(`GET ${path}`, { key })).body).toEqual({ data: [shown] });
});

describe("POST webhooks refuses", () => {
  test.each<[what: string, body: object, status: number]>([
    ["no url", { events: ["run_failed"] }, 400],
    ["no events", { url: "https://192.0.2.1", events: [] }, 400],
    ["an unknown event", { url: "https://192.0.2.1", events: ["run_exploded"] }, 400],
    ["another protocol", { url: "ftp://127.0.0.1", events: ["run_failed"] }, 400],
    ["an own secret", { url: "https://192.0.2.1", events: ["run_failed"], secret: "whsec_x" }, 400],
    ["credentials in the address", { url: "https://a:b@127.0.0.1", events: ["run_failed"] }, 422],
    ...[
      "http://169.254.169.254/latest/meta-data",
      "http://10.0.0.1/",
      "http://192.168.1.1/",
      "http://[::1]/",
      "http://[::ffff:10.0.0.1]/",
      "http://[fd00::1]/",
      "http://0xa000001/",
      "http://167772161/",
      "http://10.1/",
      "http://[64:ff9b::a00:1]/",
      "http://[2002:a00:1::]/",
      "http://100.64.0.1/",
      "http://127.0.0.1:22/",
    ].map((url): [string, object, number] => [url, { url, events: ["run_failed"] }, 422]),
  ])("%s", async (_what, body, status) => {
    const harness = await createHarness();
    const key = await harness.key();
    expect((await harness.ask(`POST ${path}`, { key, body })).status).toBe(status);
    expect((await harness.ask(`GET ${path}`, { key })).body).toEqual({ data: [] });
  });
});

test("a host that does not resolve is a 422, because the caller named it", async () => {
  const harness = await createHarness();
  const failed = new ProcedoError("upstream_unreachable", "nobody.invalid could not be looked up.");
  Object.assign(harness.engine.webhooks, { create: () => Promise.reject(failed) });
  const body = { url: "https://nobody.invalid", events: ["run_failed"] };
  expect(await harness.ask(`POST ${path}`, { key: await harness.key(), body })).toMatchObject({
    status: 422,
    body: {
      code: "destination_not_allowed",
      error: failed.message,
      details: [{ path: "/url", message: failed.message }],
    },
  });
});

test("a host whose name server does not answer is a 422 after 3 s with that reason, and no webhook is created or changed", async () => {
  const clock = manualClock();
  const asked: string[] = [];
  const resolve = (name: string): Promise<never> => (asked.push(name), new Promise(() => {}));
  const harness = await createHarness({ clock, egress: { clock, resolve } });
  const key = await harness.key();
  const own = await harness.ask(`POST ${path}`, { key, body: { url: "http://127.0.0.1:8/", events: ["run_failed"] } });
  const url = "https://silent.test/hook";
  const requests = [
    harness.ask(`POST ${path}`, { key, body: { url, events: ["run_failed"] } }),
    harness.ask(`PATCH ${path}/${own.body["id"] as string}`, { key, body: { url } }),
  ];
  while (asked.length === 0) await clock.advance(0);
  await clock.advance(3_000);
  const message = 'The name "silent.test" was not resolved in time: its name server did not answer.';
  for (const answer of await Promise.all(requests)) {
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "destination_not_allowed", error: message, details: [{ path: "/url", message }] },
    });
  }
  expect((await harness.ask(`GET ${path}`, { key })).body["data"]).toMatchObject([{ url: "http://127.0.0.1:8/" }]);
});

test("PATCH replaces only the named fields", async () => {
  const { harness, key, at, url } = await withWebhook();
  const changed = await harness.ask(`PATCH ${at}`, { key, body: { isActive: false, name: "ops" } });
  expect(changed.body).toMatchObject({ name: "ops", isActive: false, url, events: ["run_completed"] });
  expect(await harness.ask(`PATCH ${at}`, { key, body: { id: "other" } })).toMatchObject({
    status: 400,
    body: { code: "unknown_field" },
  });
  expect(await harness.ask(`PATCH ${at}`, { key, body: { url: "http://10.0.0.1" } })).toMatchObject({
    status: 422,
    body: { code: "destination_not_allowed" },
  });
  expect((await harness.ask(`GET ${at}`, { key })).body).toEqual(changed.body);
});

test("rotate returns a new secret, and the time until which the old one also signs", async () => {
  const { harness, key, at, id, created } = await withWebhook();
  const alone = await harness.ask(`POST ${at}/rotate`, { key });
  expect(alone.body).toEqual({ id, secret: expect.stringMatching(/^whsec_/) });
  expect(alone.body["secret"]).not.toBe(created.body["secret"]);
  const kept = await harness.ask(`POST ${at}/rotate`, { key, body: { keepOldSecret: true } });
  expect(kept.body).toEqual({ id, secret: expect.stringMatching(/^whsec_/), oldSecretExpiresAt: expect.any(String) });
});

test("test sends a sample; the delivery is listed, and resent under its id", async () => {
  const { harness, key, at, next, url } = await withWebhook();
  const sent = await harness.ask(`POST ${at}/test`, { key });
  expect(sent).toMatchObject({ status: 200, body: { event: "run_completed", url, createdAt: expect.any(String) } });
  expect(await next()).toBe("run_completed");
  const { id } = sent.body;
  expect(await endedDelivery(harness, key, at)).toEqual({
    id,
    event: "run_completed",
    url,
    status: "delivered",
    responseCode: 204,
    attemptCount: 1,
    createdAt: expect.any(String),
    deliveredAt: expect.any(String),
  });
  const again = await harness.ask(`POST ${at}/deliveries/${textOf(id)}/resend`, { key });
  expect(again).toMatchObject({ status: 200, body: { id } });
  expect(await next()).toBe("run_completed");
  expect(await harness.ask(`POST ${at}/deliveries/none/resend`, { key })).toMatchObject({
    status: 404,
    body: { code: "not_found" },
  });
});

test("a delivery shows the body of its requests, and each attempt", async () => {
  const url = await refusing();
  const { harness, key, at } = await withWebhook({ url });
  const sent = await harness.ask(`POST ${at}/test`, { key });
  await endedDelivery(harness, key, at);
  const id = textOf(sent.body["id"]);
  const one = await harness.ask(`GET ${at}/deliveries/${id}`, { key });
  expect(one).toMatchObject({
    status: 200,
    body: {
      id,
      status: "failed",
      envelope: { id, event: "run_completed", data: { procedureId: "sample", status: "completed" } },
    },
  });
  const attempt = { url, responseCode: 500, failure: "status", error: expect.stringContaining("500"), manual: true };
  const measured = { at: expect.any(String), durationMs: expect.any(Number) };
  expect(one.body["attempts"]).toEqual([{ ...attempt, ...measured }]);
  const listed = async (query: string) =>
    (await harness.ask(`GET ${at}/deliveries?${query}`, { key })).body["data"] as JsonObject[];
  expect(await listed("status=failed&event=run_completed&from=2020-01-01T00:00:00Z")).toMatchObject([{ id }]);
  for (const other of ["status=delivered", "event=run_failed", "runId=run_1", "to=2020-01-01T00:00:00Z"]) {
    expect(await listed(other)).toEqual([]);
  }
  expect(await harness.ask(`GET ${at}/deliveries/none`, { key })).toMatchObject({
    status: 404,
    body: { code: "not_found", error: expect.stringContaining("none") },
  });
});

test("a refused delivery shows the reason, and the time of its retry", async () => {
  const { harness, key, at } = await withWebhook({ url: await refusing() });
  await harness.ended(await harness.run("echo", key));
  let delivery: JsonObject = {};
  await until(async () => {
    const { body } = await harness.ask(`GET ${at}/deliveries`, { key });
    [delivery = {}] = body["data"] as JsonObject[];
    return delivery["responseCode"] !== undefined;
  });
  expect(delivery).toMatchObject({ status: "pending", responseCode: 500, error: expect.stringContaining("500") });
  expect(Date.parse(textOf(delivery["nextAttemptAt"]))).toBeGreaterThan(Date.parse(textOf(delivery["createdAt"])));
});

test("an event during which a webhook is inactive is listed as skipped, and sent on request once it is active", async () => {
  const { harness, key, at, next, url } = await withWebhook();
  const since = new Date(0).toISOString();
  const off = await harness.ask(`PATCH ${at}`, { key, body: { isActive: false } });
  const because = textOf(off.body["deactivatedBecause"]);
  expect(off.body).toMatchObject({ isActive: false, deactivatedAt: expect.any(String) });
  expect(because).toMatch(/^Deactivated by /);
  await harness.ended(await harness.run("echo", key));
  const skipped = (await endedDelivery(harness, key, at)) as JsonObject;
  expect(skipped).toEqual({
    id: expect.any(String),
    event: "run_completed",
    runId: expect.stringMatching(/^run_/),
    url,
    status: "skipped",
    attemptCount: 0,
    createdAt: expect.any(String),
    error: `No attempt was made: the webhook was inactive. ${because} Activate the webhook and resend this delivery.`,
  });
  expect(await harness.ask(`POST ${at}/deliveries/resend`, { key, body: { since } })).toMatchObject({
    status: 409,
    body: { code: "webhook_inactive", error: expect.stringContaining("Activate it, then resend") },
  });
  const on = await harness.ask(`PATCH ${at}`, { key, body: { isActive: true } });
  expect(Object.keys(on.body)).toEqual(["id", "name", "url", "events", "isActive", "createdBy", "createdAt"]);
  const failed = await harness.ask(`POST ${at}/deliveries/resend`, { key, body: { since, statuses: ["failed"] } });
  expect(failed).toMatchObject({ status: 200, body: { resent: 0 } });
  const resent = await harness.ask(`POST ${at}/deliveries/resend`, { key, body: { since } });
  expect(resent).toMatchObject({ status: 200, body: { resent: 1 } });
  expect(await next()).toBe("run_completed");
  expect(await endedDelivery(harness, key, at)).toMatchObject({
    id: skipped["id"],
    status: "delivered",
    attemptCount: 1,
  });
});

test("a run that completes is delivered to the webhooks of its environment only", async () => {
  const { harness, key, at, next } = await withWebhook();
  await harness.run("echo", await harness.key(["run"], "live"), "live");
  const runId = await harness.run("echo", key);
  await harness.ended(runId);
  expect(await next()).toBe("run_completed");
  expect(((await harness.ask(`GET ${at}/deliveries`, { key })).body["data"] as unknown[]).length).toBe(1);
  const { body } = await harness.ask(`GET ${at}/deliveries?runId=${runId}`, { key });
  expect(body["data"]).toMatchObject([{ event: "run_completed", runId }]);
});

test("DELETE removes it; then every request about it is a 404", async () => {
  const { harness, key, at } = await withWebhook();
  expect((await harness.ask(`DELETE ${at}`, { key })).body).toEqual({ success: true });
  for (const target of [
    `GET ${at}`,
    `DELETE ${at}`,
    `PATCH ${at}`,
    `POST ${at}/test`,
    `POST ${at}/rotate`,
    `GET ${at}/deliveries`,
  ]) {
    const body = /^(PATCH|POST)/.test(target) ? {} : undefined;
    expect(await harness.ask(target, { key, body })).toMatchObject({
      status: 404,
      body: { code: "webhook_not_found" },
    });
  }
});
