import { describe, expect, test } from "vitest";
import { plannedModel, proposes, says } from "./agent-model.ts";
import { createBench } from "./bench.ts";
import { call, condition, procedure } from "./documents.ts";
import { breaks, fails } from "./scripted-bank.ts";

/** Notes again and again, by the run's own loop. */
const loop = procedure([call("note", "idempotent"), condition("more", { yes: "true" }, "no")], {
  edges: ["start > note", "note > more", "more:yes > note", "more:no > done"],
});

const atMost = (toolCalls: number) => ({ budgets: { run: { toolCalls } } });

describe("the calls that a procedure allows one run", () => {
  test("are all that it makes: the run ends before the one that would be too many", async () => {
    const bench = await createBench();
    const runId = await bench.runOf({ ...loop, ...atMost(3) });
    expect(await bench.read(runId)).toMatchObject({
      status: "failed",
      error: "The run reached its limit of 3 tool calls.",
    });
    expect(bench.bank.calls).toHaveLength(3);
  });

  test("are of each run for itself", async () => {
    const bench = await createBench();
    await bench.runOf({ ...loop, ...atMost(2) });
    await bench.run();
    expect(bench.bank.calls).toHaveLength(4);
  });

  test("do not raise the engine's limit", async () => {
    const bench = await createBench({ limits: { toolCalls: 2 } });
    const runId = await bench.runOf({ ...loop, ...atMost(50) });
    expect(await bench.read(runId)).toMatchObject({ error: "The run reached its limit of 2 tool calls." });
    expect(bench.bank.calls).toHaveLength(2);
  });

  test("count retries", async () => {
    const bench = await createBench();
    bench.bank.plan("idempotent", fails("busy", { outcome: "not_sent", retryable: true }));
    const runId = await bench.runOf({ ...procedure([call("note", "idempotent")]), ...atMost(1) });
    await bench.clock.advance(60_000);
    expect(await bench.read(runId)).toMatchObject({ error: "The run reached its limit of 1 tool calls." });
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("count what an agent makes as well, and leave it its last word", async () => {
    const model = plannedModel();
    model.plan(proposes({ text: "a" }), proposes({ text: "b" }), says("Noted."));
    const bench = await createBench({ models: { arguments: { model } } });
    const note = call("note", "idempotent", { instructions: "Note each line.", maxCalls: 9 });
    const done = await bench.runOf({ ...procedure([note]), ...atMost(2) });
    expect((await bench.read(done)).status).toBe("completed");
    model.plan(proposes({ text: "c" }));
    const ended = await bench.run();
    expect(await bench.read(ended)).toMatchObject({ error: "The run reached its limit of 2 tool calls." });
    expect(bench.bank.calls).toHaveLength(4);
  });

  test("hide no doubt: a call that may have been made is sent again when a person says so", async () => {
    const bench = await createBench();
    bench.bank.plan("pay", breaks());
    const pay = call("pay", "pay", { arguments: { to: "acme", amount: 5 } });
    const runId = await bench.runOf({ ...procedure([pay]), ...atMost(1) });
    await bench.decide(runId);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(2);
    expect(new Set(bench.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });
});
