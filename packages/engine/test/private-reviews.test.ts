import { describe, expect, test } from "vitest";
import { carol } from "./harness.ts";
import { procedure, review } from "./documents.ts";
import { calling, createPrivateHarness, declared } from "./private-harness.ts";

describe("a function that requires a review", () => {
  const functions = [declared("screen", { requiresReview: true })];

  test("is called with exactly the shown arguments, once a person has approved them", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect(functions);
    const runId = await harness.call();
    expect(await harness.reviews(runId)).toMatchObject([
      {
        kind: "function",
        status: "open",
        data: { connection: "office", action: "screen", arguments: { name: "Acme" } },
      },
    ]);
    const held = client.poll();
    await harness.decide(runId, { by: carol });
    const [invocation] = await held;
    expect(invocation).toMatchObject({ input: { name: "Acme" } });
    if (invocation !== undefined) await client.answer(invocation, 1);
    expect(await harness.read(runId)).toMatchObject({ status: "completed" });
    expect((await harness.entries(runId)).find(({ type }) => type === "intent")).toHaveProperty("approvedDigest");
  });

  test("is never called if it is rejected: the run leaves by the rejected branch, or fails with the reason", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect(functions);
    const runId = await harness.call();
    await harness.decide(runId, { approved: false, rejectionReason: "Not today." });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Not today." });
    const poll = client.poll();
    await harness.clock.advance(25_000);
    expect(await poll).toEqual([]);
    const scope = { workspace: "default", environment: "sandbox" } as const;
    expect(await harness.storage.invocations.ofRun({ scope, runId })).toEqual([]);
  });

  test("accepts no outputs with its approval", async () => {
    const harness = await createPrivateHarness();
    await harness.connect(functions);
    const runId = await harness.call();
    await expect(harness.decide(runId, { outputs: { matches: 0 } })).rejects.toMatchObject({
      code: "invalid_decision",
    });
  });

  test("that was approved and has changed since is not called", async () => {
    const harness = await createPrivateHarness();
    await harness.connect(functions);
    const runId = await harness.call();
    await harness.connect([declared("screen", { requiresReview: true, input: { type: "object" } })]);
    await harness.decide(runId);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/changed since/),
    });
  });

  test("whose call was approved by a covering review gets no other review", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect(functions);
    const [, screen] = calling().nodes;
    if (screen === undefined) throw new Error("The procedure has no call.");
    const runId = await harness.runOf(procedure([review("ok", { covers: "screen" }), screen]));
    const held = client.poll();
    await harness.decide(runId);
    expect(await held).toMatchObject([{ input: { name: "Acme" } }]);
    expect(await harness.reviews(runId)).toMatchObject([{ kind: "human_review", call: { dispatched: true } }]);
  });

  test("whose call is held back by a guard gets one review", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect(functions);
    const runId = await harness.call("screen", { guards: [{ check: "args.name == 'Other'", otherwise: "review" }] });
    const held = client.poll();
    await harness.decide(runId);
    expect(await held).toMatchObject([{ input: { name: "Acme" } }]);
    expect(await harness.reviews(runId)).toMatchObject([{ kind: "guard", status: "approved" }]);
  });

  test("is dispatched by another engine if the one that opened the review is gone", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect(functions);
    const runId = await harness.call();
    const successor = await harness.addEngine();
    await harness.engine.stop();
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    const [invocation] = await successor.privateConnections.poll(client.client, { max: 1, manifest: client.digest });
    expect(invocation).toMatchObject({ input: { name: "Acme" } });
  });
});
