import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { startPostgres } from "@procedo-testing/postgres";
import type { CreatedApiKey } from "@procedo/contract";
import { expect, onTestFinished, test } from "vitest";
import { payment } from "./bank.ts";
import { addPeople, statusesOf } from "./people-of-a-service.ts";
import { call, fileWith, makePlace, procedo, procedoJson, startProcess, type Place } from "./server-process.ts";

/** Rejects deliveries until the test lets it accept them; remembers the runs of accepted deliveries. */
async function openReceiver() {
  let accepts = false;
  const acceptedOf: string[] = [];
  const receiver = createServer((request, response) => {
    void json(request).then((event) => {
      if (accepts) acceptedOf.push((event as { readonly data: { readonly runId: string } }).data.runId);
      response.writeHead(accepts ? 200 : 503).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  return { url, acceptedOf, acceptAll: () => (accepts = true) };
}

async function start(place: Place) {
  const server = await startProcess(place);
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await server.ended;
  });
  return server;
}

test("a Postgres backup taken under load, restored, verifies, is served, sends no webhook again, and has no session", async () => {
  const primary = await startPostgres();
  onTestFinished(() => primary.close());
  const place = makePlace({ DATABASE_URL: primary.url, PROCEDO_MASTER_KEY: "ab".repeat(32) });
  onTestFinished(() => place.remove());
  const receiver = await openReceiver();
  const server = await start(place);
  await procedoJson(place, "procedures", "publish", fileWith(place, "payment.json", payment), "--version", "1");
  const create = ["keys", "create", "--name", "load", "--environment", "sandbox"];
  const { key } = await procedoJson<CreatedApiKey>(place, ...create);
  const webhook = { url: receiver.url, events: ["run_completed"] };
  expect(await call(`${server.url}/api/v1/webhooks`, key, webhook)).toMatchObject({ status: 201 });

  const people = await addPeople(place, server.url);
  const acknowledged: string[] = [];
  let loading = true;
  const load = Array.from({ length: 4 }, async () => {
    while (loading) {
      const { body } = await call(`${server.url}/v1/procedures/payment/sandbox`, key, { data: { sum: 1 } });
      acknowledged.push((body as { readonly runId: string }).runId);
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(40);
  const before = [...acknowledged];
  // A base backup with its log replayed to the point in time at which it is promoted.
  const backup = await primary.standby();
  onTestFinished(() => backup.close());
  await backup.promote();
  loading = false;
  await Promise.all(load);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);

  const restored = { ...place, env: { ...place.env, DATABASE_URL: backup.url } };
  const { deliveriesEnded, ...ended } = await procedoJson<{ deliveriesEnded: number }>(restored, "restored");
  expect(deliveriesEnded).toBeGreaterThan(0);
  expect(ended).toEqual({ callsLost: 0, firingsEnded: 0, timesSkipped: 0, sessionsEnded: 1, invitationsWithdrawn: 1 });
  expect(await procedoJson(restored, "restored")).toEqual({
    deliveriesEnded: 0,
    callsLost: 0,
    firingsEnded: 0,
    timesSkipped: 0,
    sessionsEnded: 0,
    invitationsWithdrawn: 0,
  });
  expect(await procedo(restored, "audit", "verify")).toMatchObject({ code: 0 });

  receiver.acceptAll();
  const again = await start(restored);
  expect(await statusesOf(again.url, people)).toEqual([401, 404]);
  for (const runId of before) {
    expect(await call(`${again.url}/runs/${runId}`, key)).toMatchObject({ status: 200, body: { runId } });
  }
  const { body } = await call(`${again.url}/v1/procedures/payment/sandbox`, key, { data: { sum: 1 } });
  const { runId } = body as { readonly runId: string };
  await expect.poll(() => receiver.acceptedOf).toContain(runId);
  expect(receiver.acceptedOf.filter((id) => before.includes(id))).toEqual([]);
});
