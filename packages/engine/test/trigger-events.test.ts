import { describe, expect, test } from "vitest";
import { ProcedoError, type GivenTriggerSource, type JsonValue } from "@procedo/contract";
import { triggerEventKey, type RunCommit } from "@procedo/storage";
import { call, procedure } from "./documents.ts";
import { alice, bob } from "./harness.ts";
import { enter, held, join, operator, ownerAccess } from "./people-harness.ts";
import { fails } from "./scripted-bank.ts";
import { createTriggerHarness, hourly, paymentInput, type TriggerHarness } from "./trigger-harness.ts";

const sandbox = "sandbox";
const scope = { workspace: "default", environment: sandbox } as const;
const hook: GivenTriggerSource = {
  kind: "webhook",
  authentication: { scheme: "token", header: "X-Token" },
  dedupe: { by: "none" },
};
const mapping = { input: { paymentId: "{{ event.id }}", amount: "{{ event.amount }}" } };

/** Stores an event as an inbound address does. */
async function send(
  { storage, clock }: TriggerHarness,
  triggerId: string,
  event: { readonly id: string; readonly [name: string]: JsonValue },
): Promise<void> {
  const facts = { id: event.id, type: "webhook", digest: "d", dedupeKey: event.id, dedupeForMs: 35 * 86_400_000 };
  const content = { body: JSON.stringify(event), headers: undefined, occurredAtMs: undefined };
  const keys = [triggerEventKey(scope, triggerId, undefined)];
  await storage.triggers.take({ scope, source: triggerId, maxBacklog: 100, events: [{ ...facts, ...content, keys }] });
  await clock.advance(100);
}

describe("an event", () => {
  test("case 30: whose mapping gives a wrong value fails with its place, and starts a run once it is mended", async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, mapping);
    await send(harness, triggerId, { id: "e1", amount: "12,50" });
    await send(harness, triggerId, { id: "e2" });
    const [wrong, missing] = await harness.firings(triggerId);
    expect(wrong).toMatchObject({
      status: "failed",
      reason: "input_invalid",
      error: { details: [{ path: "/data/amount", message: "must be an integer." }] },
    });
    expect(missing).toMatchObject({
      status: "failed",
      reason: "mapping_failed",
      error: { details: [{ path: "/input/amount", message: 'event has no field "amount"' }] },
    });
    const address = { environment: sandbox, triggerId, by: alice } as const;
    const input = { paymentId: "{{ event.id }}", amount: 1 };
    await harness.engine.triggers.update({ ...address, input });
    const again = await harness.engine.triggers.refire({ ...address, firingId: missing?.firingId ?? "" });
    await harness.clock.advance(100);
    const firings = await harness.firings(triggerId);
    expect(firings).toHaveLength(3);
    expect(firings[2]).toMatchObject({
      ...again,
      status: "started",
      refireOf: missing?.firingId,
      requestedBy: "alice",
      event: { id: "e2" },
    });
    expect(await harness.runs()).toHaveLength(1);
  });

  test("case 21: sent 50 times to three nodes starts one run, and counts the duplicates", async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    await harness.addEngine();
    await harness.addEngine();
    const { triggerId } = await harness.create(hook, mapping);
    await Promise.all(Array.from({ length: 50 }, () => send(harness, triggerId, { id: "e1", amount: 1 })));
    harness.clock.leap(34 * 86_400_000);
    await send(harness, triggerId, { id: "e1", amount: 1 });
    expect(await harness.firings(triggerId)).toMatchObject([{ status: "started", duplicates: 50 }]);
    expect(await harness.runs()).toHaveLength(1);
  });

  test("is text: expressions in it are not evaluated", async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, mapping);
    await send(harness, triggerId, { id: "{{ trigger.id }}", amount: 1 });
    const [firing] = await harness.firings(triggerId);
    const details = await harness.engine.triggers.firing({
      environment: sandbox,
      triggerId,
      firingId: firing?.firingId ?? "",
    });
    expect(details.input).toEqual({ paymentId: "{{ trigger.id }}", amount: 1 });
  });

  test("that does not match is filtered", async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, { ...mapping, when: "event.amount > 100" });
    await send(harness, triggerId, { id: "e1", amount: 1 });
    await send(harness, triggerId, { id: "e2", amount: 101 });
    expect(await harness.firings(triggerId)).toMatchObject([
      { status: "skipped", reason: "filtered" },
      { status: "started" },
    ]);
  });
});

describe("a paused trigger", () => {
  test("holds its events until it is resumed", async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, mapping);
    const address = { environment: sandbox, triggerId, by: alice } as const;
    await harness.engine.triggers.pause({ ...address, holdsEvents: true });
    await send(harness, triggerId, { id: "e1", amount: 1 });
    expect(await harness.firings(triggerId)).toMatchObject([{ status: "waiting" }]);
    expect((await harness.trigger(triggerId)).health.waiting).toBe(1);
    await harness.engine.triggers.resume(address);
    await harness.clock.advance(1_000);
    expect(await harness.firings(triggerId)).toMatchObject([{ status: "started" }]);
  });

  test("fires for the person who asks, with their data, once for one idempotency key", async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, mapping);
    const address = { environment: sandbox, triggerId } as const;
    await harness.engine.triggers.pause({ ...address, by: alice });
    const data = { paymentId: "by hand", amount: 7 };
    const fire = () => harness.engine.triggers.fire({ ...address, by: bob, data, idempotencyKey: "k" });
    expect(await fire()).toEqual(await fire());
    await harness.clock.advance(1_000);
    const runs = await harness.runs();
    expect(runs).toMatchObject([{ startedBy: "bob" }]);
    const record = await harness.read(runs[0]?.runId ?? "");
    expect(record.trigger).toMatchObject({ kind: "manual", triggerId });
    expect(record.trigger).not.toHaveProperty("eventId");
    const [firing] = await harness.firings(triggerId);
    expect(firing).toMatchObject({ status: "started", requestedBy: "bob" });
    await expect(harness.engine.triggers.fire({ ...address, by: bob })).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/event" }],
    });
  });
});

test("a trigger that fails as often in a row as it may is paused, and holds its events", async () => {
  const harness = await createTriggerHarness({ input: paymentInput });
  const { triggerId } = await harness.create(hook, { ...mapping, pauseAfterFailures: 2 });
  await send(harness, triggerId, { id: "e1", amount: "x" });
  expect((await harness.trigger(triggerId)).health).toMatchObject({ status: "failing", consecutiveFailures: 1 });
  await send(harness, triggerId, { id: "e2", amount: "x" });
  await send(harness, triggerId, { id: "e3", amount: 1 });
  expect(await harness.trigger(triggerId)).toMatchObject({
    paused: { by: "procedo", events: "hold" },
    health: { status: "needs_attention" },
  });
  expect(await harness.runs()).toEqual([]);
  const changes = await harness.engine.audit.changes();
  expect(changes.filter(({ action }) => action === "trigger.paused")).toHaveLength(1);
  await harness.engine.triggers.resume({ environment: sandbox, triggerId, by: alice });
  await harness.wait(60_000);
  expect(await harness.runs()).toHaveLength(1);
});

test("failed runs in a row pause their trigger, too", async () => {
  const harness = await createTriggerHarness();
  harness.bank.plan("once", fails("no"), fails("no"));
  await harness.publish(procedure([call("pay", "once", { retry: { maxAttempts: 1 } })]), {
    version: "v2",
    defaultIn: [sandbox],
  });
  const { triggerId } = await harness.create(hook, { pauseAfterFailures: 2 });
  for (const id of ["e1", "e2", "e3"]) {
    await send(harness, triggerId, { id });
    await harness.wait(600_000);
  }
  expect((await harness.trigger(triggerId)).paused).toMatchObject({ by: "procedo" });
  expect(await harness.runs()).toHaveLength(2);
});

describe("a node", () => {
  test("case 29: whose answer to the creation of a run was lost starts it exactly once", async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, mapping);
    let lost = 0;
    harness.engine.way.on("runs.commit", async (commit, request) => {
      const result = await commit();
      if ((request as RunCommit).create?.firing === undefined || lost > 0) return result;
      lost += 1;
      throw new ProcedoError("storage_unavailable", "The connection to the storage was lost.");
    });
    await send(harness, triggerId, { id: "e1", amount: 1 });
    await harness.clock.advance(12_000);
    expect(lost).toBe(1);
    expect(await harness.firings(triggerId)).toMatchObject([{ status: "started" }]);
    expect(await harness.runs()).toHaveLength(1);
  });

  test("case 29: that dies after its claim leaves the firing to another one, within 10 s", async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, mapping);
    harness.engine.way.on("triggers.claim", async (claim) => {
      await claim();
      return await new Promise(() => {});
    });
    await send(harness, triggerId, { id: "e1", amount: 1 });
    expect(await harness.runs()).toEqual([]);
    await harness.addEngine();
    await harness.clock.advance(10_000);
    expect(await harness.firings(triggerId)).toMatchObject([{ status: "started" }]);
    expect(await harness.runs()).toHaveLength(1);
  });
});

test("a run that a person starts by hand says so, in its journal and its audit export", async () => {
  const harness = await createTriggerHarness();
  const runId = await harness.run({}, { isManual: true });
  expect((await harness.read(runId)).trigger).toEqual({ kind: "manual" });
  const [started] = await harness.entries(runId);
  expect(started).toMatchObject({ type: "started", trigger: { kind: "manual" } });
  expect(JSON.stringify(await harness.engine.audit.exportRun({ environment: sandbox, runId }))).toContain('"manual"');
});

test("a new default version shows the triggers that do not fit it", async () => {
  const harness = await createTriggerHarness({ input: paymentInput });
  const { triggerId, problems } = await harness.create(hook, mapping);
  expect(problems).toEqual([]);
  const input = {
    ...paymentInput,
    required: ["iban"],
    properties: { iban: { type: "string" } },
    additionalProperties: false,
  };
  await harness.publish(procedure([], { input }), { version: "v2", defaultIn: [sandbox] });
  const unfit = await harness.engine.triggers.unfit({ environment: sandbox, procedureId: "p" });
  expect(unfit).toMatchObject([{ triggerId, name: "t" }]);
  expect(unfit[0]?.problems.map(({ path }) => path).toSorted()).toEqual([
    "/input/amount",
    "/input/iban",
    "/input/paymentId",
  ]);
  expect((await harness.trigger(triggerId)).health.status).toBe("needs_attention");
});

test("the secret of a webhook trigger is rotated, and shown in no other answer", async () => {
  const harness = await createTriggerHarness({ input: paymentInput });
  const { secret, ...created } = await harness.engine.triggers.create({
    ...{ name: "t", procedureId: "p", environment: sandbox, source: hook, by: alice },
    ...mapping,
  });
  expect(secret).toMatch(/^whsec_/);
  expect(created.inbound?.address).toMatch(/^in_sandbox_[0-9a-f]{32}$/);
  const address = { environment: sandbox, triggerId: created.triggerId, by: alice } as const;
  const rotated = await harness.engine.triggers.rotate(address);
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.oldSecretExpiresAtMs).toBe(harness.clock.now() + 86_400_000);
  const shown = await harness.trigger(created.triggerId);
  expect(shown.inbound?.address).toBe(created.inbound?.address);
  expect(JSON.stringify(shown)).not.toContain("whsec_");
});

test("a removed trigger skips the firings that wait for it, and frees its name", async () => {
  const harness = await createTriggerHarness({ input: paymentInput });
  const { triggerId } = await harness.create(hook, mapping);
  const address = { environment: sandbox, triggerId, by: alice } as const;
  await expect(harness.create(hook, mapping)).rejects.toMatchObject({ code: "name_taken" });
  await harness.engine.triggers.pause({ ...address, holdsEvents: true });
  await send(harness, triggerId, { id: "e1", amount: 1 });
  await harness.engine.triggers.remove(address);
  const { items } = await harness.storage.triggers.list({ scope, triggerId, limit: 9 });
  expect(items).toMatchObject([{ status: "skipped", reason: "deleted" }]);
  await expect(harness.trigger(triggerId)).rejects.toMatchObject({ code: "trigger_not_found" });
  await harness.create(hook, mapping);
});

test("permissions are those of the actor: manage and run to change, run to fire", async () => {
  const harness = await createTriggerHarness({ input: paymentInput });
  const { triggerId } = await harness.create(hook, mapping);
  const manager = { person: "mia", permissions: ["manage"] } as const;
  const runner = { person: "ron", permissions: ["run"] } as const;
  const address = { environment: sandbox, triggerId } as const;
  const { triggers } = harness.engine;
  for (const by of [manager, runner]) {
    await expect(triggers.update({ ...address, name: "u", by })).rejects.toMatchObject({ code: "permission_denied" });
    await expect(triggers.remove({ ...address, by })).rejects.toMatchObject({ code: "permission_denied" });
    await expect(harness.create(hook, { name: "v", by })).rejects.toMatchObject({ code: "permission_denied" });
  }
  await expect(triggers.fire({ ...address, by: manager, data: {} })).rejects.toMatchObject({
    code: "permission_denied",
  });
  await expect(triggers.pause({ ...address, by: runner })).rejects.toMatchObject({ code: "permission_denied" });
  await triggers.pause({ ...address, by: manager });
});

test("a person who may not start runs any more fires nothing, until another one takes the trigger over", async () => {
  const harness = await createTriggerHarness();
  const { engine } = harness;
  await join(engine, "owner@example.com", ownerAccess);
  const person = await join(engine, "ana@example.com", { sandbox: ["builder"] });
  const hold = await held(engine, (await enter(engine, person)).token);
  const { triggerId } = await harness.create(hourly, { by: hold.principalIn(sandbox) });
  await harness.wait(3_600_000);
  expect(await harness.runs()).toMatchObject([{ startedBy: "ana@example.com" }]);
  await engine.people.update({ personId: person.personId, access: { sandbox: ["viewer"] }, by: operator });
  await harness.wait(3_600_000);
  const [, firing] = await harness.firings(triggerId);
  expect(firing).toMatchObject({ status: "failed", reason: "permission_denied" });
  expect(await harness.trigger(triggerId)).toMatchObject({
    health: { status: "needs_attention" },
    problems: [{ path: "/updatedBy" }],
  });
  await engine.triggers.update({ environment: sandbox, triggerId, name: "mine", by: alice });
  await harness.wait(3_600_000);
  const [, second] = await harness.runs();
  expect(second).toMatchObject({ startedBy: "alice" });
});
