import type { ProcedoError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { bob, carol, createHarness, uuid } from "./harness.ts";
import { call, condition, procedure, review } from "./documents.ts";

const asking = procedure([review("r")]);

/** A loop that opens three reviews and then ends. */
const threeTimes = procedure(
  [
    call("n", "read"),
    review("r", { data: { round: "{{ nodes.n.output.id }}" } }),
    condition("again", { yes: "nodes.n.output.id != 'read-3'" }, "no"),
  ],
  {
    edges: ["start > n", "n > r", "r > again", "again:yes > n", "again:no > done"],
  },
);

describe("an idempotency key of a decision", () => {
  test("20 times at once through two engines is recorded once, and all callers get the answer, 200 times", async () => {
    const harness = await createHarness();
    const engines = [harness.engine, await harness.addEngine()];
    await harness.publish(procedure([review("r"), call("a", "once")]));
    for (let round = 1; round <= 200; round++) {
      const runId = await harness.run();
      const idempotencyKey = uuid();
      const decisions = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (engines[(index + round) % 2] ?? harness.engine).reviews.decide({
            environment: "sandbox",
            runId,
            approved: true,
            idempotencyKey,
            by: bob,
          }),
        ),
      );
      await harness.clock.advance(50);
      expect(new Set(decisions.map(({ reviewId }) => reviewId)).size).toBe(1);
      expect(decisions.map(({ status }) => status).sort()).toEqual(["approved", ...Array<string>(19).fill("replayed")]);
      expect((await harness.reviews(runId))[0]?.decisions).toHaveLength(1);
      expect(harness.bank.calls).toHaveLength(round);
    }
  });

  test("again, with any body, returns the original decision: nothing is repeated", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(asking);
    const idempotencyKey = uuid();
    const { reviewId } = await harness.decide(runId, { idempotencyKey });
    const before = await harness.read(runId);
    for (const other of [
      { approved: false, rejectionReason: "no" },
      { outputs: { x: 1 } },
      { by: { ...bob, via: "key_rotated", person: " Bob " } },
      { reviewId: "rev_other" },
    ]) {
      expect(await harness.decide(runId, { idempotencyKey, ...other })).toEqual({ reviewId, status: "replayed" });
    }
    expect(await harness.read(runId)).toEqual(before);
  });

  test("of an earlier review of the run is replayed while a later review is open, and decides nothing there", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(threeTimes);
    const idempotencyKey = uuid();
    const { reviewId } = await harness.decide(runId, { idempotencyKey });
    expect(await harness.decide(runId, { idempotencyKey })).toEqual({ reviewId, status: "replayed" });
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["approved", "open"]);
  });

  test("belongs to the person who used it first: for another person it decides and reveals nothing", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r", { approvals: 2 })]));
    const runId = await harness.run();
    const idempotencyKey = uuid();
    await harness.decide(runId, { idempotencyKey });
    for (const other of [{}, { approved: false, rejectionReason: "no" }, { approved: false }]) {
      const error = await harness
        .decide(runId, { idempotencyKey, by: carol, ...other })
        .catch((reason: unknown) => reason as ProcedoError);
      expect(error).toMatchObject({ code: "idempotency_conflict", status: 409 });
      expect((error as ProcedoError).message).not.toMatch(/bob|rev_|run_/);
    }
    expect((await harness.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [{ person: "bob" }] });
    // With a key of her own she completes it, because she is another person.
    await harness.decide(runId, { by: carol });
    const [closed] = await harness.reviews(runId);
    expect(closed?.decisions.map(({ person }) => person)).toEqual(["bob", "carol"]);
  });

  test("used by two people at once decides for one of them, and the other is refused", async () => {
    const harness = await createHarness();
    const engines = [harness.engine, await harness.addEngine()];
    await harness.publish(procedure([review("r", { approvals: 2 })]));
    const runId = await harness.run();
    const request = { environment: "sandbox", runId, approved: true, idempotencyKey: uuid() } as const;
    const answers = await Promise.allSettled(
      [bob, carol].map((by, index) => (engines[index] ?? harness.engine).reviews.decide({ ...request, by })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = answers.find((answer) => answer.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "idempotency_conflict" });
    expect((await harness.reviews(runId))[0]?.decisions).toHaveLength(1);
  });

  test("for another run is an error", async () => {
    const harness = await createHarness();
    await harness.publish(asking);
    const [one, two] = [await harness.run(), await harness.run()];
    const idempotencyKey = uuid();
    await harness.decide(one, { idempotencyKey });
    await expect(harness.decide(two, { idempotencyKey })).rejects.toMatchObject({
      code: "idempotency_key_reused",
      status: 422,
    });
    expect((await harness.read(two)).status).toBe("awaiting_review");
  });

  test("belongs to its environment: the other environment may use the same key", async () => {
    const harness = await createHarness();
    await harness.publish(asking, { defaultIn: ["sandbox", "live"] });
    const one = await harness.run();
    const two = await harness.run({}, { environment: "live" });
    const idempotencyKey = uuid();
    expect(await harness.decide(one, { idempotencyKey })).toMatchObject({ status: "approved" });
    expect(await harness.decide(two, { idempotencyKey, environment: "live" })).toMatchObject({ status: "approved" });
  });

  test("of a refused decision is not used up", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(asking);
    const idempotencyKey = uuid();
    await expect(harness.decide(runId, { idempotencyKey, approved: false })).rejects.toMatchObject({
      code: "invalid_decision",
    });
    expect(await harness.decide(runId, { idempotencyKey })).toMatchObject({ status: "approved" });
  });

  test.each(["", "1", "00000000-0000-1000-8000-000000000000", "00000000-0000-4000-c000-000000000000", `${uuid()}x`])(
    "that is not a UUID version 4 is refused: %o",
    async (idempotencyKey) => {
      const harness = await createHarness();
      const runId = await harness.runOf(asking);
      await expect(harness.decide(runId, { idempotencyKey })).rejects.toMatchObject({
        code: "invalid_decision",
        status: 422,
        details: [{ path: "/idempotencyKey" }],
      });
      expect((await harness.read(runId)).status).toBe("awaiting_review");
    },
  );

  test("is the same in upper and lower case", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(asking);
    const idempotencyKey = "0000000a-000b-4000-8000-00000000000c";
    await harness.decide(runId, { idempotencyKey });
    expect(await harness.decide(runId, { idempotencyKey: idempotencyKey.toUpperCase() })).toMatchObject({
      status: "replayed",
    });
  });
});

describe("a decision without an open review", () => {
  test("of an unknown run, of a run without reviews, and of the other environment is not found", async () => {
    const harness = await createHarness();
    const never = await harness.runOf(procedure([call("a", "once")]));
    await harness.publish(asking, { version: "v2" });
    const other = await harness.run({}, { version: "v2" });
    await expect(harness.decide("run_nothing")).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    await expect(harness.decide(never)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    await expect(harness.decide(other, { environment: "live" })).rejects.toMatchObject({
      code: "review_not_found",
      status: 404,
    });
    expect((await harness.read(other)).status).toBe("awaiting_review");
  });

  test.each([
    [true, {}],
    [false, { rejectionReason: "no" }],
  ])("after a decision (approved: %o) is a conflict that contains the earlier decision", async (approved, more) => {
    const harness = await createHarness();
    const runId = await harness.runOf(asking);
    await harness.decide(runId, { approved, ...more });
    for (const second of [{ approved: true }, { approved: false, rejectionReason: "x" }]) {
      await expect(harness.decide(runId, { ...second, by: carol })).rejects.toMatchObject({
        code: "already_decided",
        status: 409,
        message: expect.stringContaining(approved ? "approved" : "rejected") as string,
      });
    }
  });

  test("that names another review than the open one is refused", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(threeTimes);
    const { reviewId } = await harness.decide(runId);
    await expect(harness.decide(runId, { reviewId, by: carol })).rejects.toMatchObject({
      code: "another_review_open",
      status: 409,
    });
    const elsewhere = (await harness.reviews(await harness.run()))[0]?.reviewId ?? "";
    await expect(harness.decide(runId, { reviewId: elsewhere })).rejects.toMatchObject({ code: "review_not_found" });
    await expect(harness.decide(runId, { reviewId: "rev_nothing" })).rejects.toMatchObject({
      code: "review_not_found",
    });
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["approved", "open"]);
  });

  test("that was made on other data is refused, and nothing is sent", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r", { data: { n: "{{ input.n }}" } }), call("a", "once")]), {
      n: 1,
    });
    const [shown] = await harness.reviews(runId);
    const other = (await harness.reviews(await harness.run({ n: 2 })))[0];
    for (const reviewDigest of [other?.digest ?? "", "x", `${shown?.digest ?? ""} `]) {
      await expect(harness.decide(runId, { reviewDigest })).rejects.toMatchObject({
        code: "review_digest_mismatch",
        status: 412,
      });
    }
    expect(harness.bank.calls).toEqual([]);
    await harness.decide(runId, { reviewDigest: shown?.digest ?? "", reviewId: shown?.reviewId ?? "" });
    expect(harness.bank.calls).toHaveLength(1);
  });
});

describe("a loop that opens three reviews", () => {
  test("late, doubled and crossed decisions never reach another review if they name one, and the run ends", async () => {
    for (let round = 0; round < 200; round++) {
      const harness = await createHarness();
      const engines = [harness.engine, await harness.addEngine()];
      const runId = await harness.runOf(threeTimes);
      const seen: string[] = [];
      for (let asked = 1; asked <= 3; asked++) {
        const reviews = await harness.reviews(runId);
        expect(reviews).toHaveLength(asked);
        const open = reviews.at(-1)?.reviewId ?? "";
        seen.push(open);
        // The right decision twice, and one for every earlier review, at once and through both engines.
        const decide = (reviewId: string, index: number) =>
          (engines[(index + round) % 2] ?? harness.engine).reviews.decide({
            environment: "sandbox",
            runId,
            reviewId,
            approved: (index + round) % 3 !== 0 || reviewId === open,
            rejectionReason: "late",
            idempotencyKey: uuid(),
            by: { person: `p${index}` },
          });
        const results = await Promise.allSettled([...seen, open].map(decide));
        await harness.clock.advance(1_100);
        expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      }
      expect((await harness.read(runId)).status).toBe("completed");
      const reviews = await harness.reviews(runId);
      expect(reviews.map(({ status, decisions }) => [status, decisions.length])).toEqual([
        ["approved", 1],
        ["approved", 1],
        ["approved", 1],
      ]);
    }
  });

  test("a double click without a review id decides one review only if it has one key", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(threeTimes);
    const idempotencyKey = uuid();
    const click = () =>
      harness.engine.reviews.decide({ environment: "sandbox", runId, approved: true, idempotencyKey, by: bob });
    await Promise.all([click(), click()]);
    await harness.clock.settle();
    await click();
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["approved", "open"]);
  });
});

describe("a decision that the run does not receive at once", () => {
  test("made while no engine runs is executed by the next one, once", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r"), call("a", "once")]));
    await harness.engine.stop();
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("running");
    const heirs = [await harness.addEngine(), await harness.addEngine()];
    await harness.clock.advance(2_000);
    expect(heirs).toHaveLength(2);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("with a lost answer is replayed by the same key, and the run continues", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r"), call("a", "once")]));
    let lose = true;
    harness.engine.way.on("reviews.decide", async (work) => {
      const result = await work();
      if (!lose) return result;
      lose = false;
      throw new Error("connection lost");
    });
    const idempotencyKey = uuid();
    await expect(harness.decide(runId, { idempotencyKey })).rejects.toThrow();
    expect(await harness.decide(runId, { idempotencyKey })).toMatchObject({ status: "replayed" });
    await harness.clock.advance(60_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("made while the review becomes durable is not lost", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r"), call("a", "once")]));
    const decisions: Promise<unknown>[] = [];
    harness.engine.way.on("runs.commit", async (work, request) => {
      const result = await work();
      const { runId, openReview } = request as { runId: string; openReview?: object };
      if (openReview === undefined) return result;
      decisions.push(
        harness.engine.reviews.decide({
          environment: "sandbox",
          runId,
          approved: true,
          idempotencyKey: uuid(),
          by: bob,
        }),
      );
      await decisions.at(-1);
      return result;
    });
    const runId = await harness.run();
    await harness.clock.advance(2_000);
    expect(decisions).toHaveLength(1);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });
});
