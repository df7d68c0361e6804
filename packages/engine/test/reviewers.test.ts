import { describe, expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { alice, bob, carol, createHarness, uuid } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const dora = { person: "dora", roles: ["reviewer"] };

describe("the right to decide", () => {
  const decideAs = async (reviewers: object, by: Parameters<typeof Object.assign>[0]) => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r", { reviewers })]));
    return await harness.decide(runId, { by: by as never }).then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    );
  };

  test.each([
    ["any person if none is named", {}, { person: "eve" }, "approved"],
    ["one with the role", { roles: ["approver"] }, { person: "eve", roles: ["x", "approver"] }, "approved"],
    ["one without the role", { roles: ["approver"] }, { person: "eve", roles: ["reviewer"] }, "permission_denied"],
    ["one without any role", { roles: ["approver"] }, { person: "eve" }, "permission_denied"],
    ["a named person", { people: ["eve"] }, { person: "eve" }, "approved"],
    [
      "a named person in another spelling",
      { people: ["\u00c9ve@Example.com"] },
      { person: " e\u0301ve@example.com" },
      "approved",
    ],
    ["another person", { people: ["eve"] }, { person: "eva" }, "permission_denied"],
    [
      "one with the role in another spelling",
      { roles: ["Treasury"] },
      { person: "eve", roles: [" treasury"] },
      "approved",
    ],
    [
      "one with the role if people are named too",
      { roles: ["approver"], people: ["eve"] },
      { person: "ann", roles: ["approver"] },
      "approved",
    ],
    [
      "a key without the permission to review",
      {},
      { person: "eve", permissions: ["run", "manage"] },
      "permission_denied",
    ],
    ["a key with the permission to review", {}, { person: "eve", permissions: ["review"] }, "approved"],
  ])("%s", async (_name, reviewers, by, expected) => {
    expect(await decideAs(reviewers, by)).toBe(expected);
  });

  test("excludes the starter as a person, with any key", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r", { excludeStarter: true })]));
    const runId = await harness.run({}, { by: { person: "alice", via: "key_1" } });
    for (const by of [alice, { person: "alice", via: "key_2", roles: ["reviewer", "owner"] }]) {
      await expect(harness.decide(runId, { by })).rejects.toMatchObject({ code: "permission_denied", status: 403 });
    }
    await harness.decide(runId, { by: bob });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("is required for a rejection as well", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r", { reviewers: { people: ["bob"] } })]));
    const decision = harness.decide(runId, { by: carol, approved: false, rejectionReason: "no" });
    await expect(decision).rejects.toMatchObject({ code: "permission_denied" });
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });
});

describe("several approvals", () => {
  const quorum = procedure([review("r", { approvals: 2, reviewers: { roles: ["reviewer"] }, excludeStarter: true })], {
    output: { r: "{{ nodes.r.output }}" },
  });

  test("keep the run waiting until the last of them, and the last outputs count", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(quorum);
    expect(await harness.decide(runId, { by: bob, outputs: { amount: 1 } })).toMatchObject({ status: "recorded" });
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect((await harness.reviews(runId))[0]?.decisions).toHaveLength(1);
    expect(await harness.decide(runId, { by: carol, outputs: { amount: 2 } })).toMatchObject({ status: "approved" });
    expect((await harness.read(runId)).output).toEqual({ r: { amount: 2 } });
  });

  test("take the outputs of an earlier approval if the last one has none", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(quorum);
    await harness.decide(runId, { by: bob, outputs: { amount: 1 } });
    await harness.decide(runId, { by: carol });
    expect((await harness.read(runId)).output).toEqual({ r: { amount: 1 } });
  });

  test("count a person once, with any key", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(quorum);
    await harness.decide(runId, { by: bob });
    await expect(harness.decide(runId, { by: { ...bob, via: "other key" } })).rejects.toMatchObject({
      code: "already_decided",
      status: 409,
    });
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });

  test("by the same person at once through three engines count once", async () => {
    const harness = await createHarness();
    const engines = [harness.engine, await harness.addEngine(), await harness.addEngine()];
    const runId = await harness.runOf(quorum);
    const results = await Promise.allSettled(
      engines.map(({ reviews }) =>
        reviews.decide({ environment: "sandbox", runId, approved: true, idempotencyKey: crypto.randomUUID(), by: bob }),
      ),
    );
    await harness.clock.settle();
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });

  test("by two people at once through two engines complete it, and the run resumes once", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    const runId = await harness.runOf(procedure([review("r", { approvals: 2 }), call("a", "once")]));
    const decide = (engine: typeof other, by: object) =>
      engine.reviews.decide({
        environment: "sandbox",
        runId,
        approved: true,
        idempotencyKey: crypto.randomUUID(),
        by: by as never,
      });
    const results = await Promise.all([decide(harness.engine, bob), decide(other, carol)]);
    await harness.clock.advance(2_000);
    expect(results.map(({ status }) => status).sort()).toEqual(["approved", "recorded"]);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("are ended by one rejection, even after an approval", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(quorum);
    await harness.decide(runId, { by: bob });
    await harness.decide(runId, { by: carol, approved: false, rejectionReason: "no" });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "no" });
    await expect(harness.decide(runId, { by: dora })).rejects.toMatchObject({ code: "already_decided" });
  });

  test("use the roles at the time of the decision: an approval stays after the role is lost", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(quorum);
    await harness.decide(runId, { by: bob });
    await expect(harness.decide(runId, { by: { person: "carol", roles: [] } })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await harness.decide(runId, { by: dora });
    expect((await harness.read(runId)).status).toBe("completed");
  });
});

describe("several approvals among many concurrent decisions", () => {
  const storms = 100;

  test(`count only different people who may decide, ${storms} times`, async () => {
    for (let seed = 1; seed <= storms; seed++) {
      const random = seededRandom(seed);
      const draw = (below: number): number => Math.floor(random.uniform() * below);
      const harness = await createHarness();
      const engines = [harness.engine, await harness.addEngine(), await harness.addEngine()];
      const approvals = 2 + draw(2);
      const runId = await harness.runOf(
        procedure([
          review("r", { approvals, reviewers: { roles: ["reviewer"] }, excludeStarter: true }),
          call("a", "once"),
        ]),
      );
      // Alice has started the run; every third reviewer no longer has the role.
      const people = ["alice", "p1", "p2", "p3", "p4", "p5"];
      const entitled = (person: string): boolean => person !== "alice" && person !== "p3";
      const decisions = Array.from({ length: 12 }, () => people[draw(people.length)] ?? "alice");
      const results = await Promise.allSettled(
        decisions.map((person) =>
          (engines[draw(3)] ?? harness.engine).reviews.decide({
            environment: "sandbox",
            runId,
            approved: true,
            idempotencyKey: uuid(),
            by: { person, via: `key-${draw(3)}`, roles: person === "p3" ? [] : ["reviewer"] },
          }),
        ),
      );
      await harness.clock.advance(1_100);
      const counted = decisions.filter((_person, index) => results[index]?.status === "fulfilled");
      const willing = new Set(decisions.filter(entitled)).size;
      expect(counted.every(entitled), `seed ${seed}`).toBe(true);
      expect(new Set(counted).size, `seed ${seed}`).toBe(counted.length);
      expect(counted.length, `seed ${seed}`).toBe(Math.min(willing, approvals));
      const complete = willing >= approvals;
      expect((await harness.read(runId)).status, `seed ${seed}`).toBe(complete ? "completed" : "awaiting_review");
      expect(harness.bank.calls.length, `seed ${seed}`).toBe(complete ? 1 : 0);
    }
  });
});
