import { reviewSchema } from "@procedo/contract";
import type { Review } from "@procedo/engine";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { alice, bob, carol, createHarness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { breaks, hangs } from "./scripted-bank.ts";

const iso = (atMs: number): string => new Date(atMs).toISOString();

function callOf({ connection, action, effect, args, nodeId, revision }: NonNullable<Review["call"]>) {
  return { connection, action, effect, arguments: args, nodeId, actionRevision: revision };
}

/** A review in the contract's form, without invented values: a member that the engine omits is missing here. */
function answered({ rules, openedAtMs, closedAtMs, decisions, call: shownCall, ...same }: Review): unknown {
  const { roles, people, approvals, excludes, excludesApproversOf = [], notBeforeMs, expiresAtMs, outputs } = rules;
  return {
    ...same,
    reviewers: { roles, people },
    excludesStarter: excludes !== undefined,
    excludesApproversOf,
    approvalsNeeded: approvals,
    approvalsGiven: decisions.filter(({ approved }) => approved).length,
    mayDecide: { allowed: true },
    ...(notBeforeMs === undefined ? {} : { notBefore: iso(notBeforeMs) }),
    ...(expiresAtMs === undefined ? {} : { expiresAt: iso(expiresAtMs) }),
    requestedAt: iso(openedAtMs),
    ...(closedAtMs === undefined ? {} : { closedAt: iso(closedAtMs) }),
    ...(shownCall === undefined ? {} : { call: callOf(shownCall) }),
    outputsSchema: outputs,
    decisions: decisions.map(({ atMs, reason, ...decision }) => ({
      ...decision,
      decidedAt: iso(atMs),
      ...(reason === undefined ? {} : { rejectionReason: reason }),
    })),
  };
}

describe("a review has all fields of the contract", () => {
  test("of a node that covers a call: the shown data, the call, its reviewers, and its expiry", async () => {
    const harness = await createHarness();
    const outputs = { type: "object", properties: { note: { type: "string" } } } as const;
    const reviewers = { roles: ["reviewer"], people: ["dora"] };
    const runId = await harness.runOf(
      procedure([
        review("ok", { data: { a: 1 }, covers: "pay", reviewers, approvals: 2, outputs, expiresAfter: "P1D" }),
        call("pay", "pay", { arguments: { to: "acme", amount: 5 } }),
      ]),
    );
    const openedAtMs = harness.clock.now();
    await harness.clock.advance(1_000);
    const by = { ...bob, via: "key_1", address: "203.0.113.7" };
    await harness.decide(runId, { by, outputs: { note: "fine" } });
    const [open] = await harness.reviews(runId);
    expect(reviewSchema.parse(answered(open ?? expect.unreachable()))).toEqual({
      reviewId: open?.reviewId,
      runId,
      procedureId: "p",
      procedureVersion: "v1",
      environment: "sandbox",
      startedBy: "alice",
      nodeId: "ok",
      kind: "human_review",
      status: "open",
      title: "Review ok",
      digest: open?.digest,
      reviewers,
      excludesStarter: false,
      excludesApproversOf: [],
      approvalsNeeded: 2,
      approvalsGiven: 1,
      mayDecide: { allowed: true },
      expiresAt: iso(openedAtMs + 86_400_000),
      requestedAt: iso(openedAtMs),
      data: { a: 1 },
      call: {
        ...{ connection: "bank", action: "pay", effect: "once", arguments: { to: "acme", amount: 5 } },
        ...{ nodeId: "pay", actionRevision: open?.call?.revision },
      },
      outputsSchema: outputs,
      decisions: [
        {
          decisionId: open?.decisions[0]?.decisionId,
          person: "bob",
          via: "key_1",
          approved: true,
          outputs: { note: "fine" },
          address: "203.0.113.7",
          digest: open?.digest,
          decidedAt: iso(openedAtMs + 1_000),
        },
      ],
    });

    await harness.decide(runId, { by: carol, approved: false, rejectionReason: "no" });
    const closed = reviewSchema.parse(answered((await harness.reviews(runId))[0] ?? expect.unreachable()));
    expect(closed).toMatchObject({ status: "rejected", closedAt: iso(openedAtMs + 1_000), approvalsGiven: 1 });
    expect(closed.decisions[1]).toMatchObject({ person: "carol", approved: false, rejectionReason: "no" });
  });

  test("of a guard: a decision contains no outputs", async () => {
    const harness = await createHarness();
    const guards = [{ check: "args.amount < 5", otherwise: "review" }] as const;
    const runId = await harness.runOf(
      procedure([call("pay", "pay", { arguments: { to: "acme", amount: 5 }, guards: [...guards] })]),
    );
    const shown = reviewSchema.parse(answered((await harness.reviews(runId))[0] ?? expect.unreachable()));
    expect(shown).toMatchObject({
      kind: "guard",
      outputsSchema: false,
      call: { arguments: { to: "acme", amount: 5 } },
    });
  });

  test("of an unknown outcome: the possible answers of the action, and no call, because none is sent without a decision", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", breaks());
    const runId = await harness.runOf(procedure([call("pay", "pay", { arguments: { to: "acme", amount: 5 } })]));
    const shown = reviewSchema.parse(answered((await harness.reviews(runId))[0] ?? expect.unreachable()));
    expect(shown).toMatchObject({
      kind: "outcome_unknown",
      outputsSchema: { type: "object", required: ["id"] },
      data: { arguments: { to: "acme", amount: 5 } },
    });
    expect(shown).not.toHaveProperty("call");
  });

  test("of a call whose owner is gone: the latest time at which its answer could arrive", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", hangs());
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 60_000 })]));
    const sentAtMs = harness.clock.now();
    harness.engine.way.cut();
    await harness.addEngine();
    await harness.clock.advance(70_000);
    const heirs = await harness.addEngine({ started: false });
    const [open] = await heirs.reviews.ofRun({ environment: "sandbox", runId });
    const shown = reviewSchema.parse(answered(open ?? expect.unreachable()));
    expect(shown).toMatchObject({ kind: "outcome_unknown", notBefore: iso(sentAtMs + 5_000 + 60_000) });
  });
});

describe("the list of reviews", () => {
  test("covers one environment, filtered by status and procedure, oldest first, by pages", async () => {
    const harness = await createHarness();
    for (const procedureId of ["p", "q"]) {
      await harness.publish(procedure([review("r")], { procedureId }), { defaultIn: ["sandbox", "live"] });
    }
    const started: string[] = [];
    for (const procedureId of ["p", "q", "p", "q"]) {
      started.push(await harness.run({}, { procedureId }));
      await harness.clock.advance(10);
    }
    const inLive = await harness.run({}, { environment: "live" });
    const [first = ""] = started;
    await harness.decide(first);

    const { list } = harness.engine.reviews;
    const runsOf = async (query: Omit<Parameters<typeof list>[0], "limit">) =>
      (await list({ ...query, limit: 10 })).items.map(({ runId }) => runId);
    expect(await runsOf({ environment: "sandbox" })).toEqual(started);
    expect(await runsOf({ environment: "live" })).toEqual([inLive]);
    expect(await runsOf({ environment: "sandbox", status: "approved" })).toEqual([first]);
    expect(await runsOf({ environment: "sandbox", status: "open", procedureId: "p" })).toEqual([started[2]]);

    const page = await list({ environment: "sandbox", limit: 3 });
    const cursor = page.nextCursor ?? expect.unreachable();
    expect((await list({ environment: "sandbox", limit: 3, cursor })).items).toHaveLength(1);
    for (const other of [{ environment: "live" }, { environment: "sandbox", status: "open" }] as const) {
      await expect(list({ ...other, limit: 3, cursor })).rejects.toMatchObject({ code: "invalid_cursor" });
    }
    await expect(
      harness.engine.reviews.get({ environment: "live", reviewId: page.items[0]?.reviewId ?? "" }),
    ).rejects.toMatchObject({ code: "review_not_found" });
  });

  test("gives no key of the other environment a review to decide", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    const by = { ...alice, environment: "live", permissions: ["review"] } as const;
    await expect(harness.decide(runId, { by })).rejects.toMatchObject({ code: "environment_mismatch" });
  });
});

describe("the list of all reviews", () => {
  test("contains all of them in order, page by page, with decisions but without their outputs", async () => {
    const limits: number[] = [];
    const harness = await createHarness({
      openStorage: (now) => {
        const stored = createMemoryStorage({ now });
        const list: Storage["reviews"]["list"] = (query) => {
          limits.push(query.limit);
          return stored.reviews.list(query);
        };
        return { ...stored, reviews: { ...stored.reviews, list } };
      },
    });
    const outputs = { type: "object", properties: { note: { type: "string" } } } as const;
    await harness.publish(procedure([review("ok", { approvals: 2, outputs })]));
    const runIds: string[] = [];
    for (let n = 0; n < 25; n++) runIds.push(await harness.run({ n }));
    await harness.decide(runIds[0] ?? "", { by: bob, outputs: { note: "x".repeat(100_000) } });
    const first = await harness.engine.reviews.list({ environment: "sandbox", limit: 23 });
    expect(first.items.map(({ runId }) => runId)).toEqual(runIds.slice(0, 23));
    expect(first.items[0]?.decisions).toMatchObject([{ person: "bob", approved: true }]);
    expect(first.items[0]?.decisions[0]).not.toHaveProperty("outputs");
    expect(Math.max(...limits)).toBe(10);
    const cursor = first.nextCursor ?? expect.unreachable();
    const rest = await harness.engine.reviews.list({ environment: "sandbox", limit: 23, cursor });
    expect(rest.items.map(({ runId }) => runId)).toEqual(runIds.slice(23));
    expect(rest.nextCursor).toBeUndefined();
  });
});
