import type { JsonObject } from "@procedo/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alice, bob, carol, createBench, uuid } from "./bench.ts";
import { call, condition, end, procedure, review } from "./documents.ts";
import { seededRandom } from "./seeded-random.ts";

const dora = { person: "dora", roles: ["reviewer"] };

describe("a human review", () => {
  test("freezes what the reviewer sees: title, data and a digest over both", async () => {
    const bench = await createBench();
    const document = procedure([
      review("r", { title: "Pay {{ input.amount }}?", data: { order: "{{ input }}", note: "as agreed" } }),
    ]);
    const runId = await bench.runOf(document, { amount: 12 });
    const [shown] = await bench.reviews(runId);
    expect(shown).toMatchObject({
      runId,
      procedureId: "p",
      nodeId: "r",
      kind: "human_review",
      status: "open",
      title: "Pay 12?",
      data: { order: { amount: 12 }, note: "as agreed" },
      openedAtMs: bench.clock.now(),
      decisions: [],
    });
    expect(shown?.digest).toMatch(/^[\w-]{43}$/);
    expect(await bench.engine.reviews.get({ environment: "sandbox", reviewId: shown?.reviewId ?? "" })).toEqual(shown);
    const { items } = await bench.engine.reviews.list({ environment: "sandbox", status: "open", limit: 10 });
    expect(items).toMatchObject([{ reviewId: shown?.reviewId, runId, title: "Pay 12?", digest: shown?.digest }]);
  });

  test("reviews that show other things have other digests", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r", { data: { n: "{{ input.n }}" } })]));
    const digests = [];
    for (const n of [1, 2, 1]) digests.push((await bench.reviews(await bench.run({ n })))[0]?.digest);
    expect(digests[0]).toBe(digests[2]);
    expect(digests[0]).not.toBe(digests[1]);
  });

  test("approving goes on behind it with approved as its result", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")], { output: { r: "{{ nodes.r.output }}" } }));
    expect(await bench.decide(runId)).toMatchObject({ status: "approved" });
    expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { r: { approved: true } } });
  });

  test("while it waits, everything before it can be read", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([call("a", "read", { arguments: { n: 1 } }), review("r")]));
    expect((await bench.read(runId)).steps).toMatchObject([
      { nodeId: "start", status: "completed" },
      { nodeId: "a", status: "completed", input: { n: 1 }, output: { id: "read-1" } },
      { nodeId: "r", status: "awaiting_review" },
    ]);
  });

  test("a decision on one run reaches no other run of the same procedure", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r")]));
    const runIds = [await bench.run(), await bench.run(), await bench.run()];
    await bench.decide(runIds[1] ?? "");
    const statuses = await Promise.all(runIds.map(async (runId) => (await bench.read(runId)).status));
    expect(statuses).toEqual(["awaiting_review", "completed", "awaiting_review"]);
  });

  test("nothing before it is executed again after the decision, also by another engine", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([call("a", "once"), review("r"), call("b", "once")]));
    const heir = await bench.addEngine();
    await bench.engine.stop();
    await heir.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: bob,
    });
    await bench.clock.advance(2_000);
    expect((await heir.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(bench.bank.calls.map(({ context }) => context.nodeId)).toEqual(["a", "b"]);
  });

  test("outputs replace its result", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")], { output: { r: "{{ nodes.r.output }}" } }));
    await bench.decide(runId, { outputs: { amount: 7 } });
    expect((await bench.read(runId)).output).toEqual({ r: { amount: 7 } });
  });

  test("outputs that do not fit its schema are refused with pointers, and nothing is recorded", async () => {
    const bench = await createBench();
    const outputs = {
      type: "object",
      required: ["amount"],
      properties: { amount: { type: "integer", maximum: 100 } },
      additionalProperties: false,
    };
    const runId = await bench.runOf(procedure([review("r", { outputs })]));
    const decision = bench.decide(runId, { outputs: { amount: 101, extra: true } });
    await expect(decision).rejects.toMatchObject({ code: "invalid_decision", status: 422 });
    const error = (await decision.catch((thrown: unknown) => thrown)) as { details: readonly { path: string }[] };
    expect(error.details.map(({ path }) => path).sort()).toEqual(["/outputs/amount", "/outputs/extra"]);
    expect((await bench.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [] });
    await bench.decide(runId, { outputs: { amount: 100 } });
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test.each([
    ["too large", { text: "x".repeat(300_000) }],
    ["too deep", nested(65)],
    ["a number that JSON cannot carry", { n: NaN }],
  ])("outputs that are %s are refused", async (_name, outputs) => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")]));
    await expect(bench.decide(runId, { outputs: outputs as never })).rejects.toMatchObject({
      code: "invalid_decision",
    });
    expect((await bench.read(runId)).status).toBe("awaiting_review");
  });

  test("rejecting fails the run with the reason, and no further node runs", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r"), call("a", "once")]));
    expect(await bench.decide(runId, { approved: false, rejectionReason: "wrong vendor" })).toMatchObject({
      status: "rejected",
    });
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: "wrong vendor" });
    expect(bench.bank.calls).toEqual([]);
  });

  test.each([undefined, "", "  "])("rejecting without a reason (%o) is refused", async (rejectionReason) => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")]));
    const decision = bench.decide(runId, {
      approved: false,
      ...(rejectionReason === undefined ? {} : { rejectionReason }),
    });
    await expect(decision).rejects.toMatchObject({
      code: "invalid_decision",
      status: 422,
      details: [{ path: "/rejectionReason" }],
    });
  });

  test("records who decided, when, from where, by which key, and what they saw", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")]));
    const [shown] = await bench.reviews(runId);
    await bench.clock.advance(1_000);
    await bench.decide(runId, { by: { ...bob, via: "key_7", address: "192.0.2.1" } });
    const answered = (await bench.entries(runId)).find((entry) => entry.type === "answered");
    expect(answered).toMatchObject({
      reviewId: shown?.reviewId,
      answer: {
        status: "approved",
        decisions: [
          {
            person: "bob",
            via: "key_7",
            approved: true,
            atMs: bench.clock.now(),
            address: "192.0.2.1",
            digest: shown?.digest,
          },
        ],
      },
    });
    expect((await bench.reviews(runId))[0]?.decisions).toMatchObject([
      { person: "bob", via: "key_7", digest: shown?.digest },
    ]);
  });
});

describe("who may decide", () => {
  const decideAs = async (reviewers: object, by: Parameters<typeof Object.assign>[0]) => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r", { reviewers })]));
    return await bench.decide(runId, { by: by as never }).then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    );
  };

  test.each([
    ["anybody where nobody is named", {}, { person: "eve" }, "approved"],
    ["one with the role", { roles: ["approver"] }, { person: "eve", roles: ["x", "approver"] }, "approved"],
    ["one without the role", { roles: ["approver"] }, { person: "eve", roles: ["reviewer"] }, "permission_denied"],
    ["one without any role", { roles: ["approver"] }, { person: "eve" }, "permission_denied"],
    ["a named person", { people: ["eve"] }, { person: "eve" }, "approved"],
    ["another person", { people: ["eve"] }, { person: "Eve" }, "permission_denied"],
    [
      "one with the role where people are named too",
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

  test("the starter is excluded as a person, whichever key was used", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r", { excludeStarter: true })]));
    const runId = await bench.run({}, { by: { person: "alice", via: "key_1" } });
    for (const by of [alice, { person: "alice", via: "key_2", roles: ["reviewer", "owner"] }]) {
      await expect(bench.decide(runId, { by })).rejects.toMatchObject({ code: "permission_denied", status: 403 });
    }
    await bench.decide(runId, { by: bob });
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("a rejection by somebody who may not decide is refused as well", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r", { reviewers: { people: ["bob"] } })]));
    const decision = bench.decide(runId, { by: carol, approved: false, rejectionReason: "no" });
    await expect(decision).rejects.toMatchObject({ code: "permission_denied" });
    expect((await bench.read(runId)).status).toBe("awaiting_review");
  });
});

describe("several approvals", () => {
  const quorum = procedure([review("r", { approvals: 2, reviewers: { roles: ["reviewer"] }, excludeStarter: true })], {
    output: { r: "{{ nodes.r.output }}" },
  });

  test("the run waits until the last of them is there, and the last outputs count", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(quorum);
    expect(await bench.decide(runId, { by: bob, outputs: { amount: 1 } })).toMatchObject({ status: "recorded" });
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    expect((await bench.reviews(runId))[0]?.decisions).toHaveLength(1);
    expect(await bench.decide(runId, { by: carol, outputs: { amount: 2 } })).toMatchObject({ status: "approved" });
    expect((await bench.read(runId)).output).toEqual({ r: { amount: 2 } });
  });

  test("outputs of an earlier approval count when the last one has none", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(quorum);
    await bench.decide(runId, { by: bob, outputs: { amount: 1 } });
    await bench.decide(runId, { by: carol });
    expect((await bench.read(runId)).output).toEqual({ r: { amount: 1 } });
  });

  test("one person counts once, whichever key was used", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(quorum);
    await bench.decide(runId, { by: bob });
    await expect(bench.decide(runId, { by: { ...bob, via: "other key" } })).rejects.toMatchObject({
      code: "already_decided",
      status: 409,
    });
    expect((await bench.read(runId)).status).toBe("awaiting_review");
  });

  test("the same person at once from three engines counts once", async () => {
    const bench = await createBench();
    const engines = [bench.engine, await bench.addEngine(), await bench.addEngine()];
    const runId = await bench.runOf(quorum);
    const results = await Promise.allSettled(
      engines.map(({ reviews }) =>
        reviews.decide({ environment: "sandbox", runId, approved: true, idempotencyKey: crypto.randomUUID(), by: bob }),
      ),
    );
    await bench.clock.settle();
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
  });

  test("two people at once from two engines complete it, and the run goes on once", async () => {
    const bench = await createBench();
    const other = await bench.addEngine();
    const runId = await bench.runOf(procedure([review("r", { approvals: 2 }), call("a", "once")]));
    const decide = (engine: typeof other, by: object) =>
      engine.reviews.decide({
        environment: "sandbox",
        runId,
        approved: true,
        idempotencyKey: crypto.randomUUID(),
        by: by as never,
      });
    const results = await Promise.all([decide(bench.engine, bob), decide(other, carol)]);
    await bench.clock.advance(2_000);
    expect(results.map(({ status }) => status).sort()).toEqual(["approved", "recorded"]);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("one rejection ends it, even after an approval", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(quorum);
    await bench.decide(runId, { by: bob });
    await bench.decide(runId, { by: carol, approved: false, rejectionReason: "no" });
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: "no" });
    await expect(bench.decide(runId, { by: dora })).rejects.toMatchObject({ code: "already_decided" });
  });

  test("roles count at the time of the decision: an approval stands when the role is gone later", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(quorum);
    await bench.decide(runId, { by: bob });
    await expect(bench.decide(runId, { by: { person: "carol", roles: [] } })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await bench.decide(runId, { by: dora });
    expect((await bench.read(runId)).status).toBe("completed");
  });
});

describe("several approvals under any storm of decisions", () => {
  const storms = 100;

  test(`count different people who may decide, and nobody else, ${storms} times`, async () => {
    for (let seed = 1; seed <= storms; seed++) {
      const random = seededRandom(seed);
      const draw = (below: number): number => Math.floor(random.uniform() * below);
      const bench = await createBench();
      const engines = [bench.engine, await bench.addEngine(), await bench.addEngine()];
      const approvals = 2 + draw(2);
      const runId = await bench.runOf(
        procedure([
          review("r", { approvals, reviewers: { roles: ["reviewer"] }, excludeStarter: true }),
          call("a", "once"),
        ]),
      );
      // Alice has started the run; every third reviewer has lost the role by now.
      const people = ["alice", "p1", "p2", "p3", "p4", "p5"];
      const entitled = (person: string): boolean => person !== "alice" && person !== "p3";
      const decisions = Array.from({ length: 12 }, () => people[draw(people.length)] ?? "alice");
      const results = await Promise.allSettled(
        decisions.map((person) =>
          (engines[draw(3)] ?? bench.engine).reviews.decide({
            environment: "sandbox",
            runId,
            approved: true,
            idempotencyKey: uuid(),
            by: { person, via: `key-${draw(3)}`, roles: person === "p3" ? [] : ["reviewer"] },
          }),
        ),
      );
      await bench.clock.advance(1_100);
      const counted = decisions.filter((_person, index) => results[index]?.status === "fulfilled");
      const willing = new Set(decisions.filter(entitled)).size;
      expect(counted.every(entitled), `seed ${seed}`).toBe(true);
      expect(new Set(counted).size, `seed ${seed}`).toBe(counted.length);
      expect(counted.length, `seed ${seed}`).toBe(Math.min(willing, approvals));
      const complete = willing >= approvals;
      expect((await bench.read(runId)).status, `seed ${seed}`).toBe(complete ? "completed" : "awaiting_review");
      expect(bench.bank.calls.length, `seed ${seed}`).toBe(complete ? 1 : 0);
    }
  });
});

describe("outputs of any kind", () => {
  const outputs = {
    type: "object",
    required: ["amount"],
    properties: { amount: { type: "integer", minimum: 0 }, memo: { type: "string", maxLength: 5 } },
    additionalProperties: false,
  };

  test("are taken exactly when they fit, and leave no trace otherwise, 200 times", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r", { outputs })], { output: { r: "{{ nodes.r.output }}" } }));
    const fits = fc.record(
      { amount: fc.nat(), memo: fc.string({ maxLength: 5, unit: "grapheme-ascii" }) },
      { requiredKeys: ["amount"] },
    );
    const any = fc.dictionary(fc.constantFrom("amount", "memo", "extra"), fc.jsonValue({ maxDepth: 1 }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fits, any), async (given) => {
        const value = JSON.parse(JSON.stringify(given)) as JsonObject;
        const { amount, memo = "", ...extra } = value;
        const expected =
          Number.isInteger(amount) &&
          (amount as number) >= 0 &&
          typeof memo === "string" &&
          [...memo].length <= 5 &&
          Object.keys(extra).length === 0;
        const runId = await bench.run();
        const code = await bench.decide(runId, { outputs: value }).then(
          () => "taken",
          (error: { code: string }) => error.code,
        );
        expect(code).toBe(expected ? "taken" : "invalid_decision");
        const run = await bench.read(runId);
        if (expected) expect(run.output).toEqual({ r: value });
        else expect([run.status, (await bench.reviews(runId))[0]?.decisions]).toEqual(["awaiting_review", []]);
      }),
      { numRuns: 200 },
    );
  });
});

describe("expiry", () => {
  const expiring = procedure([review("r", { title: "Quick?", expiresAfter: "PT1M" }), call("a", "once")]);

  test("fails the run, never approves", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    expect((await bench.reviews(runId))[0]?.rules.expiresAtMs).toBe(bench.clock.now() + 60_000);
    await bench.clock.advance(59_000);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    await bench.clock.advance(2_000);
    const run = await bench.read(runId);
    expect(run).toMatchObject({ status: "failed", error: 'Review "Quick?" expired without a decision.' });
    expect((await bench.reviews(runId)).map(({ status }) => status)).toEqual(["expired"]);
    expect(bench.bank.calls).toEqual([]);
  });

  test("a decision after it finds no review", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    await bench.clock.advance(62_000);
    await expect(bench.decide(runId)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
  });

  test("a decision after it is refused even when nobody was there to write the expiry down", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    await bench.engine.stop();
    await bench.clock.advance(60_000);
    await expect(bench.decide(runId)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    await bench.addEngine();
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("failed");
  });

  test("a decision in the last millisecond counts", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    await bench.clock.advance(59_999);
    await bench.decide(runId);
    await bench.clock.advance(60_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("an approval that does not complete the quorum does not stop it", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r", { approvals: 2, expiresAfter: "PT1M" })]));
    await bench.decide(runId);
    await bench.clock.advance(62_000);
    expect((await bench.read(runId)).status).toBe("failed");
    await expect(bench.decide(runId, { by: carol })).rejects.toMatchObject({ code: "review_not_found" });
  });

  test("without one a review waits for ever", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")]));
    await bench.engine.stop();
    await bench.clock.advance(20 * 365 * 86_400_000);
    await bench.addEngine();
    await bench.clock.advance(5_000);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    await bench.decide(runId);
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("is not lost by a restart", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    await bench.engine.stop();
    await bench.clock.advance(86_400_000);
    await bench.addEngine();
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("failed");
  });
});

describe("reviews behind branches", () => {
  test("what a reviewer supplied decides the way", async () => {
    const bench = await createBench();
    const outputs = { type: "object", required: ["amount"], properties: { amount: { type: "integer" } } };
    const document = procedure(
      [
        review("r", { outputs }),
        condition("c", { big: "nodes.r.output.amount > 10" }, "small"),
        end("big", { size: "big" }),
      ],
      {
        edges: ["start > r", "r > c", "c:big > big", "c:small > done"],
      },
    );
    await bench.publish(document);
    const [one, two] = [await bench.run(), await bench.run()];
    await bench.decide(one, { outputs: { amount: 11 } });
    await bench.decide(two, { outputs: { amount: 10 } });
    expect((await bench.read(one)).output).toEqual({ size: "big" });
    expect((await bench.read(two)).output).toEqual({});
  });
});

function nested(levels: number): object {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { n: value };
  return value as object;
}
