import type { JsonObject } from "@procedo/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bob, createHarness } from "./harness.ts";
import { call, condition, end, procedure, review } from "./documents.ts";

describe("a human review", () => {
  test("freezes the shown content: title, data and a digest of both", async () => {
    const harness = await createHarness();
    const document = procedure([
      review("r", { title: "Pay {{ input.amount }}?", data: { order: "{{ input }}", note: "as agreed" } }),
    ]);
    const runId = await harness.runOf(document, { amount: 12 });
    const [shown] = await harness.reviews(runId);
    expect(shown).toMatchObject({
      runId,
      procedureId: "p",
      nodeId: "r",
      kind: "human_review",
      status: "open",
      title: "Pay 12?",
      data: { order: { amount: 12 }, note: "as agreed" },
      openedAtMs: harness.clock.now(),
      decisions: [],
    });
    expect(shown?.digest).toMatch(/^[\w-]{43}$/);
    expect(await harness.engine.reviews.get({ environment: "sandbox", reviewId: shown?.reviewId ?? "" })).toEqual(
      shown,
    );
    const { items } = await harness.engine.reviews.list({ environment: "sandbox", status: "open", limit: 10 });
    expect(items).toMatchObject([{ reviewId: shown?.reviewId, runId, title: "Pay 12?", digest: shown?.digest }]);
  });

  test("reviews with different content have different digests", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r", { data: { n: "{{ input.n }}" } })]));
    const digests = [];
    for (const n of [1, 2, 1]) digests.push((await harness.reviews(await harness.run({ n })))[0]?.digest);
    expect(digests[0]).toBe(digests[2]);
    expect(digests[0]).not.toBe(digests[1]);
  });

  test("an approval continues the run with approved as the result", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")], { output: { r: "{{ nodes.r.output }}" } }));
    expect(await harness.decide(runId)).toMatchObject({ status: "approved" });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { r: { approved: true } } });
  });

  test("the steps before it can be read while it waits", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([call("a", "read", { arguments: { n: 1 } }), review("r")]));
    expect((await harness.read(runId)).steps).toMatchObject([
      { nodeId: "start", status: "completed" },
      { nodeId: "a", status: "completed", input: { n: 1 }, output: { id: "read-1" } },
      { nodeId: "r", status: "awaiting_review" },
    ]);
  });

  test("a decision on one run reaches no other run of the same procedure", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r")]));
    const runIds = [await harness.run(), await harness.run(), await harness.run()];
    await harness.decide(runIds[1] ?? "");
    const statuses = await Promise.all(runIds.map(async (runId) => (await harness.read(runId)).status));
    expect(statuses).toEqual(["awaiting_review", "completed", "awaiting_review"]);
  });

  test("no step before it is executed again after the decision, also by another engine", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([call("a", "once"), review("r"), call("b", "once")]));
    const successor = await harness.addEngine();
    await harness.engine.stop();
    await successor.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: bob,
    });
    await harness.clock.advance(2_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(harness.bank.calls.map(({ context }) => context.nodeId)).toEqual(["a", "b"]);
  });

  test("outputs replace its result", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")], { output: { r: "{{ nodes.r.output }}" } }));
    await harness.decide(runId, { outputs: { amount: 7 } });
    expect((await harness.read(runId)).output).toEqual({ r: { amount: 7 } });
  });

  test("outputs that violate its schema are refused with pointers, and nothing is recorded", async () => {
    const harness = await createHarness();
    const outputs = {
      type: "object",
      required: ["amount"],
      properties: { amount: { type: "integer", maximum: 100 } },
      additionalProperties: false,
    };
    const runId = await harness.runOf(procedure([review("r", { outputs })]));
    const decision = harness.decide(runId, { outputs: { amount: 101, extra: true } });
    await expect(decision).rejects.toMatchObject({ code: "invalid_decision", status: 422 });
    const error = (await decision.catch((thrown: unknown) => thrown)) as { details: readonly { path: string }[] };
    expect(error.details.map(({ path }) => path).sort()).toEqual(["/outputs/amount", "/outputs/extra"]);
    expect((await harness.reviews(runId))[0]).toMatchObject({ status: "open", decisions: [] });
    await harness.decide(runId, { outputs: { amount: 100 } });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test.each([
    ["too large", { text: "x".repeat(300_000) }],
    ["too deep", nested(65)],
    ["a number that JSON cannot represent", { n: NaN }],
  ])("outputs that are %s are refused", async (_name, outputs) => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    await expect(harness.decide(runId, { outputs: outputs as never })).rejects.toMatchObject({
      code: "invalid_decision",
    });
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });

  test("a rejection fails the run with the reason, and no further node runs", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r"), call("a", "once")]));
    expect(await harness.decide(runId, { approved: false, rejectionReason: "wrong vendor" })).toMatchObject({
      status: "rejected",
    });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "wrong vendor" });
    expect(harness.bank.calls).toEqual([]);
  });

  test.each([undefined, "", "  "])("a rejection without a reason (%o) is refused", async (rejectionReason) => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    const decision = harness.decide(runId, {
      approved: false,
      ...(rejectionReason === undefined ? {} : { rejectionReason }),
    });
    await expect(decision).rejects.toMatchObject({
      code: "invalid_decision",
      status: 422,
      details: [{ path: "/rejectionReason" }],
    });
  });

  test("records the reviewer, the time, the address, the key, and the digest of the shown content", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    const [shown] = await harness.reviews(runId);
    await harness.clock.advance(1_000);
    await harness.decide(runId, { by: { ...bob, via: "key_7", address: "192.0.2.1" } });
    const answered = (await harness.entries(runId)).find((entry) => entry.type === "review_closed");
    expect(answered).toMatchObject({
      reviewId: shown?.reviewId,
      answer: {
        status: "approved",
        decisions: [
          {
            person: "bob",
            via: "key_7",
            approved: true,
            atMs: harness.clock.now(),
            address: "192.0.2.1",
            digest: shown?.digest,
          },
        ],
      },
    });
    expect((await harness.reviews(runId))[0]?.decisions).toMatchObject([
      { person: "bob", via: "key_7", digest: shown?.digest },
    ]);
  });
});

describe("outputs of any kind", () => {
  const outputs = {
    type: "object",
    required: ["amount"],
    properties: { amount: { type: "integer", minimum: 0 }, memo: { type: "string", maxLength: 5 } },
    additionalProperties: false,
  };

  test("are accepted exactly if they fit, and leave no trace otherwise, 200 times", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r", { outputs })], { output: { r: "{{ nodes.r.output }}" } }));
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
        const runId = await harness.run();
        const code = await harness.decide(runId, { outputs: value }).then(
          () => "taken",
          (error: { code: string }) => error.code,
        );
        expect(code).toBe(expected ? "taken" : "invalid_decision");
        const run = await harness.read(runId);
        if (expected) expect(run.output).toEqual({ r: value });
        else expect([run.status, (await harness.reviews(runId))[0]?.decisions]).toEqual(["awaiting_review", []]);
      }),
      { numRuns: 200 },
    );
  });
});

describe("reviews behind branches", () => {
  test("the reviewer's outputs choose the branch", async () => {
    const harness = await createHarness();
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
    await harness.publish(document);
    const [one, two] = [await harness.run(), await harness.run()];
    await harness.decide(one, { outputs: { amount: 11 } });
    await harness.decide(two, { outputs: { amount: 10 } });
    expect((await harness.read(one)).output).toEqual({ size: "big" });
    expect((await harness.read(two)).output).toEqual({});
  });
});

function nested(levels: number): object {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { n: value };
  return value as object;
}
