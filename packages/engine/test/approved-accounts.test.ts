/* Payments that people approve, while another account is authorized for their connection. */
import { expect, test } from "vitest";
import { procedure } from "./documents.ts";
import { alice } from "./harness.ts";
import { createOAuthHarness, type OAuthHarness } from "./oauth-harness.ts";

const pay = { id: "pay", kind: "tool_call", connection: "desk", action: "pay" } as const;
const review = { id: "review", kind: "human_review", title: "Pay?", covers: "pay" } as const;

const reviewed = {
  "a Human Review": procedure([review, pay], { procedureId: "reviewed" }),
  "a guard": procedure([{ ...pay, guards: [{ check: "input.isSmall", otherwise: "review" }] }], {
    procedureId: "guarded",
    input: { type: "object", properties: { isSmall: { type: "boolean" } } },
  }),
};

/** A payment that waits for an approval. */
async function payWithReview(harness: OAuthHarness, by: keyof typeof reviewed): Promise<string> {
  const document = reviewed[by];
  await harness.publish(document);
  const runId = await harness.run({ isSmall: false }, { procedureId: document.procedureId });
  await harness.until(async () => (await harness.read(runId)).status === "awaiting_review");
  return runId;
}

test.each(["a Human Review", "a guard"] as const)(
  "a payment that was approved by %s is not made by another account",
  async (by) => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    const runId = await payWithReview(harness, by);
    harness.server.account = { id: "org-2", name: "Other Bakery" };
    await harness.authorize({ replace: true });
    await harness.decide(runId);
    await harness.until(async () => (await harness.read(runId)).status !== "awaiting_review");
    await harness.until(async () => (await harness.read(runId)).status !== "running");
    const { status, error } = await harness.read(runId);
    expect(status).toBe("failed");
    expect(error).toContain(
      'Connection "desk" is authorized for Other Bakery and not for Harbour Bakery, for which the call was decided on. Nothing was sent',
    );
    expect(harness.api.payments).toEqual([]);
  },
);

test.each(["a Human Review", "a guard"] as const)(
  "a payment that was approved by %s is made by the same account, authorized again",
  async (by) => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    const runId = await payWithReview(harness, by);
    await harness.authorize();
    await harness.decide(runId);
    await harness.until(async () => (await harness.read(runId)).status === "completed");
    expect(harness.api.payments).toHaveLength(1);
  },
);

test("reviewers of a guarded payment see the account", async () => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  const runId = await payWithReview(harness, "a guard");
  expect((await harness.entries(runId)).at(-1)).toMatchObject({
    type: "review_opened",
    review: { data: { connection: "desk", account: "Harbour Bakery" } },
  });
});

test("a payment that was approved before any account was authorized is made by none", async () => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  await harness.engine.authorizations.revoke({ ...harness.place, by: alice });
  const runId = await payWithReview(harness, "a Human Review");
  await harness.authorize();
  await harness.decide(runId);
  await harness.until(async () => (await harness.read(runId)).status === "failed");
  expect(harness.api.payments).toEqual([]);
});

test("an approved payment waits for the same account when its authorization was removed meanwhile", async () => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  const runId = await payWithReview(harness, "a Human Review");
  await harness.engine.authorizations.revoke({ ...harness.place, by: alice });
  await harness.decide(runId);
  await harness.until(async () => await harness.isHeld(runId));
  await harness.authorize();
  await harness.until(async () => (await harness.read(runId)).status === "completed");
  expect(harness.api.payments).toHaveLength(1);
});

test("a payment is not made by an account that was authorized while its intent was stored", async () => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  const runId = await payWithReview(harness, "a guard");
  harness.server.account = { id: "org-2", name: "Other Bakery" };
  let isReplaced = false;
  harness.engine.way.on("reviews.decide", async (send) => {
    if (!isReplaced) {
      isReplaced = true;
      await harness.authorize({ replace: true });
    }
    return await send();
  });
  await harness.decide(runId);
  await harness.until(async () => (await harness.read(runId)).status === "failed");
  expect((await harness.entries(runId)).map(({ type }) => type)).toContain("intent");
  expect(harness.api.payments).toEqual([]);
});

test("an engine that knew another account asks about the one that is authorized now", async () => {
  const harness = await createOAuthHarness();
  await harness.authorize();
  await harness.pay();
  const other = await harness.addEngine({ started: false });
  harness.server.account = { id: "org-2", name: "Other Bakery" };
  await harness.authorize({ replace: true, on: other });
  const runId = await payWithReview(harness, "a guard");
  expect((await harness.entries(runId)).at(-1)).toMatchObject({ review: { data: { account: "Other Bakery" } } });
  await harness.decide(runId);
  await harness.until(async () => (await harness.read(runId)).status === "completed");
  expect(harness.api.payments).toHaveLength(2);
});
