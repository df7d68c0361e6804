import { describe, expect, test } from "vitest";
import { bob, carol, createBench } from "./bench.ts";
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
  test("cannot be the same person's, however the name is written and whichever key was used", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(twice);
    await bench.decide(runId, { by: { person: "Bob@Example.com", roles: ["reviewer"] } });
    for (const by of [
      { person: "bob@example.com", roles: ["reviewer"] },
      { person: " BOB@example.com", via: "key_2", roles: ["reviewer", "owner"] },
    ]) {
      await expect(bench.decide(runId, { by })).rejects.toMatchObject(denied);
      const rejection = bench.decide(runId, { by, approved: false, rejectionReason: "no" });
      await expect(rejection).rejects.toMatchObject(denied);
    }
    expect(bench.bank.calls).toEqual([]);
    await bench.decide(runId, { by: carol });
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("are counted in this run only", async () => {
    const bench = await createBench();
    const first = await bench.runOf(twice);
    const other = await bench.run();
    await bench.decide(first, { by: bob });
    await bench.decide(other, { by: carol });
    await bench.decide(other, { by: bob });
    expect((await bench.read(other)).status).toBe("completed");
  });

  test("are found by an engine that did not see the first one, and after a restart", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(twice);
    await bench.decide(runId, { by: bob });
    await bench.engine.stop();
    const other = await bench.addEngine();
    const decide = (by: typeof bob) =>
      other.reviews.decide({ environment: "sandbox", runId, approved: true, idempotencyKey: crypto.randomUUID(), by });
    await expect(decide(bob)).rejects.toMatchObject(denied);
    await decide(carol);
    await bench.clock.settle();
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("exclude everybody of a quorum, each of whom has approved", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("first", { approvals: 2 }), review("second", ofFirst)]));
    await bench.decide(runId, { by: bob });
    await bench.decide(runId, { by: carol });
    for (const by of [bob, carol]) await expect(bench.decide(runId, { by })).rejects.toMatchObject(denied);
    await bench.decide(runId, { by: dora });
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("exclude the approvers of every visit where a loop comes back", async () => {
    const bench = await createBench();
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
    const runId = await bench.runOf(document);
    await bench.decide(runId, { by: bob, outputs: { again: true } });
    await bench.decide(runId, { by: carol, outputs: { again: false } });
    for (const by of [bob, carol]) await expect(bench.decide(runId, { by })).rejects.toMatchObject(denied);
    await bench.decide(runId, { by: dora });
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("exclude no person where the run did not pass the first one", async () => {
    const bench = await createBench();
    const document = procedure(
      [condition("size", { large: "input.large" }, "small"), review("first"), review("second", ofFirst)],
      {
        edges: ["start > size", "size:large > first", "size:small > second", "first > second", "second > done"],
        input: { type: "object", properties: { large: { type: "boolean" } }, required: ["large"] },
      },
    );
    const runId = await bench.runOf(document, { large: false });
    await bench.decide(runId, { by: bob });
    expect((await bench.read(runId)).status).toBe("completed");
  });
});

describe("a person who approved a review before", () => {
  test("answers none of the questions of a call that excludes them", async () => {
    const bench = await createBench();
    const guards = [{ check: "false", otherwise: "review" as const }];
    const runId = await bench.runOf(procedure([review("first"), call("a", "once", { guards, review: ofFirst })]));
    await bench.decide(runId, { by: bob });
    await expect(bench.decide(runId, { by: bob })).rejects.toMatchObject(denied);
    await bench.decide(runId, { by: carol });
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("says nothing about the outcome of a call that a review with this rule covers", async () => {
    const bench = await createBench();
    bench.bank.plan("once", breaks());
    const covers = review("second", { ...ofFirst, covers: "a" });
    const runId = await bench.runOf(procedure([review("first"), covers, call("a", "once")]));
    await bench.decide(runId, { by: bob });
    await bench.decide(runId, { by: carol });
    expect((await bench.reviews(runId)).at(-1)?.kind).toBe("outcome_unknown");
    await expect(bench.decide(runId, { by: bob, outputs: {} })).rejects.toMatchObject(denied);
    await bench.decide(runId, { by: carol, outputs: {} });
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("is told of by the review's rules", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(twice);
    await bench.decide(runId, { by: bob });
    const [first, second] = await bench.reviews(runId);
    expect(first?.rules).not.toHaveProperty("excludesApproversOf");
    expect(second?.rules.excludesApproversOf).toEqual(["first"]);
  });
});

test("a run has one open review at a time, so no two are decided at the same moment", async () => {
  const bench = await createBench();
  const other = await bench.addEngine();
  const runId = await bench.runOf(twice);
  const decide = (engine: typeof other) =>
    engine.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: bob,
    });
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) => decide(index % 2 ? other : bench.engine)),
  );
  await bench.clock.advance(2_000);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const statuses = (await bench.reviews(runId)).map(({ nodeId, status }) => [nodeId, status]);
  expect(statuses).toEqual([
    ["first", "approved"],
    ["second", "open"],
  ]);
});
