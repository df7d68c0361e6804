import { describe, expect, test } from "vitest";
import { plannedModel, proposes, says } from "./agent-model.ts";
import { createHarness } from "./harness.ts";
import { call, condition, procedure } from "./documents.ts";
import { breaks, fails } from "./scripted-bank.ts";

/** Calls an action repeatedly, by the run's own loop. */
const loop = procedure([call("note", "idempotent"), condition("more", { yes: "true" }, "no")], {
  edges: ["start > note", "note > more", "more:yes > note", "more:no > done"],
});

const atMost = (toolCalls: number) => ({ budgets: { run: { toolCalls } } });

describe("the maximum calls of a procedure per run", () => {
  test("end the run before the first call beyond them", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf({ ...loop, ...atMost(3) });
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: "The run reached its limit of 3 tool calls.",
    });
    expect(harness.bank.calls).toHaveLength(3);
  });

  test("apply to each run separately", async () => {
    const harness = await createHarness();
    await harness.runOf({ ...loop, ...atMost(2) });
    await harness.run();
    expect(harness.bank.calls).toHaveLength(4);
  });

  test("do not raise the engine's limit", async () => {
    const harness = await createHarness({ limits: { toolCalls: 2 } });
    const runId = await harness.runOf({ ...loop, ...atMost(50) });
    expect(await harness.read(runId)).toMatchObject({ error: "The run reached its limit of 2 tool calls." });
    expect(harness.bank.calls).toHaveLength(2);
  });

  test("count retries", async () => {
    const harness = await createHarness();
    harness.bank.plan("idempotent", fails("busy", { outcome: "not_sent", retryable: true }));
    const runId = await harness.runOf({ ...procedure([call("note", "idempotent")]), ...atMost(1) });
    await harness.clock.advance(60_000);
    expect(await harness.read(runId)).toMatchObject({ error: "The run reached its limit of 1 tool calls." });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("count the calls of an agent as well, and leave it its last text", async () => {
    const model = plannedModel();
    model.plan(proposes({ text: "a" }), proposes({ text: "b" }), says("Noted."));
    const harness = await createHarness({ models: { arguments: { model } } });
    const note = call("note", "idempotent", { instructions: "Note each line.", maxCalls: 9 });
    const done = await harness.runOf({ ...procedure([note]), ...atMost(2) });
    expect((await harness.read(done)).status).toBe("completed");
    model.plan(proposes({ text: "c" }));
    const ended = await harness.run();
    expect(await harness.read(ended)).toMatchObject({ error: "The run reached its limit of 2 tool calls." });
    expect(harness.bank.calls).toHaveLength(4);
  });

  test("hide no unknown outcome: a call that may have been made is sent again if a person says so", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", breaks());
    const pay = call("pay", "pay", { arguments: { to: "acme", amount: 5 } });
    const runId = await harness.runOf({ ...procedure([pay]), ...atMost(1) });
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(2);
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });
});
