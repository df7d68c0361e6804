import { setTimeout as pause } from "node:timers/promises";
import type { CurlAnswer, CurlRequest } from "./curl.ts";

/** Time for a firing to start its run. */
const settleMs = 2_000;

/** Exercises a schedule and a webhook trigger of the procedure `greeting`, from their creation to their deletion. */
export async function callTriggers(
  expect: (status: number, request: CurlRequest) => Promise<CurlAnswer>,
  { key, live }: { readonly key: string; readonly live: string },
): Promise<void> {
  const path = "/api/v1/triggers";
  const source = { kind: "schedule", cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" };
  const daily = { name: "Daily greeting", procedureId: "greeting", source, input: { name: "{{ schedule.date }}" } };
  const made = await expect(201, { path, key, body: daily });
  const trigger = `${path}/${String(made.body["id"])}`;
  await expect(409, { path, key, body: daily });
  await expect(422, { path, key, body: { ...daily, source: { ...source, cron: "@daily", timeZone: "+05:30" } } });
  await expect(404, { path, key, body: { ...daily, name: "Other", procedureId: "unknown" } });
  await expect(200, { path: `${path}/preview`, key, body: { source } });
  await expect(200, { path: `${path}?kind=schedule`, key });
  await expect(200, { path: trigger, key });
  await expect(404, { path: trigger, key: live });
  await expect(200, { method: "PATCH", path: trigger, key, body: { overlap: "queue_one", revision: 1 } });
  await expect(409, { method: "PATCH", path: trigger, key, body: { overlap: "queue", revision: 1 } });
  await expect(200, { path: `${trigger}/pause`, key, body: { reason: "Month end." } });
  await expect(200, { method: "POST", path: `${trigger}/resume`, key });
  await expect(200, {
    path: `${trigger}/backfill`,
    key,
    body: { from: "2026-11-24T00:00:00Z", to: "2026-11-25T00:00:00Z" },
  });

  const authentication = { scheme: "token", header: "X-Token" };
  const dedupe = { by: "expression", expression: "event.id" };
  const posted = await expect(201, {
    path,
    key,
    body: {
      name: "Guests",
      procedureId: "greeting",
      source: { kind: "webhook", authentication, dedupe },
      when: "event.kind == 'guest'",
      input: { name: "{{ event.name }}" },
    },
  });
  const guests = `${path}/${String(posted.body["id"])}`;
  const address = new URL((posted.body["inbound"] as { readonly url: string }).url).pathname;
  const headers = [`X-Token: ${String(posted.body["secret"])}`, "Content-Type: application/json"];
  const guest = JSON.stringify({ id: "evt_1", kind: "guest", name: "Ada" });
  await expect(200, { path: address, headers, body: guest });
  await expect(401, { path: address, headers: ["X-Token: guess", "Content-Type: application/json"], body: guest });
  await expect(404, { path: "/in/v1/in_sandbox_unknown", headers, body: guest });
  await expect(200, { path: `${guests}/test`, key, body: { event: { kind: "guest" } } });
  const fired = await expect(202, {
    path: `${guests}/fire`,
    key,
    headers: ["Idempotency-Key: greet-1"],
    body: { event: { kind: "cat" } },
  });
  const firing = `${guests}/firings/${String(fired.body["firingId"])}`;
  await pause(settleMs);
  await expect(200, { path: `${guests}/firings`, key });
  await expect(200, { path: `${firing}?include=event,input`, key });
  await expect(404, { path: `${guests}/firings/fir_unknown`, key });
  await expect(202, { method: "POST", path: `${firing}/refire`, key });
  await expect(200, { path: `/api/v1/runs?triggerId=${String(posted.body["id"])}`, key });
  await expect(200, { method: "POST", path: `${guests}/rotate`, key });
  await expect(200, { method: "DELETE", path: guests, key });
  await expect(200, { method: "DELETE", path: trigger, key });
  await expect(404, { method: "DELETE", path: trigger, key });
}
