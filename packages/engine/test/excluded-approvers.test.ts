import { describe, expect, test } from "vitest";
import { bob, carol, createHarness } from "./harness.ts";
import { call, condition, procedure, review } from "./documents.ts";
import { breaks } from "./scripted-bank.ts";

const dora = { person: "dora", roles: ["reviewer"] };
const ofFirst = { excludeApproversOf: ["first"] };
const denied = {
  code: "permission_denied",
  status: 403,
  message: 'The people who approved "first" in this run may not decide this review.',
};

const twice = procedure([review("first"), review("second", ofFirst), call("a", "once")]);

describe("two approvals in two nodes", () => {
  test("cannot be made by the same person, in any spelling of the name and with any key", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(twice);
    await harness.decide(runId, { by: { person: "Bob@Example.com", roles: ["reviewer"] } });
    for (const by of [
      { person: "bob@example.com", roles: ["reviewer"] },
      { person: " BOB@example.com", via: "key_2", roles: ["reviewer", "owner"] },
    ]) {
      await expect(harness.decide(runId, { by })).rejects.toMatchObject(denied);
      const rejection = harness.decide(runId, { by, approved: false, rejectionReason: "no" });
      await expect(rejection).rejects.toMatchObject(denied);
    }
    expect(harness.bank.calls).toEqual([]);
    await harness.decide(runId, { by: carol });
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("are compared within one run only", async () => {
    const harness = await createHarness();
    const first = await harness.runOf(twice);
    const other = await harness.run();
    await harness.decide(first, { by: bob });
    await harness.decide(other, { by: carol });
    await harness.decide(other, { by: bob });
    expect((await harness.read(other)).status).toBe("completed");
  });

  test("are compared by an engine that did not see the first one, and after a restart", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(twice);
    await harness.decide(runId, { by: bob });
    await harness.engine.stop();
    const other = await harness.addEngine();
    const decide = (by: typeof bob) =>
      other.reviews.decide({ environment: "sandbox", runId, approved: true, idempotencyKey: crypto.randomUUID(), by });
    await expect(decide(bob)).rejects.toMatchObject(denied);
    await decide(carol);
    await harness.clock.settle();
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("exclude every person of an earlier quorum", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("first", { approvals: 2 }), review("second", ofFirst)]));
    await harness.decide(runId, { by: bob });
    await harness.decide(runId, { by: carol });
    for (const by of [bob, carol]) await expect(harness.decide(runId, { by })).rejects.toMatchObject(denied);
    await harness.decide(runId, { by: dora });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("exclude the approvers of every visit in a loop", async () => {
    const harness = await createHarness();
    const document = procedure(
      [
        review("first", {
          outputs: { type: "object", properties: { again: { type: "boolean" } }, required: ["again"] },
        }),
        condition("more", { again: "nodes.first.output.again" }, "enough"),
        review("second", ofFirst),
      ],
      { edges: ["start > first", "first > more", "more:again > first", "more:enough > second", "second > done"] },
    );
    const runId = await harness.runOf(document);
    await harness.decide(runId, { by: bob, outputs: { again: true } });
    await harness.decide(runId, { by: carol, outputs: { again: false } });
    for (const by of [bob, carol]) await expect(harness.decide(runId, { by })).rejects.toMatchObject(denied);
    await harness.decide(runId, { by: dora });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("exclude no person if the run skipped the first one", async () => {
    const harness = await createHarness();
    const document = procedure(
      [condition("size", { large: "input.large" }, "small"), review("first"), review("second", ofFirst)],
      {
        edges: ["start > size", "size:large > first", "size:small > second", "first > second", "second > done"],
        input: { type: "object", properties: { large: { type: "boolean" } }, required: ["large"] },
      },
    );
    const runId = await harness.runOf(document, { large: false });
    await harness.decide(runId, { by: bob });
    expect((await harness.read(runId)).status).toBe("completed");
  });
});

describe("a person who approved an earlier review", () => {
  test("cannot decide any review of a call that excludes earlier approvers", async () => {
    const harness = await createHarness();
    const guards = [{ check: "false", otherwise: "review" as const }];
    const runId = await harness.runOf(procedure([review("first"), call("a", "once", { guards, review: ofFirst })]));
    await harness.decide(runId, { by: bob });
    await expect(harness.decide(runId, { by: bob })).rejects.toMatchObject(denied);
    await harness.decide(runId, { by: carol });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("cannot decide the outcome of a call that is covered by a review with this rule", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", breaks());
    const covers = review("second", { ...ofFirst, covers: "a" });
    const runId = await harness.runOf(procedure([review("first"), covers, call("a", "once")]));
    await harness.decide(runId, { by: bob });
    await harness.decide(runId, { by: carol });
    expect((await harness.reviews(runId)).at(-1)?.kind).toBe("outcome_unknown");
    await expect(harness.decide(runId, { by: bob, outputs: {} })).rejects.toMatchObject(denied);
    await harness.decide(runId, { by: carol, outputs: {} });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("appears in the review's rules", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(twice);
    await harness.decide(runId, { by: bob });
    const [first, second] = await harness.reviews(runId);
    expect(first?.rules).not.toHaveProperty("excludesApproversOf");
    expect(second?.rules.excludesApproversOf).toEqual(["first"]);
  });
});

test("a run has one open review at a time, so no two are decided simultaneously", async () => {
  const harness = await createHarness();
  const other = await harness.addEngine();
  const runId = await harness.runOf(twice);
  const decide = (engine: typeof other) =>
    engine.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: bob,
    });
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) => decide(index % 2 ? other : harness.engine)),
  );
  await harness.clock.advance(2_000);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const statuses = (await harness.reviews(runId)).map(({ nodeId, status }) => [nodeId, status]);
  expect(statuses).toEqual([
    ["first", "approved"],
    ["second", "open"],
  ]);
});
