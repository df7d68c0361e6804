import { expect, test } from "vitest";
import { alice, bob, createHarness, holdDeliveries } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { enter, join, operator, ownerAccess } from "./people-harness.ts";
import { createPrivateHarness, declared } from "./private-harness.ts";
import { createWebhookHarness } from "./webhook-harness.ts";

const reason = "It was pending in a backup that was restored, and is not sent again.";
const environment = "sandbox";
const nothing = {
  deliveriesEnded: 0,
  callsLost: 0,
  firingsEnded: 0,
  timesSkipped: 0,
  sessionsEnded: 0,
  invitationsWithdrawn: 0,
};

async function restored() {
  const harness = await createWebhookHarness();
  const { webhookId } = await harness.subscribe("https://93.184.216.34/hook");
  holdDeliveries(harness.engine);
  await harness.publish(procedure([call("a", "once")], { procedureId: "w" }));
  const runId = await harness.run({}, { procedureId: "w" });
  const deliveries = async () => (await harness.engine.webhooks.deliveries({ environment, webhookId, limit: 9 })).items;
  return { ...harness, webhookId, runId, deliveries };
}

test("pending deliveries end as failed, with the reason, and can be resent manually", async () => {
  const { engine, webhookId, deliveries, addEngine, clock } = await restored();
  expect(await deliveries()).toMatchObject([{ status: "pending" }]);
  expect(await engine.markRestored({ by: alice, resendWebhooks: true })).toEqual(nothing);
  expect(await engine.markRestored({ by: alice })).toEqual({ ...nothing, deliveriesEnded: 1 });
  expect(await engine.markRestored({ by: alice })).toEqual(nothing);
  const [ended] = await deliveries();
  expect(ended).toMatchObject({ status: "failed", error: reason });

  const sending = await addEngine();
  await clock.advance(3_600_000);
  expect(await deliveries()).toMatchObject([{ status: "failed", error: reason }]);
  const { deliveryId = "" } = ended ?? {};
  await sending.webhooks.resend({ environment, webhookId, deliveryId, by: alice });
  expect(await deliveries()).toMatchObject([{ status: "pending" }]);
});

test("the audit chain records the restore, which requires permission to manage both environments", async () => {
  const { engine } = await restored();
  await engine.markRestored({ by: alice });
  const reported = (await engine.audit.changes()).filter(({ action }) => action === "webhook.pending_ended");
  expect(reported.map(({ by, subject, details }) => ({ by, subject, details }))).toEqual([
    { by: "alice", subject: "sandbox", details: { reason: "The database was restored from a copy." } },
    { by: "alice", subject: "live", details: { reason: "The database was restored from a copy." } },
  ]);
  for (const by of [
    { ...bob, permissions: ["run"] as const },
    { ...bob, environment: "live" as const },
  ]) {
    await expect(engine.markRestored({ by })).rejects.toMatchObject({ status: 403 });
  }
});

test("calls of private functions that may have been made since the backup are left to a person, and others are dispatched", async () => {
  const harness = await createPrivateHarness();
  const client = await harness.connect([declared("pay"), declared("screen", { idempotent: true })]);
  const runId = await harness.call("pay");
  await harness.call("screen");
  expect(await harness.engine.markRestored({ by: alice })).toEqual({ ...nothing, callsLost: 1 });
  expect(await harness.engine.markRestored({ by: alice })).toEqual(nothing);
  expect(await client.poll()).toMatchObject([{ function: "screen" }]);
  await harness.clock.advance(30_000);
  expect(await harness.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);
  const reported = (await harness.engine.audit.changes()).filter(({ action }) => action === "private_call.lost");
  expect(reported.map(({ subject }) => subject)).toEqual(["sandbox", "live", "sandbox", "live"]);
});

test("sessions of people end and open invitations are void, which the audit chain records, and people sign in again", async () => {
  const { engine, addEngine, clock, storage } = await createHarness();
  const setUp = (await engine.people.setUpToken()) ?? "";
  const expired = await engine.people.invite({
    email: "late@example.com",
    access: { live: ["viewer"] },
    by: operator,
    expiresInMs: 1_000,
  });
  await clock.advance(1_000);
  const ana = await join(engine, "ana@example.com", ownerAccess);
  const ben = await join(engine, "ben@example.com");
  await join(engine, "eve@example.com");
  const sessions = [await enter(engine, ana), await enter(engine, ana), await enter(engine, ben)];
  const open = { email: "new@example.com", access: { live: ["viewer" as const] }, by: operator };
  const { token } = await engine.people.invite(open);

  const node = await addEngine();
  const ended = { ...nothing, sessionsEnded: 3, invitationsWithdrawn: 1 };
  const before = (await engine.audit.changes()).length;
  expect(await node.markRestored({ by: alice })).toEqual(ended);
  expect(await node.markRestored({ by: alice })).toEqual(nothing);

  for (const session of sessions) expect(await engine.sessions.hold(session.token)).toBeUndefined();
  for (const link of [token, expired.token, setUp]) {
    const accepted = engine.people.accept({
      token: link,
      name: "N",
      email: "n@example.com",
      password: "a good one 12",
    });
    await expect(accepted).rejects.toMatchObject({ code: "invitation_not_found" });
  }
  const changes = (await engine.audit.changes()).slice(before);
  const ofPeople = changes.filter(({ action }) => /^(session|person)/.test(action));
  expect(ofPeople.map(({ action, details }) => [action, details])).toEqual(
    expect.arrayContaining([
      ["session.ended_by_other", { email: ana.email, reason: "The database was restored from a copy." }],
      ["session.ended_by_other", { email: ben.email, reason: "The database was restored from a copy." }],
      ["person.invitation_withdrawn", { email: open.email, reason: "The database was restored from a copy." }],
    ]),
  );
  expect(ofPeople).toHaveLength(4);
  expect(ofPeople.every(({ by }) => by === "alice")).toBe(true);
  const { items } = await storage.records.list({ workspace: "default", kind: "person", limit: 9 });
  expect(items.map(({ body }) => (JSON.parse(body) as { readonly email?: string }).email).sort()).toEqual(
    ["ana", "ben", "eve", "late"].map((name) => `${name}@example.com`),
  );
  const { token: renewed } = await enter(engine, ana);
  expect(await engine.sessions.hold(renewed)).toBeDefined();
  expect(await engine.people.invite(open)).toMatchObject({ email: open.email });
});

test("invitations that another node accepts or replaces meanwhile count as done", async () => {
  const { engine, addEngine } = await createHarness();
  const node = await addEngine();
  await join(engine, "ana@example.com", ownerAccess);
  const ben = await engine.people.invite({ email: "ben@example.com", access: { live: ["viewer"] }, by: operator });
  const eve = { email: "eve@example.com", access: { live: ["viewer" as const] }, by: operator };
  await engine.people.invite(eve);
  let replaced = { token: "" };
  let isFirst = true;
  engine.way.on("records.list", async (list) => {
    const page = await list();
    if (isFirst) {
      isFirst = false;
      await node.people.accept({ token: ben.token, name: "Ben", password: "a good one 12" });
      replaced = await node.people.invite(eve);
    }
    return page;
  });
  expect(await engine.markRestored({ by: alice })).toEqual(nothing);
  expect(await node.people.lookUp({ token: replaced.token })).toMatchObject({ email: eve.email });
});
