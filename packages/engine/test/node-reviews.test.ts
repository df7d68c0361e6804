import type { NodeReview } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes } from "./agent-model.ts";
import { alice, bob, carol, createHarness, type Harness } from "./harness.ts";
import { pay, perDay } from "./bounded-payment.ts";
import { call, procedure, review as humanReview } from "./documents.ts";
import { createPrivateHarness, declared } from "./private-harness.ts";
import { breaks } from "./scripted-bank.ts";

interface Waiting {
  readonly harness: Harness;
  readonly runId: string;
}

const treasurer = { person: "tina", roles: ["treasury"] };
const auditor = { person: "otto", roles: ["treasury"] };
/** The starter of the run, with every role. */
const starter = { ...alice, roles: ["reviewer", "treasury"] };

const payee = { arguments: { to: "acme", amount: 5_000 } };

/** A run that waits for people, for each kind of review of a node; `review`: its reviewers. */
const questions: { readonly [what: string]: (review?: NodeReview) => Promise<Waiting> } = {
  "a guard": async (review) => {
    const harness = await createHarness();
    const guards = [{ check: "args.amount <= 100", otherwise: "review" as const }];
    return {
      harness,
      runId: await harness.runOf(procedure([call("pay", "pay", { ...payee, guards, ...by(review) })])),
    };
  },
  "a sum limit": async (review) => {
    const harness = await createHarness();
    const limits = [{ ...perDay, otherwise: "review" as const }];
    return { harness, runId: await harness.runOf(procedure([pay(limits, { ...payee, ...by(review) })])) };
  },
  "an unknown outcome": async (review) => {
    const harness = await createHarness();
    harness.bank.plan("pay", breaks());
    return { harness, runId: await harness.runOf(procedure([call("pay", "pay", { ...payee, ...by(review) })])) };
  },
  "a function that requires a review": async (review) => {
    const harness = await createPrivateHarness();
    await harness.connect([declared("screen", { requiresReview: true })]);
    return { harness, runId: await harness.call("screen", by(review)) };
  },
  "a call of an agent": async (review) => {
    const model = plannedModel();
    model.plan(proposes({ amount: 5_000 }));
    const harness = await createHarness({ models: { arguments: { model } } });
    const guards = [{ check: "args.amount <= 100", otherwise: "review" as const }];
    const settings = { instructions: "Pay.", arguments: { to: "acme" }, guards, ...by(review) };
    return { harness, runId: await harness.runOf(procedure([call("pay", "pay", settings)])) };
  },
  "an answer with too little confidence": async (review) => {
    const model = plannedModel();
    model.plan(proposes({ branch: "due", reason: "It looks so.", confidence: 0.1 }));
    const harness = await createHarness({ models: { questions: { model } } });
    const document = procedure(
      [
        {
          id: "kind",
          kind: "condition",
          question: "Is it due?",
          branches: [{ name: "due", description: "It is." }],
          confidence: { atLeast: 0.8, otherwise: "review" },
          ...by(review),
        },
      ],
      { edges: ["start > kind", "kind:due > done"] },
    );
    return { harness, runId: await harness.runOf(document) };
  },
};

const kinds = Object.entries(questions);

function by(review: NodeReview | undefined): { readonly review?: NodeReview } {
  return review === undefined ? {} : { review };
}

async function statusOf({ harness, runId }: Waiting): Promise<string> {
  return (await harness.reviews(runId)).at(-1)?.status ?? "none";
}

describe.each(kinds)("the review of %s", (_what, waiting) => {
  test("is decided by any reviewer if the node names none, also by the starter of the run", async () => {
    const { harness, runId } = await waiting();
    expect(await harness.reviews(runId)).toMatchObject([{ rules: { roles: [], people: [], approvals: 1 } }]);
    expect(await harness.decide(runId, { by: starter })).toMatchObject({ status: "approved" });
  });

  test("is decided by the role that the node names, and by no other person", async () => {
    const { harness, runId } = await waiting({ reviewers: { roles: ["treasury"] } });
    const refused = { code: "permission_denied", status: 403 };
    await expect(harness.decide(runId, { by: bob })).rejects.toMatchObject(refused);
    await expect(harness.decide(runId, { by: carol, approved: false, rejectionReason: "No." })).rejects.toMatchObject(
      refused,
    );
    expect(await statusOf({ harness, runId })).toBe("open");
    expect(await harness.decide(runId, { by: treasurer })).toMatchObject({ status: "approved" });
    expect(await statusOf({ harness, runId })).toBe("approved");
  });

  test("is decided by the people that the node names", async () => {
    const { harness, runId } = await waiting({ reviewers: { people: ["carol"] } });
    await expect(harness.decide(runId, { by: bob })).rejects.toMatchObject({ code: "permission_denied" });
    expect(await harness.decide(runId, { by: carol })).toMatchObject({ status: "approved" });
  });

  test("needs as many different people as the node requires, and one rejection ends it", async () => {
    const two = { approvals: 2, reviewers: { roles: ["treasury"] } };
    const { harness, runId } = await waiting(two);
    const before = harness.bank.calls.length;
    expect(await harness.decide(runId, { by: treasurer })).toMatchObject({ status: "recorded" });
    await expect(harness.decide(runId, { by: { ...treasurer, via: "key_2" } })).rejects.toMatchObject({
      code: "already_decided",
    });
    expect([await statusOf({ harness, runId }), harness.bank.calls.length]).toEqual(["open", before]);
    expect(await harness.decide(runId, { by: auditor })).toMatchObject({ status: "approved" });

    const other = await waiting(two);
    await other.harness.decide(other.runId, { by: treasurer });
    await other.harness.decide(other.runId, { by: auditor, approved: false, rejectionReason: "Too much." });
    expect(await other.harness.read(other.runId)).toMatchObject({ status: "failed", error: "Too much." });
  });

  test("cannot be decided by the starter of the run, in any role, if the node excludes the starter", async () => {
    const { harness, runId } = await waiting({ excludeStarter: true });
    for (const one of [starter, { ...starter, via: "key_2" }]) {
      await expect(harness.decide(runId, { by: one })).rejects.toMatchObject({ code: "permission_denied" });
    }
    expect(await statusOf({ harness, runId })).toBe("open");
    expect(await harness.decide(runId, { by: bob })).toMatchObject({ status: "approved" });
  });
});

test("all reviews of one call have the same reviewers: an outcome after a guard", async () => {
  const harness = await createHarness();
  harness.bank.plan("pay", breaks());
  const guards = [{ check: "args.amount <= 100", otherwise: "review" as const }];
  const review = { reviewers: { roles: ["treasury"] }, excludeStarter: true };
  const runId = await harness.runOf(procedure([call("pay", "pay", { ...payee, guards, review })]));
  await harness.decide(runId, { by: treasurer });
  const rules = { roles: ["treasury"], people: [], approvals: 1, excludes: "alice" };
  expect(await harness.reviews(runId)).toMatchObject([
    { kind: "guard", rules },
    { kind: "outcome_unknown", rules },
  ]);
});

test("a call that is covered by a review cannot be published with other reviewers of its own", async () => {
  const harness = await createHarness();
  const covered = call("pay", "pay", { ...payee, review: { reviewers: { roles: ["treasury"] } } });
  const publishing = harness.publish(procedure([humanReview("ok", { covers: "pay", approvals: 2 }), covered]));
  await expect(publishing).rejects.toMatchObject({
    code: "invalid_document",
    details: [{ path: "/nodes/2/review", message: expect.stringContaining('"ok" covers "pay"') as string }],
  });
});
