import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { calling, createPrivateHarness, declared, leaseOf } from "./private-harness.ts";

const minute = 60_000;

describe("a call of a private function", () => {
  test("waits as a row, is dispatched with its context, and resumes the run with its result", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    expect(await harness.storage.invocations.ofRun({ scope, runId })).toMatchObject([{ status: "queued" }]);
    const invocation = await client.take();
    expect(invocation).toEqual({
      id: expect.stringMatching(/^inv_/),
      function: "screen",
      input: { name: "Acme" },
      leaseToken: expect.any(String),
      idempotencyKey: expect.any(String),
      context: { environment: "sandbox", runId, procedureId: "p", procedureVersion: "v1" },
    });
    await client.heartbeat(invocation);
    await client.answer(invocation, { matches: 0 });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: { matches: 0 } } });
    const entries = await harness.entries(runId);
    expect(entries.map(({ type }) => type)).toEqual(["started", "intent", "outcome", "ended"]);
    expect(entries).toMatchObject([{}, { frozen: { dispatched: true, effect: "once" } }, {}, {}]);
    expect(entries[2]).not.toHaveProperty("late");
  });

  test("has no owner: if workers die meanwhile, the next engine resumes the run with the result", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    const invocation = await client.take();
    await client.heartbeat(invocation);
    harness.engine.way.cut();
    const other = await harness.addEngine();
    await other.privateConnections.result(client.client, { ...leaseOf(invocation), status: "ok", output: 7 });
    await harness.clock.advance(minute);
    expect(await other.runs.get({ environment: "sandbox", runId })).toMatchObject({
      status: "completed",
      output: { said: 7 },
    });
  });

  test("fails with the message of its handler's exception, and leaves by the error branch", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    await client.fail(await client.take(), "The list is locked.");
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "The list is locked." });
    expect(run.steps.find(({ nodeId }) => nodeId === "screen")).toMatchObject({
      output: { error: "The list is locked." },
    });
  });

  test("is checked against the function's input schema before it is dispatched", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness
      .call("screen", { arguments: { name: "{{ run.createdAt }}", other: "{{ input }}" } })
      .catch((error: unknown) => error);
    expect(runId).toMatchObject({ code: "invalid_document" });
    const poll = client.poll();
    await harness.clock.advance(25_000);
    expect(await poll).toEqual([]);
  });

  test("that no client acknowledged in time fails, and certainly was not made", async () => {
    const harness = await createPrivateHarness();
    await harness.connect();
    const runId = await harness.call("screen", { timeoutMs: 30_000 });
    await harness.clock.advance(31_000);
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: expect.stringMatching(/No client .* within 30,000 ms/) });
    expect((await harness.entries(runId)).filter(({ type }) => type === "intent")).toHaveLength(1);
    expect(await harness.storage.invocations.ofRun({ scope, runId })).toMatchObject([{ status: "withdrawn" }]);
  });

  test("that a client acknowledged and did not answer in time is uncertain, and a late result settles it", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call("screen", { timeoutMs: 30_000 });
    const invocation = await client.take();
    await client.heartbeat(invocation);
    await harness.clock.advance(31_000);
    expect(await harness.read(runId)).toMatchObject({ status: "awaiting_review" });
    expect(await harness.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);
    await client.answer(invocation, "found");
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: "found" } });
    expect(await harness.reviews(runId)).toMatchObject([{ status: "settled" }]);
    expect((await harness.entries(runId)).findLast(({ type }) => type === "outcome")).toMatchObject({ late: true });
  });

  test("whose client went silent after the acknowledgement is never dispatched again: a person decides", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    const invocation = await client.take();
    await client.heartbeat(invocation);
    await harness.clock.advance(2 * minute);
    expect(await harness.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);
    const poll = client.poll();
    await harness.clock.advance(25_000);
    expect(await poll).toEqual([]);
    await harness.decide(runId, { outputs: { matches: 3 } });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: { matches: 3 } } });
    await expect(client.answer(invocation, "late")).rejects.toMatchObject({ code: "stale_lease" });
  });

  test("whose client went silent is settled by a late result, without a person", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    const invocation = await client.take();
    await client.heartbeat(invocation);
    await harness.clock.advance(2 * minute);
    expect(await client.heartbeat(invocation)).toEqual([]);
    await client.fail(invocation, "It was refused.");
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "It was refused." });
    expect(await harness.reviews(runId)).toMatchObject([{ status: "settled" }]);
    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "already_decided" });
  });

  test("of unknown outcome is sent again if the person says so, under the same key and as another invocation", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    const first = await client.take();
    await client.heartbeat(first);
    await harness.clock.advance(2 * minute);
    await harness.decide(runId);
    const second = await client.take();
    expect(second.idempotencyKey).toBe(first.idempotencyKey);
    expect(second.id).not.toBe(first.id);
    await client.heartbeat(second);
    await client.answer(second, "done");
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: "done" } });
  });

  test("of unknown outcome that fails when sent again stays uncertain, and opens another review", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    await client.heartbeat(await client.take());
    await harness.clock.advance(2 * minute);
    await harness.decide(runId);
    const second = await client.take();
    await client.heartbeat(second);
    await client.fail(second, "It is there already.");
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["approved", "open"]);
    await harness.decide(runId, { outputs: { id: 1 } });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: { id: 1 } } });
  });

  test("is dispatched once more without a review if the procedure says retry", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call("screen", { onUnknownOutcome: "retry" });
    await client.heartbeat(await client.take());
    const next = client.poll();
    await harness.clock.advance(80_000);
    const [again] = (await next).length > 0 ? await next : await client.poll();
    expect(again).toBeDefined();
    if (again !== undefined) await client.answer(again, 1);
    expect(await harness.read(runId)).toMatchObject({ status: "completed" });
    expect(await harness.reviews(runId)).toEqual([]);
  });

  test("of an idempotent function is not dispatched again once the function may have forgotten its key", async () => {
    const harness = await createPrivateHarness();
    const functions = [declared("screen", { idempotent: true, idempotencyKeyTtlMs: 5 * minute })];
    const first = await harness.connect(functions);
    const runId = await harness.call("screen", { onUnknownOutcome: "retry" });
    await first.heartbeat(await first.take());
    await harness.clock.advance(7 * minute);
    const second = await harness.connect(functions, { clientId: "two" });
    await second.poll(1, AbortSignal.timeout(0));
    expect(await harness.reviews(runId)).toMatchObject([
      { data: { reason: expect.stringContaining("not repeated automatically") as string }, status: "open" },
    ]);
  });

  test("of an idempotent function goes to another client when the first one went silent, with the same key", async () => {
    const harness = await createPrivateHarness();
    const functions = [declared("screen", { idempotent: true })];
    const first = await harness.connect(functions);
    const runId = await harness.call();
    const invocation = await first.take();
    await first.heartbeat(invocation);
    await harness.clock.advance(minute);
    const second = await harness.connect(functions, { clientId: "two" });
    const again = await second.take();
    expect(again).toMatchObject({ id: invocation.id, idempotencyKey: invocation.idempotencyKey });
    await expect(first.answer(invocation, "late")).rejects.toMatchObject({ code: "stale_lease" });
    await second.answer(again, "done");
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: "done" } });
  });

  test("that was not acknowledged is dispatched again when its lease ends", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    await harness.call();
    const lost = await client.take();
    await harness.clock.advance(minute);
    const again = await client.take();
    expect(again.id).toBe(lost.id);
    expect(again.leaseToken).not.toBe(lost.leaseToken);
    expect(await client.heartbeat(lost)).toEqual([lost.id]);
    expect(await client.heartbeat(again)).toEqual([]);
  });

  test("has the first of two results with the same lease, and answers both alike", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    const invocation = await client.take();
    await client.answer(invocation, 1);
    await client.answer(invocation, 2);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: 1 } });
  });

  test("that returned nothing has no output", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    await client.answer(await client.take());
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: null } });
  });

  test("whose result exceeds the limit of a step was made: a review names the limit", async () => {
    const harness = await createPrivateHarness({ limits: { stepBytes: 2_000 } });
    const client = await harness.connect();
    const runId = await harness.call();
    await client.answer(await client.take(), "x".repeat(3_000));
    const [review] = await harness.reviews(runId);
    expect(review).toMatchObject({
      kind: "outcome_unknown",
      data: { reason: expect.stringMatching(/limit is 2000 bytes/) },
    });
    await harness.decide(runId, { outputs: { kept: true } });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: { kept: true } } });
  });

  test("whose result was read by another engine is released by the engine that lost the run meanwhile", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call("screen", { timeoutMs: 30_000 });
    const invocation = await client.take();
    await client.heartbeat(invocation);
    let goOn = (): void => {};
    const heldUp = new Promise<void>((resolve) => (goOn = resolve));
    harness.engine.way.on("invocations.withdraw", async (work) => {
      await heldUp;
      return await work();
    });
    await harness.clock.advance(30_000);
    harness.engine.way.on("workers.heartbeat", () => Promise.reject(new Error("lost")));
    const successor = await harness.addEngine();
    await harness.clock.advance(20_000);
    await successor.privateConnections.result(client.client, { ...leaseOf(invocation), status: "ok", output: 1 });
    await harness.clock.advance(1_000);
    goOn();
    await harness.clock.advance(5_000);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { said: 1 } });
    expect(harness.engine.logged).toContain("warn: Another worker took a run over.");
    expect(harness.engine.runs.quarantinedRuns()).toEqual([]);
  });

  test("of a cancelled run is withdrawn if it was not dispatched, and the run ends", async () => {
    const harness = await createPrivateHarness();
    await harness.connect();
    const runId = await harness.call();
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(await harness.storage.invocations.ofRun({ scope, runId })).toMatchObject([{ status: "withdrawn" }]);
  });

  test("of a cancelled run is recorded as uncertain if a client has it, and the client is told to stop", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call();
    const invocation = await client.take();
    await client.heartbeat(invocation);
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect((await harness.entries(runId)).map(({ type }) => type)).toContain("outcome");
    expect(await client.heartbeat(invocation)).toEqual([invocation.id]);
    await expect(client.answer(invocation, 1)).rejects.toMatchObject({ code: "stale_lease" });
  });

  test("whose arguments exceed the limit of a dispatch is not made", async () => {
    const harness = await createPrivateHarness();
    await harness.connect([declared("screen", { input: { type: "object" } })]);
    await harness.publish(calling("screen", { arguments: { text: "{{ input.text }}" } }));
    const runId = await harness.run({ text: "x".repeat(1_100_000) });
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/sent to a client/),
    });
  });
});

const scope = { workspace: "default", environment: "sandbox" } as const;
