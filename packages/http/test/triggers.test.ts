import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { asJson, createHarness, newName, origin, textOf, until, type Harness } from "./harness.ts";

const path = "/api/v1/triggers";
const daily = { kind: "schedule", cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" };
const webhook = { kind: "webhook", authentication: { scheme: "hmac", header: "X-Signature" } };

async function withTrigger(given: JsonObject = {}) {
  const harness = await createHarness();
  const key = await harness.key();
  const body = { name: newName(), procedureId: "ask", source: daily, input: { amount: 5 }, ...given };
  const created = await harness.ask(`POST ${path}`, { key, body });
  const id = textOf(created.body["id"]);
  return { harness, key, body, created, id, at: `${path}/${id}` };
}

/** Fires the trigger, and resolves with its firing once that has ended. */
async function fired(harness: Harness, key: string, at: string, body: JsonObject = {}) {
  const answer = await harness.ask(`POST ${at}/fire`, { key, body });
  expect(answer.status, answer.text).toBe(202);
  return await endedFiring(harness, key, `${at}/firings/${textOf(answer.body["firingId"])}`);
}

async function endedFiring(harness: Harness, key: string, firing: string): Promise<JsonObject> {
  let found: JsonObject = {};
  await until(async () => {
    found = (await harness.ask(`GET ${firing}?include=event,input`, { key })).body;
    return found["status"] !== "pending" && found["status"] !== "waiting";
  });
  return found;
}

test("POST triggers with a schedule answers 201 with the next five times, and no secret", async () => {
  const { harness, key, body, created, id, at } = await withTrigger();
  expect(created.status, created.text).toBe(201);
  expect(created.body).toMatchObject({
    id,
    name: body.name,
    environment: "sandbox",
    procedureId: "ask",
    version: null,
    source: { ...daily, catchUp: "latest", catchUpWithin: "PT24H", spread: "PT0S" },
    input: { amount: 5 },
    overlap: "skip",
    state: "active",
    health: { status: "ok", consecutiveFailures: 0, waiting: 0 },
    problems: [],
    createdBy: "olga@procedo.test",
    revision: 1,
  });
  expect(created.body["next"]).toHaveLength(5);
  expect(created.body).not.toHaveProperty("secret");
  expect(created.body).not.toHaveProperty("inbound");
  expect((await harness.ask(`GET ${at}`, { key })).body).toEqual(created.body);
  expect((await harness.ask(`GET ${path}`, { key })).body).toEqual({ data: [created.body] });
});

test("the secret of a webhook trigger is in the answers to its creation and rotation, and in no other", async () => {
  const { harness, key, created, at } = await withTrigger({ source: webhook });
  const { secret, ...trigger } = created.body;
  expect(secret).toMatch(/^whsec_\S+$/);
  expect(trigger).toMatchObject({
    overlap: "allow",
    next: [],
    inbound: { url: expect.stringMatching(new RegExp(`^${origin}/in/v1/in_sandbox_[0-9a-f]{32}$`)) },
  });
  const rotated = await harness.ask(`POST ${at}/rotate`, { key });
  expect(rotated.status, rotated.text).toBe(200);
  expect(rotated.body["secret"]).toMatch(/^whsec_\S+$/);
  expect(rotated.body["secret"]).not.toBe(secret);
  const untilMs = Date.parse(textOf(rotated.body["oldSecretExpiresAt"])) - Date.now();
  expect(Math.round(untilMs / 3_600_000)).toBe(24);
  for (const target of [`GET ${at}`, `GET ${path}`, `POST ${at}/pause`, "GET /api/v1/audit"]) {
    const { text } = await harness.ask(target, { key });
    expect(text).not.toContain("whsec_");
  }
});

test("the secret of a trigger without an address cannot be rotated", async () => {
  const { harness, key, at } = await withTrigger();
  expect(await harness.ask(`POST ${at}/rotate`, { key })).toMatchObject({
    status: 422,
    body: { code: "invalid_input" },
  });
});

describe("POST triggers refuses with a 422 and the place", () => {
  test.each<[what: string, given: JsonObject, path: string]>([
    ["a cron expression that never fires", { source: { ...daily, cron: "0 0 30 2 *" } }, "/source/cron"],
    ["seconds", { source: { ...daily, cron: "* * * * * *" } }, "/source/cron"],
    ["a nickname", { source: { ...daily, cron: "@daily" } }, "/source/cron"],
    ["a date", { source: { ...daily, cron: "2026-05-01T00:00:00" } }, "/source/cron"],
    ["an offset as zone", { source: { ...daily, timeZone: "+05:30" } }, "/source/timeZone"],
    ["an unknown zone", { source: { ...daily, timeZone: "Nowhere/Zone" } }, "/source/timeZone"],
    ["catching up all with skip", { source: { ...daily, catchUp: "all" }, overlap: "skip" }, "/overlap"],
    ["an input that the procedure does not take", { input: { amount: "much" } }, "/input/amount"],
    ["an expression with a mistake", { when: "event.(" }, "/when"],
  ])("%s", async (_what, given, place) => {
    const { harness, key, created } = await withTrigger(given);
    expect(created, created.text).toMatchObject({ status: 422, body: { code: "invalid_input" } });
    const places = (created.body["details"] as { path: string }[]).map((detail) => detail.path);
    expect(places).toContain(place);
    expect((await harness.ask(`GET ${path}`, { key })).body).toEqual({ data: [] });
  });

  test("all faults at once", async () => {
    const { created } = await withTrigger({ source: { ...daily, cron: "@daily", timeZone: "Nowhere" }, when: "((" });
    const places = (created.body["details"] as { path: string }[]).map((detail) => detail.path);
    expect(places).toEqual(expect.arrayContaining(["/source/cron", "/source/timeZone", "/when"]));
  });
});

test.each([
  [{ procedureId: "never" }, 404, "procedure_not_found"],
  [{ version: "never" }, 404, "version_not_found"],
  [{ source: { kind: "integration", connection: "never", events: ["x"] } }, 404, "connection_not_found"],
])("POST triggers with %j is a %i", async (given, status, code) => {
  const { created } = await withTrigger(given);
  expect(created, created.text).toMatchObject({ status, body: { code } });
});

test("two triggers of an environment cannot share a name", async () => {
  const { harness, key, body } = await withTrigger();
  expect(await harness.ask(`POST ${path}`, { key, body })).toMatchObject({ status: 409, body: { code: "name_taken" } });
  const live = await harness.key(["run", "manage"], "live");
  expect((await harness.ask(`POST ${path}`, { key: live, body })).status).toBe(201);
});

test("PATCH replaces only the named fields, and refuses a revision that is not the newest", async () => {
  const { harness, key, at, created } = await withTrigger();
  const changed = await harness.ask(`PATCH ${at}`, { key, body: { name: "renamed", overlap: "queue", revision: 1 } });
  expect(changed.body).toMatchObject({
    name: "renamed",
    overlap: "queue",
    source: created.body["source"],
    revision: 2,
  });
  expect(await harness.ask(`PATCH ${at}`, { key, body: { name: "again", revision: 1 } })).toMatchObject({
    status: 409,
    body: { code: "revision_conflict" },
  });
  expect(await harness.ask(`PATCH ${at}`, { key, body: { state: "paused" } })).toMatchObject({
    status: 400,
    body: { code: "unknown_field" },
  });
});

test("a list finds triggers by procedure, kind and state", async () => {
  const { harness, key, id, at } = await withTrigger();
  await harness.ask(`POST ${path}`, { key, body: { name: newName(), procedureId: "echo", source: webhook } });
  await harness.ask(`POST ${at}/pause`, { key });
  const idsOf = async (query: string) =>
    ((await harness.ask(`GET ${path}?${query}`, { key })).body["data"] as { id: string }[]).map((one) => one.id);
  expect(await idsOf("procedureId=ask")).toEqual([id]);
  expect(await idsOf("kind=schedule")).toEqual([id]);
  expect(await idsOf("state=paused")).toEqual([id]);
  expect(await idsOf("state=active")).not.toContain(id);
  expect(await idsOf("connection=desk")).toEqual([]);
  expect((await harness.ask(`GET ${path}?kind=clock`, { key })).status).toBe(400);
});

test("a pause shows who paused it and why, and a resumed trigger has its next times again", async () => {
  const { harness, key, at } = await withTrigger();
  const paused = await harness.ask(`POST ${at}/pause`, { key, body: { events: "hold", reason: "Month end." } });
  expect(paused.body).toMatchObject({
    state: "paused",
    paused: { by: "olga@procedo.test", reason: "Month end.", events: "hold" },
    next: [],
  });
  const resumed = await harness.ask(`POST ${at}/resume`, { key });
  expect(resumed.body).toMatchObject({ state: "active", next: { length: 5 } });
  expect(resumed.body).not.toHaveProperty("paused");
});

test("a preview shows the local time, and why a time is shifted", async () => {
  const harness = await createHarness();
  const key = await harness.key([]);
  const source = { kind: "schedule", cron: "30 2 29 3 *", timeZone: "Europe/Berlin", startsAt: "2026-03-01T00:00:00Z" };
  const preview = await harness.ask(`POST ${path}/preview`, { key, body: { source } });
  expect(preview.status, preview.text).toBe(200);
  const next = preview.body["next"] as { at: string; local: string; note?: string }[];
  expect(next).toHaveLength(5);
  // 2032-03-29 is no Sunday in March's last week of that rule; 2037-03-29 is the next one that the clock skips.
  for (const { local } of next) expect(local).toMatch(/^\d{4}-03-29T0[23]:\d\d:00\+0[12]:00$/);
  const faulty = await harness.ask(`POST ${path}/preview`, {
    key,
    body: { source: { ...source, cron: "61 * * * *" } },
  });
  expect(faulty).toMatchObject({ status: 422, body: { code: "invalid_input" } });
});

test("a preview evaluates a mapping that is not stored, for a person who may manage", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  const preview = async (mapping: JsonObject, source: JsonObject = webhook, by = key): Promise<JsonObject> => {
    const body = { source, mapping: { procedureId: "ask", ...mapping } };
    return (await harness.ask(`POST ${path}/preview`, { key: by, body })).body;
  };
  const input = { amount: "{{ event.cents }}" };
  const event = { cents: 500 };
  expect(await preview({ input, event })).toEqual({
    next: [],
    test: { matches: true, input: { amount: 500 }, problems: [] },
  });
  expect(await preview({ input, event, when: "event.cents > 1000" })).toEqual({
    next: [],
    test: { matches: false, problems: [] },
  });
  expect(
    await preview({ input: { amount: "{{ headers.amount }}" }, event, headers: { amount: "many" } }),
  ).toMatchObject({
    test: { matches: true, problems: [{ path: "/data/amount" }] },
  });
  expect(await preview({ input, event: {} })).toMatchObject({ test: { problems: [{ path: "/input/amount" }] } });
  expect(await preview({ procedureId: "nothing", input, event })).toMatchObject({
    test: { problems: [{ path: "/procedureId" }] },
  });
  expect(await preview({ input: { amount: 5 } }, daily)).toMatchObject({
    next: { length: 5 },
    test: { input: { amount: 5 } },
  });
  expect(await preview({ input })).toMatchObject({ code: "invalid_input", details: [{ path: "/event" }] });
  expect(await preview({ input, event }, webhook, await harness.key(["run"]))).toMatchObject({
    code: "permission_denied",
  });
  expect((await harness.ask(`GET ${path}`, { key })).body).toEqual({ data: [] });
});

describe("POST fire", () => {
  test("starts a run for the caller, which says what started it, and the list of runs finds it", async () => {
    const { harness, key, at, id } = await withTrigger();
    const firing = await fired(harness, key, at);
    expect(firing).toMatchObject({
      triggerId: id,
      status: "started",
      requestedBy: "olga@procedo.test",
      count: 1,
      duplicates: 0,
      procedureVersion: "v1",
      input: { amount: 5 },
    });
    const runId = textOf(firing["runId"]);
    const trigger = { kind: "manual", triggerId: id, firingId: firing["id"] };
    const run = await harness.ask(`GET /api/v1/runs/${runId}`, { key });
    expect(run.body).toMatchObject({ runId, trigger, startedBy: "olga@procedo.test" });
    const listed = await harness.ask(`GET /api/v1/runs?triggerId=${id}`, { key });
    expect(listed.body["data"]).toMatchObject([{ runId, trigger }]);
    expect((await harness.ask("GET /api/v1/runs?triggerId=trg_other", { key })).body).toEqual({ data: [] });
  });

  test("also starts a run while the trigger is paused", async () => {
    const { harness, key, at } = await withTrigger();
    await harness.ask(`POST ${at}/pause`, { key });
    expect(await fired(harness, key, at)).toMatchObject({ status: "started" });
  });

  test("with data replaces the template, and with an event evaluates it", async () => {
    const { harness, key, at } = await withTrigger({ source: webhook, input: { amount: "{{ event.sum }}" } });
    expect(await fired(harness, key, at, { data: { amount: 7 } })).toMatchObject({ input: { amount: 7 } });
    expect(await fired(harness, key, at, { event: { sum: 9 } })).toMatchObject({
      input: { amount: 9 },
      content: { event: { sum: 9 } },
    });
  });

  test("with the same Idempotency-Key is the same firing", async () => {
    const { harness, key, at } = await withTrigger({ overlap: "allow" });
    const headers = { "idempotency-key": "once" };
    const first = await harness.ask(`POST ${at}/fire`, { key, headers });
    const second = await harness.ask(`POST ${at}/fire`, { key, headers });
    expect(second.body).toEqual(first.body);
    await endedFiring(harness, key, `${at}/firings/${textOf(first.body["firingId"])}`);
    const { body } = await harness.ask(`GET ${at}/firings`, { key });
    expect(body["data"]).toHaveLength(1);
  });
});

test("a firing whose mapping fails says where, and a refire after the mend starts a run", async () => {
  const { harness, key, at, id } = await withTrigger({ source: webhook, input: { amount: "{{ event.sum }}" } });
  const failed = await fired(harness, key, at, { event: { sum: "12,50" } });
  expect(failed).toMatchObject({ status: "failed", reason: "input_invalid" });
  expect(failed["error"]).toMatchObject({ details: [{ path: "/data/amount" }] });
  expect((await harness.ask(`GET ${at}`, { key })).body).toMatchObject({ health: { status: "failing" } });
  await harness.ask(`PATCH ${at}`, { key, body: { input: { amount: 1 } } });
  const again = await harness.ask(`POST ${at}/firings/${textOf(failed["id"])}/refire`, { key });
  expect(again.status, again.text).toBe(202);
  const mended = await endedFiring(harness, key, `${at}/firings/${textOf(again.body["firingId"])}`);
  expect(mended).toMatchObject({ triggerId: id, status: "started", refireOf: failed["id"], input: { amount: 1 } });
});

test("an idempotency key of another request is a 409, for a fire and a refire", async () => {
  const { harness, key, at } = await withTrigger({ source: webhook, input: { amount: "{{ event.sum }}" } });
  const headers = { "idempotency-key": "k" };
  const fire = (sum: string) => harness.ask(`POST ${at}/fire`, { key, headers, body: { event: { sum } } });
  const first = await fire("x");
  expect((await fire("x")).body).toEqual(first.body);
  expect(await fire("y")).toMatchObject({ status: 409, body: { code: "idempotency_conflict" } });
  const failed = `${at}/firings/${textOf(first.body["firingId"])}`;
  await endedFiring(harness, key, failed);
  const refire = () => harness.ask(`POST ${failed}/refire`, { key, headers });
  const again = await refire();
  expect(again.status, again.text).toBe(202);
  expect((await refire()).body).toEqual(again.body);
});

test("a firing shows its event and input only if they are asked for", async () => {
  const { harness, key, at } = await withTrigger({ source: webhook, input: { amount: "{{ event.sum }}" } });
  const { id } = await fired(harness, key, at, { event: { sum: 3 } });
  const get = async (query: string) => (await harness.ask(`GET ${at}/firings/${textOf(id)}${query}`, { key })).body;
  expect(Object.keys(await get(""))).not.toEqual(expect.arrayContaining(["content"]));
  expect(await get("")).not.toHaveProperty("input");
  expect(await get("?include=event")).toMatchObject({ content: { event: { sum: 3 }, headers: {} } });
  expect(await get("?include=event")).not.toHaveProperty("input");
  expect(await get("?include=input")).toMatchObject({ input: { amount: 3 } });
});

test("a test of the mapping answers what a run would get, and starts nothing", async () => {
  const given = { source: webhook, when: "event.sum > 2", input: { amount: "{{ event.sum }}" } };
  const { harness, key, at } = await withTrigger(given);
  const ask = async (body: JsonObject) => (await harness.ask(`POST ${at}/test`, { key, body })).body;
  expect(await ask({ event: { sum: 3 } })).toEqual({ matches: true, input: { amount: 3 }, problems: [] });
  expect(await ask({ event: { sum: 1 } })).toMatchObject({ matches: false });
  expect(await ask({ event: {} })).toMatchObject({ problems: [{ path: expect.any(String) }] });
  expect((await harness.ask(`GET ${at}/firings`, { key })).body).toEqual({ data: [] });
  expect((await harness.ask(`POST ${at}/test`, { key, body: { firingId: "fir_never" } })).body).toMatchObject({
    code: "firing_not_found",
  });
});

test("a backfill fires the times of a past period once", async () => {
  const source = { kind: "schedule", cron: "0 12 * * *", timeZone: "UTC", startsAt: "2020-01-01T00:00:00Z" };
  const { harness, key, at } = await withTrigger({ source, overlap: "allow" });
  const period = { from: "2026-03-01T00:00:00Z", to: "2026-03-04T00:00:00+00:00" };
  const backfill = () => harness.ask(`POST ${at}/backfill`, { key, body: period });
  expect((await backfill()).body).toEqual({ added: 3, known: 0 });
  expect((await backfill()).body).toEqual({ added: 0, known: 3 });
});

test("a deleted trigger is not found, and its runs stay", async () => {
  const { harness, key, at } = await withTrigger();
  const { runId } = await fired(harness, key, at);
  expect(await harness.ask(`DELETE ${at}`, { key })).toMatchObject({ status: 200, body: { success: true } });
  for (const target of [`GET ${at}`, `GET ${at}/firings`, `POST ${at}/fire`]) {
    expect(await harness.ask(target, { key })).toMatchObject({ status: 404, body: { code: "trigger_not_found" } });
  }
  expect((await harness.ask(`GET /api/v1/runs/${textOf(runId)}`, { key })).status).toBe(200);
});

test("the answer to a new default lists the triggers that do not fit it", async () => {
  const { harness, key, id, body } = await withTrigger();
  const { input, ...document } = asJson(harness.documents.ask);
  const { properties } = input as { properties: JsonObject };
  const stricter = {
    type: "object",
    required: ["amount", "payee"],
    properties: { ...properties, payee: { type: "string" } },
  };
  const version = { version: "v2", document: { ...document, input: stricter } };
  const published = await harness.ask("POST /api/v1/procedures/ask/versions", { key, body: version });
  expect(published.status, published.text).toBe(201);
  const chosen = await harness.ask("PUT /api/v1/procedures/ask/defaults/sandbox", { key, body: { version: "v2" } });
  expect(chosen.body["triggers"]).toMatchObject([{ id, name: body.name, problems: [{ path: "/input/payee" }] }]);
  const back = await harness.ask("PUT /api/v1/procedures/ask/defaults/sandbox", { key, body: { version: "v1" } });
  expect(back.body["triggers"]).toEqual([]);
});

test("a start at the API's address is by hand, a start of the Runner API is not", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  const start = async (target: string, headers = {}) =>
    textOf((await harness.ask(target, { key, body: { data: {} }, headers })).body["runId"]);
  const read = async (runId: string) => (await harness.ask(`GET /runs/${runId}`, { key })).body;
  const byHand = await start("POST /api/v1/procedures/echo/runs", { "idempotency-key": "one" });
  expect(await read(byHand)).toMatchObject({ trigger: { kind: "manual" }, startedBy: "olga@procedo.test" });
  expect(await read(await start("POST /v1/procedures/echo/sandbox"))).not.toHaveProperty("trigger");
  // One key, one run, whichever address was used first.
  expect(await start("POST /v1/procedures/echo/sandbox", { "idempotency-key": "one" })).toBe(byHand);
});

test("what started a run is in its audit export", async () => {
  const { harness, key, at, id } = await withTrigger();
  const { runId } = await fired(harness, key, at);
  const { text } = await harness.ask(`GET /api/v1/runs/${textOf(runId)}/audit`, { key });
  expect(text).toContain(id);
});
