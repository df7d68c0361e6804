import type { ProcedureDocument } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { breaksWith, plannedModel, proposes, says, thinks, type PlannedModel } from "./agent-model.ts";
import { alice, createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { call, end, procedure } from "./documents.ts";

const pay = call("pay", "pay", { instructions: "Pay.", arguments: { to: "acme" } });
const paying = procedure([pay, end("failed", { why: "{{ nodes.pay.error }}" })], {
  edges: ["start > pay", "pay > done", "pay:error > failed"],
});
const right = proposes({ amount: 5 });

async function harnessWith(model: PlannedModel, options: HarnessOptions = {}): Promise<Harness> {
  return await createHarness({ models: { arguments: { model } }, ...options });
}

/** The attempts to ask the model in the journal, with the time of each in seconds from the run's start. */
async function attemptsOf(harness: Harness, runId: string) {
  const entries = await harness.entries(runId);
  const startedAtMs = entries[0]?.atMs ?? 0;
  return entries.flatMap((entry) =>
    entry.type === "replied" ? [[entry.attempt, entry.result.status, (entry.atMs - startedAtMs) / 1_000]] : [],
  );
}

describe("a model that cannot answer", () => {
  test.each([
    ["reports too many requests", breaksWith(429)],
    ["is overloaded", breaksWith(503)],
    ["broke", breaksWith(500)],
    [
      "cannot be reached",
      (): never => {
        throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
      },
    ],
  ])(
    "because it %s is asked again with the same prompt: 4 times in all, with a doubling delay",
    async (_why, fails) => {
      const model = plannedModel();
      const harness = await harnessWith(model);
      model.plan(fails, fails, fails, right);
      const runId = await harness.runOf(paying);
      expect(model.requests).toHaveLength(1);
      await harness.clock.advance(60_000);
      expect((await harness.read(runId)).status).toBe("completed");
      expect(model.requests.map(({ prompt }) => prompt)).toEqual(model.requests.map(() => model.requests[0]?.prompt));
      const attempts = await attemptsOf(harness, runId);
      expect(attempts.map(([attempt, status]) => [attempt, status])).toEqual([
        [1, "error"],
        [2, "error"],
        [3, "error"],
        [4, "ok"],
      ]);
      const times = attempts.map(([, , seconds]) => Number(seconds));
      const pauses = times.slice(1).map((seconds, index) => seconds - (times[index] ?? 0));
      // Half of each delay is random, and a parked run is found within a second.
      for (const [index, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual(2 ** index / 2);
        expect(pause).toBeLessThanOrEqual(2 ** index + 1);
      }
      expect((await harness.entries(runId)).filter(({ type }) => type === "prompted")).toHaveLength(1);
    },
  );

  test("a fourth time fails the node with the provider's message, by its error branch", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(breaksWith(503));
    const runId = await harness.runOf(paying);
    await harness.clock.advance(120_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { why: expect.stringContaining("503") as string },
    });
    expect(model.requests).toHaveLength(4);
  });

  test("for a permanent reason is asked once", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(breaksWith(401));
    const runId = await harness.runOf(paying);
    await harness.clock.advance(120_000);
    expect(await harness.read(runId)).toMatchObject({ output: { why: expect.stringContaining("401") as string } });
    expect(model.requests).toHaveLength(1);
  });

  test.each([
    ["40", 40_000],
    ["7200", 7_200_000],
    ["172800", 86_400_000],
  ])("is not asked before the requested time, at most a day: %s s", async (retryAfter, waitMs) => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(breaksWith(429, { "retry-after": retryAfter }), right);
    const runId = await harness.runOf(paying);
    await harness.clock.advance(waitMs - 1_000);
    expect(model.requests).toHaveLength(1);
    await harness.clock.advance(3_000);
    expect(model.requests).toHaveLength(2);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("in its time is asked again", async () => {
    const model = plannedModel();
    const harness = await createHarness({ models: { arguments: { model, timeoutMs: 10_000 } } });
    model.plan(thinks().behaviour, right);
    const runId = await harness.runOf(paying);
    await harness.clock.advance(9_999);
    expect(await attemptsOf(harness, runId)).toEqual([]);
    await harness.clock.advance(5_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect((await attemptsOf(harness, runId)).map(([, status]) => status)).toEqual(["error", "ok"]);
  });

  test("is waited for in storage: another engine continues with the same prompt at the same attempt", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(breaksWith(429, { "retry-after": "60" }), right);
    const runId = await harness.runOf(paying);
    await harness.engine.stop();
    const successor = await harness.addEngine();
    await harness.clock.advance(65_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect((await attemptsOf(harness, runId)).map(([attempt]) => attempt)).toEqual([1, 2]);
    expect(model.requests[1]?.prompt).toEqual(model.requests[0]?.prompt);
  });
});

describe("a request to a model in progress", () => {
  test("is aborted when the worker loses its lease, and the new owner sends another one; a late reply has no effect", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model, { worker: { leaseMs: 15_000 } });
    const late = thinks();
    model.plan(late.behaviour, right);
    const runId = await harness.runOf(paying);
    harness.engine.way.cut();
    const successor = await harness.addEngine();
    await harness.clock.advance(20_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    late.answer(proposes({ amount: 1_000_000 }));
    harness.engine.way.mend();
    await harness.clock.advance(30_000);
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([{ to: "acme", amount: 5 }]);
    expect(model.requests).toHaveLength(2);
    expect((await attemptsOf(harness, runId)).map(([attempt, status]) => [attempt, status])).toEqual([[1, "ok"]]);
  });

  test("is awaited by a draining worker; the reply is stored, and the next engine judges it", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    const { behaviour, answer } = thinks();
    model.plan(behaviour);
    const runId = await harness.runOf(paying);
    const stopping = harness.engine.stop();
    await harness.clock.settle();
    answer(right);
    await harness.clock.settle();
    await stopping;
    expect(harness.bank.calls).toEqual([]);
    const successor = await harness.addEngine();
    await harness.clock.advance(2_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(model.requests).toHaveLength(1);
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("that outlasts the drain is aborted, and the next engine sends it as if it were the first", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(thinks().behaviour, right);
    const runId = await harness.runOf(paying);
    const stopping = harness.engine.stop({ drainMs: 1_000 });
    await harness.clock.advance(5_000);
    await stopping;
    const successor = await harness.addEngine();
    await harness.clock.advance(2_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect((await attemptsOf(harness, runId)).map(([attempt, status]) => [attempt, status])).toEqual([[1, "ok"]]);
  });

  test("is not sent by an engine that executes no runs", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model, { started: false });
    model.plan(right);
    const runId = await harness.runOf(paying);
    await harness.clock.settle();
    expect(model.requests).toEqual([]);
    const worker = await harness.addEngine({ started: true });
    await harness.clock.advance(2_000);
    expect((await worker.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
  });

  test("of a cancelled run is recorded with its reply, and no call is made", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    const { behaviour, answer } = thinks();
    model.plan(behaviour);
    const runId = await harness.runOf(paying);
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice, reason: "changed my mind" });
    answer(right);
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice: changed my mind" });
    expect((await harness.entries(runId)).map(({ type }) => type)).toEqual([
      "started",
      "prompted",
      "replied",
      "cancel_requested",
      "ended",
    ]);
    expect(harness.bank.calls).toEqual([]);
  });

  test("that fails is not repeated once the run is cancelled", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(breaksWith(503));
    const runId = await harness.runOf(paying);
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
    await harness.clock.advance(60_000);
    expect((await harness.read(runId)).status).toBe("failed");
    expect(model.requests).toHaveLength(1);
  });
});

describe("limits", () => {
  const talks = procedure([call("pay", "pay", { instructions: "Pay.", arguments: { to: "acme" } })]);

  async function failedWith(document: ProcedureDocument, options: HarnessOptions = {}) {
    const model = plannedModel();
    const harness = await harnessWith(model, options);
    model.plan(says("Hm."));
    const runId = await harness.runOf(document);
    return { error: (await harness.read(runId)).error, asked: model.requests.length };
  }

  test("of a run end it with a message that names them: model calls and tokens of the engine", async () => {
    expect(await failedWith(talks, { limits: { modelCalls: 2 } })).toEqual({
      error: "The run reached its limit of 2 model calls.",
      asked: 2,
    });
    expect(await failedWith(talks, { limits: { tokens: 150 } })).toEqual({
      error: "The run reached its limit of 150 tokens.",
      asked: 2,
    });
    expect(await failedWith(talks, { limits: { modelCalls: 0 } })).toMatchObject({ asked: 0 });
  });

  test("of the procedure apply below those of the engine", async () => {
    const budgets = { run: { modelCalls: 1 } };
    expect(await failedWith({ ...talks, budgets })).toEqual({
      error: "The run reached its limit of 1 model calls.",
      asked: 1,
    });
  });

  test("of a node fail it, by its error branch", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(says("Hm."));
    const bounded = { ...pay, budget: { modelCalls: 2 } };
    const document = { ...paying, nodes: paying.nodes.map((node) => (node.id === "pay" ? bounded : node)) };
    const runId = await harness.runOf(document);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { why: expect.stringContaining("used its budget of 2 model calls") as string },
    });
    expect(model.requests).toHaveLength(2);
  });

  test("of a procedure and day are shared by all its runs, by the actual usage of the model", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(right);
    const day = { modelCalls: 2, tokens: 1_000_000, timeZone: "UTC" };
    await harness.publish({ ...paying, budgets: { day } });
    for (const _run of [1, 2, 3]) await harness.run();
    expect(model.requests).toHaveLength(2);
    const names = ["modelCalls", "tokens"].map((of) => `use/p/${of}/2026-01-02`);
    const scope = { workspace: "default", environment: "sandbox" } as const;
    expect(await harness.storage.budgets.taken(scope, names)).toEqual([2, 220]);
    harness.clock.jump(86_400_000);
    await harness.run();
    expect(model.requests).toHaveLength(3);
  });
});
