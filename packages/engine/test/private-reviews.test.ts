import { describe, expect, test } from "vitest";
import { carol } from "./bench.ts";
import { procedure, review } from "./documents.ts";
import { calling, createPrivateBench, declared } from "./private-bench.ts";

describe("a function that requires a review", () => {
  const functions = [declared("screen", { requiresReview: true })];

  test("is called with exactly what was shown, once a person has approved it", async () => {
    const bench = await createPrivateBench();
    const client = await bench.connect(functions);
    const runId = await bench.call();
    expect(await bench.reviews(runId)).toMatchObject([
      {
        kind: "function",
        status: "open",
        data: { connection: "office", action: "screen", arguments: { name: "Acme" } },
      },
    ]);
    const held = client.poll();
    await bench.decide(runId, { by: carol });
    const [invocation] = await held;
    expect(invocation).toMatchObject({ input: { name: "Acme" } });
    if (invocation !== undefined) await client.answer(invocation, 1);
    expect(await bench.read(runId)).toMatchObject({ status: "completed" });
    expect((await bench.entries(runId)).find(({ type }) => type === "intent")).toHaveProperty("approvedDigest");
  });

  test("is never called when it is rejected: the run leaves by the rejected branch, or fails with the reason", async () => {
    const bench = await createPrivateBench();
    const client = await bench.connect(functions);
    const runId = await bench.call();
    await bench.decide(runId, { approved: false, rejectionReason: "Not today." });
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: "Not today." });
    const poll = client.poll();
    await bench.clock.advance(25_000);
    expect(await poll).toEqual([]);
    const scope = { workspace: "default", environment: "sandbox" } as const;
    expect(await bench.storage.invocations.ofRun({ scope, runId })).toEqual([]);
  });

  test("takes no outputs with its approval", async () => {
    const bench = await createPrivateBench();
    await bench.connect(functions);
    const runId = await bench.call();
    await expect(bench.decide(runId, { outputs: { matches: 0 } })).rejects.toMatchObject({ code: "invalid_decision" });
  });

  test("that was approved and has changed since is not called", async () => {
    const bench = await createPrivateBench();
    await bench.connect(functions);
    const runId = await bench.call();
    await bench.connect([declared("screen", { requiresReview: true, input: { type: "object" } })]);
    await bench.decide(runId);
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: expect.stringMatching(/changed since/) });
  });

  test("of which the very call was approved by a review that covers it is not asked about again", async () => {
    const bench = await createPrivateBench();
    const client = await bench.connect(functions);
    const [, screen] = calling().nodes;
    if (screen === undefined) throw new Error("The procedure has no call.");
    const runId = await bench.runOf(procedure([review("ok", { covers: "screen" }), screen]));
    const held = client.poll();
    await bench.decide(runId);
    expect(await held).toMatchObject([{ input: { name: "Acme" } }]);
    expect(await bench.reviews(runId)).toMatchObject([{ kind: "human_review", call: { dispatched: true } }]);
  });

  test("of which a guard holds the call back is asked about once", async () => {
    const bench = await createPrivateBench();
    const client = await bench.connect(functions);
    const runId = await bench.call("screen", { guards: [{ check: "args.name == 'Other'", otherwise: "review" }] });
    const held = client.poll();
    await bench.decide(runId);
    expect(await held).toMatchObject([{ input: { name: "Acme" } }]);
    expect(await bench.reviews(runId)).toMatchObject([{ kind: "guard", status: "approved" }]);
  });

  test("is handed out by another engine when the one that asked is gone", async () => {
    const bench = await createPrivateBench();
    const client = await bench.connect(functions);
    const runId = await bench.call();
    const heir = await bench.addEngine();
    await bench.engine.stop();
    await bench.decide(runId);
    await bench.clock.advance(2_000);
    const [invocation] = await heir.privateConnections.poll(client.client, { max: 1, manifest: client.digest });
    expect(invocation).toMatchObject({ input: { name: "Acme" } });
  });
});
