import type { ToolCallNode } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes, says, type ModelBehaviour } from "./agent-model.ts";
import { createHarness } from "./harness.ts";
import { call, condition, end, procedure } from "./documents.ts";
import { fails } from "./scripted-bank.ts";

const refused = (message: string) => fails(message, { outcome: "not_sent", retryable: false });

/** An agent may pay twice; a success emits an event. */
async function paying(
  behaviours: readonly ModelBehaviour[],
  answers: readonly ReturnType<typeof fails>[],
  settings: Partial<ToolCallNode> = {},
) {
  const model = plannedModel();
  model.plan(...behaviours);
  const harness = await createHarness({ models: { arguments: { model } } });
  harness.bank.plan("pay", ...answers);
  const pay = call("pay", "pay", {
    instructions: "Pay what is due.",
    maxCalls: 2,
    emit: { name: "paid", data: { paid: "{{ nodes.pay.output }}" } },
    ...settings,
  });
  const failed = {
    why: "{{ nodes.pay.error }}",
    pay: "{{ nodes.pay.output }}",
    status: "{{ nodes.pay.error.status }}",
    declined: "{{ nodes.pay.output.calls.exists(c, c.error.status == 402) }}",
  };
  const document = procedure([pay, end("failed", failed)], {
    edges: ["start > pay", "pay > done", "pay:error > failed"],
    output: { paid: "{{ nodes.pay.output }}" },
  });
  const runId = await harness.runOf(document, {});
  const { status, output } = await harness.read(runId);
  const steps = (await harness.engine.runs.get({ environment: "sandbox", runId })).steps;
  const entries = (await harness.entries(runId)).map(({ type }) => type);
  return { status, output, entries, step: steps.find(({ nodeId }) => nodeId === "pay") };
}

const [first, second] = [
  { to: "acme", amount: 1 },
  { to: "acme", amount: 2 },
] as const;

describe("a node of several calls", () => {
  test("in which every call failed has failed with the last error, and emits no success event", async () => {
    const run = await paying([proposes(first), proposes(second)], [refused("no funds"), refused("account closed")]);
    const pay = {
      error: "account closed",
      calls: [
        { arguments: first, error: "no funds" },
        { arguments: second, error: "account closed" },
      ],
    };
    expect(run.output).toEqual({ why: "account closed", pay, status: 0, declined: false });
    expect(run.entries).not.toContain("emitted");
    expect(run.step).toMatchObject({ status: "failed", error: "account closed", output: pay });
  });

  test("that were refused lists the status and reason of each, and its error has those of the last one", async () => {
    const said = (status: number, reason: string) =>
      fails(`answered with ${status}`, { outcome: "refused", details: { status, reason } });
    const run = await paying([proposes(first), proposes(second)], [said(402, "No funds."), said(410, "Closed.")]);
    expect(run.step?.output).toEqual({
      error: "answered with 410",
      calls: [
        { arguments: first, error: "answered with 402", errorDetails: { status: 402, reason: "No funds." } },
        { arguments: second, error: "answered with 410", errorDetails: { status: 410, reason: "Closed." } },
      ],
    });
    expect(run.output).toMatchObject({ pay: run.step?.output, status: 410, declined: true });
  });

  test("has failed as well if its agent finishes after a failed call", async () => {
    const run = await paying([proposes(first), says("I could not pay.")], [refused("no funds")]);
    const pay = { error: "no funds", calls: [{ arguments: first, error: "no funds" }] };
    expect(run.output).toEqual({ why: "no funds", pay, status: 0, declined: false });
    expect(run.entries).not.toContain("emitted");
    expect(run.step).toMatchObject({
      status: "failed",
      error: "no funds",
      output: pay,
      turns: [{}, { stop: "concluded" }],
    });
  });

  test("in which one call succeeded is a success, even if the last call failed; its last text is then empty", async () => {
    const run = await paying([proposes(first), proposes(second)], [() => ({ id: "p1" }), refused("no funds")]);
    const paid = {
      calls: [
        { arguments: first, output: { id: "p1" } },
        { arguments: second, error: "no funds" },
      ],
      text: "",
    };
    expect(run.output).toEqual({ paid });
    expect(run.entries).toContain("emitted");
    expect(run.step).toMatchObject({ status: "completed", output: paid });
  });

  test("in which only some calls succeeded can be distinguished by a condition", async () => {
    const settledAs = async (...answers: readonly ReturnType<typeof fails>[]) => {
      const model = plannedModel();
      model.plan(proposes(first), proposes(second));
      const harness = await createHarness({ models: { arguments: { model } } });
      harness.bank.plan("pay", ...answers);
      const pay = call("pay", "pay", { instructions: "Pay.", maxCalls: 2 });
      const whole = condition("whole", { yes: "nodes.pay.output.calls.all(c, has(c.output))" }, "no");
      const document = procedure([pay, whole, end("partly")], {
        edges: ["start > pay", "pay > whole", "whole:yes > done", "whole:no > partly"],
      });
      const steps = (await harness.engine.runs.get({ environment: "sandbox", runId: await harness.runOf(document) }))
        .steps;
      return steps.at(-1)?.nodeId;
    };
    expect(await settledAs()).toBe("done");
    expect(await settledAs(() => ({ id: "p1" }), refused("no funds"))).toBe("partly");
  });

  test("that failed after a successful call pays again when the run returns to it, within the sum of the run", async () => {
    const model = plannedModel();
    const payFirst = proposes(first);
    model.plan(payFirst, says("", "content-filter"), payFirst, says("", "content-filter"), payFirst);
    const harness = await createHarness({ models: { arguments: { model } } });
    const pay = call("pay", "pay", {
      instructions: "Pay.",
      maxCalls: 9,
      sumLimits: [{ name: "invoice", sum: "args.amount", atMost: 2, per: "run", otherwise: "review" }],
    });
    const runId = await harness.runOf(procedure([pay], { edges: ["start > pay", "pay > done", "pay:error > pay"] }));
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([first, first]);
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(2);
    expect(await harness.reviews(runId)).toMatchObject([
      { kind: "guard", status: "open", data: { limits: [{ limit: "invoice", taken: 2, requested: 1 }] } },
    ]);
  });
});
