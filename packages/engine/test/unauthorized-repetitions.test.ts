/* Payments of unknown outcome whose connection loses its authorization, or gets another one, before they are repeated. */
import { tokenFaults } from "@procedo-testing/oauth-server";
import { expect, test } from "vitest";
import { alice } from "./harness.ts";
import { createOAuthHarness, paying, type OAuthHarness } from "./oauth-harness.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A run whose payment was made, and its connection cut before the answer. It repeats the payment when time goes on. */
async function payCut(harness: OAuthHarness): Promise<string> {
  harness.api.cuts = true;
  const runId = await harness.run({}, { procedureId: paying.procedureId });
  await harness.until(async () => (await harness.entries(runId)).at(-1)?.type === "outcome");
  return runId;
}

test("a payment of unknown outcome waits while its key is kept, and then people are asked about it", async () => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  const runId = await payCut(harness);
  await harness.engine.authorizations.revoke({ ...harness.place, by: alice });
  while (!(await harness.isHeld(runId))) await harness.clock.advance(1_000);
  await harness.pass(dayMs - 120_000);
  expect((await harness.read(runId)).status).toBe("running");
  await harness.pass(120_000);
  await harness.until(async () => (await harness.read(runId)).status !== "running");
  expect((await harness.entries(runId)).at(-1)).toMatchObject({
    type: "review_opened",
    review: { kind: "outcome_unknown", data: { reason: expect.stringContaining("its idempotency key expired") } },
  });
  expect(harness.api.payments).toHaveLength(1);
});

test("a payment of unknown outcome is repeated under its key once the same account is authorized again", async () => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  const runId = await payCut(harness);
  harness.server.revoke({ id: "org-1" });
  while (!(await harness.isHeld(runId))) await harness.clock.advance(1_000);
  harness.api.cuts = false;
  await harness.authorize();
  await harness.until(async () => (await harness.read(runId)).status === "completed");
  expect(harness.api.payments).toHaveLength(2);
  expect(new Set(harness.api.payments.map(({ key }) => key)).size).toBe(1);
});

test.each<[string, (harness: OAuthHarness) => Promise<unknown>]>([
  [
    "in place of the one before",
    async ({ server, authorize }) => {
      server.revoke({ id: "org-1" });
      server.account = { id: "org-2", name: "Other Bakery" };
      await authorize({ replace: true });
    },
  ],
  [
    "after the authorization was removed",
    async ({ engine, place, server, authorize }) => {
      await engine.authorizations.revoke({ ...place, by: alice });
      server.account = { id: "org-2", name: "Other Bakery" };
      await authorize();
    },
  ],
  [
    "by another client of the service",
    async ({ engine, place, server, authorize }) => {
      await engine.connections.update({ ...place, secrets: { clientSecret: server.client.secret }, by: alice });
      await authorize();
    },
  ],
])("a payment of unknown outcome is not repeated for another account: %s", async (_how, change) => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  const runId = await payCut(harness);
  harness.api.cuts = false;
  // The run waits for the next attempt, which is a moment later.
  harness.clock.leap(100);
  await change(harness);
  while ((await harness.read(runId)).status === "running") await harness.clock.advance(1_000);
  expect((await harness.entries(runId)).at(-1)).toMatchObject({
    type: "review_opened",
    review: { data: { reason: expect.stringContaining("may belong to another account") } },
  });
  expect(harness.api.payments).toHaveLength(1);
});

test("a payment of unknown outcome is asked about when the authorization server fails for longer than its key is kept", async () => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  const runId = await payCut(harness);
  harness.server.endAccessTokens();
  harness.server.failTokens(tokenFaults.unavailable);
  while (!(await harness.isHeld(runId))) await harness.clock.advance(1_000);
  for (let hour = 0; hour < 25; hour++) await harness.pass(hourMs);
  await harness.until(async () => (await harness.read(runId)).status === "awaiting_review");
  expect(harness.api.payments).toHaveLength(1);
  const rows = await harness.engine.runs.journal({ environment: "sandbox", runId });
  expect(rows.length).toBeLessThan(60);
});
