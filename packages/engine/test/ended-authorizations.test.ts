/* Authorizations that end although no authorization server says so. The numbers are those of the hostile cases. */
import { tokenFaults } from "@procedo-testing/oauth-server";
import { expect, test } from "vitest";
import { procedure } from "./documents.ts";
import { createOAuthHarness, type OAuthHarness } from "./oauth-harness.ts";

const statuses = async (harness: OAuthHarness, runIds: readonly string[]): Promise<readonly string[]> =>
  Promise.all(runIds.map(async (runId) => (await harness.read(runId)).status));

const oauthOf = async ({ engine, place }: OAuthHarness) => (await engine.connections.get(place)).oauth;

test("a second 401 is the error of the step, also where the authorization has no refresh token", async () => {
  const harness = await createOAuthHarness();
  const nodes = [
    { id: "pay", kind: "tool_call", connection: "desk", action: "pay" },
    { id: "refused", kind: "end", output: { why: "{{ nodes.pay.error.message }}" } },
  ] as const;
  await harness.publish(
    procedure([...nodes], { edges: ["start > pay", "pay > done", "pay:error > refused"], procedureId: "once" }),
  );
  harness.server.failTokens(tokenFaults.withoutRefreshToken);
  await harness.authorize();
  harness.api.refuse(2);
  const runId = await harness.run({}, { procedureId: "once" });
  await harness.until(async () => (await harness.read(runId)).status === "completed");
  expect((await harness.read(runId)).output).toMatchObject({ why: expect.stringContaining("401") as string });
  expect(harness.api.payments).toEqual([]);
  expect((await oauthOf(harness))?.status).toBe("connected");
});

test("a single refusal does not end an authorization without a refresh token", async () => {
  const harness = await createOAuthHarness();
  harness.server.failTokens(tokenFaults.withoutRefreshToken);
  await harness.authorize();
  harness.api.refuse(1);
  expect(await statuses(harness, await harness.pay())).toEqual(["completed"]);
  expect((await oauthOf(harness))?.status).toBe("connected");
  expect(harness.api.payments).toHaveLength(1);
});
