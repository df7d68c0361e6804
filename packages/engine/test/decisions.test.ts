import type { ProcedoError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { bob, carol, createBench, uuid } from "./bench.ts";
import { call, condition, procedure, review } from "./documents.ts";

const asking = procedure([review("r")]);

/** A loop that asks three times and then ends. */
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
  test("20 times at once over two engines is recorded once, and all get the answer, 200 times", async () => {
    const bench = await createBench();
    const engines = [bench.engine, await bench.addEngine()];
    await bench.publish(procedure([review("r"), call("a", "once")]));
    for (let round = 1; round <= 200; round++) {
      const runId = await bench.run();
      const idempotencyKey = uuid();
      const decisions = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (engines[(index + round) % 2] ?? bench.engine).reviews.decide({
            environment: "sandbox",
            runId,
            approved: true,
            idempotencyKey,
            by: bob,
          }),
        ),
      );
      await bench.clock.advance(50);
      expect(new Set(decisions.map(({ reviewId }) => reviewId)).size).toBe(1);
      expect(decisions.map(({ status }) => status).sort()).toEqual(["approved", ...Array<string>(19).fill("replayed")]);
      expect((await bench.reviews(runId))[0]?.decisions).toHaveLength(1);
      expect(bench.bank.calls).toHaveLength(round);
    }
  });

  test("again, whatever the body, is the original decision: nothing is repeated", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(asking);
    const idempotencyKey = uuid();
    const { reviewId } = await bench.decide(runId, { idempotencyKey });
    const before = await bench.read(runId);
    for (const other of [
      { approved: false, rejectionReason: "no" },
      { outputs: { x: 1 } },
      { by: { ...bob, via: "key_rotated", person: " Bob " } },
      { reviewId: "rev_other" },
    ]) {
      expect(await bench.decide(runId, { idempotencyKey, ...other })).toEqual({ reviewId, status: "replayed" });
    }
    expect(await bench.read(runId)).toEqual(before);
  });

  test("of an earlier review of the run is replayed while a later review is open, and decides nothing there", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(threeTimes);
    const idempotencyKey = uuid();
    const { reviewId } = await bench.decide(runId, { idempotencyKey });
    expect(await bench.decide(runId, { idempotencyKey })).toEqual({ reviewId, status: "replayed" });
    expect((await bench.reviews(runId)).map(({ status }) => status)).toEqual(["approved", "open"]);
  });

  test("is the person's who used it first: another person decides nothing by it, and is told nothing of the decision", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r", { approvals: 2 })]));
    const runId = await bench.run();
    const idempotencyKey = uuid();
    await bench.decide(runId, { idempotencyKey });
    for (const other of [{}, { approved: false, rejectionReason: "no" }, { approved: false }]) {
      const error = await bench
        .decide(runId, { idempotencyKey, by: carol, ...other })
        .catch((reason: unknown) => reason as ProcedoError);
      expect(error).toMatchObject({ code: "idempotency_conflict", status: 409 });
      expect((error as ProcedoError).message).not.toMatch(/bob|rev_|run_/);
    }
    expect((await bench.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [{ person: "bob" }] });
    // With a key of her own she completes it, as the person that she is.
    await bench.decide(runId, { by: carol });
    const [closed] = await bench.reviews(runId);
    expect(closed?.decisions.map(({ person }) => person)).toEqual(["bob", "carol"]);
  });

  test("used by two people at once decides for one of them, and the other one is refused", async () => {
    const bench = await createBench();
    const engines = [bench.engine, await bench.addEngine()];
    await bench.publish(procedure([review("r", { approvals: 2 })]));
    const runId = await bench.run();
    const request = { environment: "sandbox", runId, approved: true, idempotencyKey: uuid() } as const;
    const answers = await Promise.allSettled(
      [bob, carol].map((by, index) => (engines[index] ?? bench.engine).reviews.decide({ ...request, by })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = answers.find((answer) => answer.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "idempotency_conflict" });
    expect((await bench.reviews(runId))[0]?.decisions).toHaveLength(1);
  });

  test("for another run is an error", async () => {
    const bench = await createBench();
    await bench.publish(asking);
    const [one, two] = [await bench.run(), await bench.run()];
    const idempotencyKey = uuid();
    await bench.decide(one, { idempotencyKey });
    await expect(bench.decide(two, { idempotencyKey })).rejects.toMatchObject({
      code: "idempotency_key_reused",
      status: 422,
    });
    expect((await bench.read(two)).status).toBe("awaiting_review");
  });

  test("belongs to its environment: the other one may use the same key", async () => {
    const bench = await createBench();
    await bench.publish(asking, { defaultIn: ["sandbox", "live"] });
    const one = await bench.run();
    const two = await bench.run({}, { environment: "live" });
    const idempotencyKey = uuid();
    expect(await bench.decide(one, { idempotencyKey })).toMatchObject({ status: "approved" });
    expect(await bench.decide(two, { idempotencyKey, environment: "live" })).toMatchObject({ status: "approved" });
  });

  test("of a refused decision is not used up", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(asking);
    const idempotencyKey = uuid();
    await expect(bench.decide(runId, { idempotencyKey, approved: false })).rejects.toMatchObject({
      code: "invalid_decision",
    });
    expect(await bench.decide(runId, { idempotencyKey })).toMatchObject({ status: "approved" });
  });

  test.each(["", "1", "00000000-0000-1000-8000-000000000000", "00000000-0000-4000-c000-000000000000", `${uuid()}x`])(
    "that is no UUID version 4 is refused: %o",
    async (idempotencyKey) => {
      const bench = await createBench();
      const runId = await bench.runOf(asking);
      await expect(bench.decide(runId, { idempotencyKey })).rejects.toMatchObject({
        code: "invalid_decision",
        status: 422,
        details: [{ path: "/idempotencyKey" }],
      });
      expect((await bench.read(runId)).status).toBe("awaiting_review");
    },
  );

  test("is the same in upper and lower case", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(asking);
    const idempotencyKey = "0000000a-000b-4000-8000-00000000000c";
    await bench.decide(runId, { idempotencyKey });
    expect(await bench.decide(runId, { idempotencyKey: idempotencyKey.toUpperCase() })).toMatchObject({
      status: "replayed",
    });
  });
});

describe("a decision on something that is not open", () => {
  test("of an unknown run, of a run that never asked, and of the other environment is not found", async () => {
    const bench = await createBench();
    const never = await bench.runOf(procedure([call("a", "once")]));
    await bench.publish(asking, { version: "v2" });
    const other = await bench.run({}, { version: "v2" });
    await expect(bench.decide("run_nothing")).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    await expect(bench.decide(never)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    await expect(bench.decide(other, { environment: "live" })).rejects.toMatchObject({
      code: "review_not_found",
      status: 404,
    });
    expect((await bench.read(other)).status).toBe("awaiting_review");
  });

  test.each([
    [true, {}],
    [false, { rejectionReason: "no" }],
  ])("after a decision (approved: %o) is a conflict that names what was decided", async (approved, more) => {
    const bench = await createBench();
    const runId = await bench.runOf(asking);
    await bench.decide(runId, { approved, ...more });
    for (const second of [{ approved: true }, { approved: false, rejectionReason: "x" }]) {
      await expect(bench.decide(runId, { ...second, by: carol })).rejects.toMatchObject({
        code: "already_decided",
        status: 409,
        message: expect.stringContaining(approved ? "approved" : "rejected") as string,
      });
    }
  });

  test("that names another review than the open one is refused, whichever it was", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(threeTimes);
    const { reviewId } = await bench.decide(runId);
    await expect(bench.decide(runId, { reviewId, by: carol })).rejects.toMatchObject({
      code: "another_review_open",
      status: 409,
    });
    const elsewhere = (await bench.reviews(await bench.run()))[0]?.reviewId ?? "";
    await expect(bench.decide(runId, { reviewId: elsewhere })).rejects.toMatchObject({ code: "review_not_found" });
    await expect(bench.decide(runId, { reviewId: "rev_nothing" })).rejects.toMatchObject({ code: "review_not_found" });
    expect((await bench.reviews(runId)).map(({ status }) => status)).toEqual(["approved", "open"]);
  });

  test("that saw something else is refused, and nothing is sent", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r", { data: { n: "{{ input.n }}" } }), call("a", "once")]), {
      n: 1,
    });
    const [shown] = await bench.reviews(runId);
    const other = (await bench.reviews(await bench.run({ n: 2 })))[0];
    for (const reviewDigest of [other?.digest ?? "", "x", `${shown?.digest ?? ""} `]) {
      await expect(bench.decide(runId, { reviewDigest })).rejects.toMatchObject({
        code: "review_digest_mismatch",
        status: 412,
      });
    }
    expect(bench.bank.calls).toEqual([]);
    await bench.decide(runId, { reviewDigest: shown?.digest ?? "", reviewId: shown?.reviewId ?? "" });
    expect(bench.bank.calls).toHaveLength(1);
  });
});

describe("a loop that asks three times", () => {
  test("late, doubled and crossed decisions never reach another review when they name one, and the run ends", async () => {
    for (let round = 0; round < 200; round++) {
      const bench = await createBench();
      const engines = [bench.engine, await bench.addEngine()];
      const runId = await bench.runOf(threeTimes);
      const seen: string[] = [];
      for (let asked = 1; asked <= 3; asked++) {
        const reviews = await bench.reviews(runId);
        expect(reviews).toHaveLength(asked);
        const open = reviews.at(-1)?.reviewId ?? "";
        seen.push(open);
        // The right decision twice, and one for every earlier review, at once and from both engines.
        const decide = (reviewId: string, index: number) =>
          (engines[(index + round) % 2] ?? bench.engine).reviews.decide({
            environment: "sandbox",
            runId,
            reviewId,
            approved: (index + round) % 3 !== 0 || reviewId === open,
            rejectionReason: "late",
            idempotencyKey: uuid(),
            by: { person: `p${index}` },
          });
        const results = await Promise.allSettled([...seen, open].map(decide));
        await bench.clock.advance(1_100);
        expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      }
      expect((await bench.read(runId)).status).toBe("completed");
      const reviews = await bench.reviews(runId);
      expect(reviews.map(({ status, decisions }) => [status, decisions.length])).toEqual([
        ["approved", 1],
        ["approved", 1],
        ["approved", 1],
      ]);
    }
  });

  test("a double click without a review's id decides one review only when it has one key", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(threeTimes);
    const idempotencyKey = uuid();
    const click = () =>
      bench.engine.reviews.decide({ environment: "sandbox", runId, approved: true, idempotencyKey, by: bob });
    await Promise.all([click(), click()]);
    await bench.clock.settle();
    await click();
    expect((await bench.reviews(runId)).map(({ status }) => status)).toEqual(["approved", "open"]);
  });
});

describe("a decision that the run does not hear of at once", () => {
  test("made while no engine works is carried out by the next one, once", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r"), call("a", "once")]));
    await bench.engine.stop();
    await bench.decide(runId);
    expect((await bench.read(runId)).status).toBe("running");
    const heirs = [await bench.addEngine(), await bench.addEngine()];
    await bench.clock.advance(2_000);
    expect(heirs).toHaveLength(2);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("whose answer is lost is replayed by the same key, and the run goes on", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r"), call("a", "once")]));
    let lose = true;
    bench.engine.way.on("reviews.decide", async (work) => {
      const result = await work();
      if (!lose) return result;
      lose = false;
      throw new Error("connection lost");
    });
    const idempotencyKey = uuid();
    await expect(bench.decide(runId, { idempotencyKey })).rejects.toThrow();
    expect(await bench.decide(runId, { idempotencyKey })).toMatchObject({ status: "replayed" });
    await bench.clock.advance(60_000);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("made in the moment in which the review becomes durable is not lost", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r"), call("a", "once")]));
    const decisions: Promise<unknown>[] = [];
    bench.engine.way.on("runs.commit", async (work, request) => {
      const result = await work();
      const { runId, openReview } = request as { runId: string; openReview?: object };
      if (openReview === undefined) return result;
      decisions.push(
        bench.engine.reviews.decide({
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
    const runId = await bench.run();
    await bench.clock.advance(2_000);
    expect(decisions).toHaveLength(1);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
  });
});
