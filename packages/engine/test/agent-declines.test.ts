import { describe, expect, test } from "vitest";
import {
  callsTool,
  declines,
  plannedModel,
  proposes,
  requestOf,
  says,
  systemOf,
  type PlannedModel,
} from "./agent-model.ts";
import { createHarness, type Harness } from "./harness.ts";
import { call, end, procedure } from "./documents.ts";

const pay = call("pay", "pay", { instructions: "Pay what is due.", arguments: { to: "acme" } });
const paying = procedure([pay, end("refused", { why: "{{ nodes.pay.error }}" })], {
  edges: ["start > pay", "pay > done", "pay:error > refused"],
});
const noting = procedure([call("note", "idempotent", { instructions: "Note each line.", maxCalls: 3 })], {
  output: { note: "{{ nodes.note.output }}" },
});

async function harnessWith(model: PlannedModel): Promise<Harness> {
  return await createHarness({ models: { arguments: { model } } });
}

describe("an agent that declines", () => {
  test("makes no call, and its node is left by the error branch with the reason, which is recorded", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(declines("Nothing is due."));
    const runId = await harness.runOf(paying);
    const run = await harness.read(runId);
    const why = 'The agent of "pay" declined to call "pay": Nothing is due.';
    expect(run).toMatchObject({ status: "completed", output: { why } });
    expect(harness.bank.calls).toEqual([]);
    expect(model.requests).toHaveLength(1);
    const step = run.steps.find(({ nodeId }) => nodeId === "pay");
    expect(step).toMatchObject({ status: "failed", error: why, turns: [{ stop: "failed" }] });
    expect(JSON.stringify(step?.turns)).toContain("Nothing is due.");
    expect((await harness.entries(runId)).map(({ type }) => type)).toEqual([
      "started",
      "prompted",
      "replied",
      "node_failed",
      "ended",
    ]);
  });

  test("fails the run if there is no error branch", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(declines("Nothing is due."));
    const runId = await harness.runOf(procedure([pay]));
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: 'The agent of "pay" declined to call "pay": Nothing is due.',
    });
  });

  test("is offered the decline tool beside the action, with instructions, and must call one of them", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(declines("No."));
    await harness.runOf(paying);
    const request = requestOf(model, 1);
    expect(request.tools?.map(({ name }) => name)).toEqual(["pay", "decline"]);
    expect(request.toolChoice).toEqual({ type: "required" });
    expect(systemOf(request)).toContain('Call "decline" instead, with the reason');
  });

  test("with text alone is informed of both tools, and may still call either", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(says("I must not pay: nothing is due."), declines("Nothing is due."));
    const runId = await harness.runOf(paying);
    expect(await harness.read(runId)).toMatchObject({ output: { why: expect.stringContaining("declined") as string } });
    const reported = JSON.stringify(requestOf(model, 2).prompt.at(-1));
    expect(reported).toContain("Call it once, or call");
    expect(reported).toContain("with the reason why not");
    expect(harness.bank.calls).toEqual([]);
  });

  test("after calls is finished: its calls count, and its reason is the last text", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ text: "a" }), declines("The other lines are notes already."));
    const runId = await harness.runOf(noting);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { note: { calls: [{ arguments: { text: "a" } }], text: "The other lines are notes already." } },
    });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("and calls in one reply does neither", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(
      async (options) => {
        const both = await Promise.all([declines("No.")(options), proposes({ amount: 5 })(options)]);
        return { content: both.flatMap(({ content }) => content) };
      },
      proposes({ amount: 7 }),
    );
    const runId = await harness.runOf(paying);
    expect((await harness.read(runId)).output).not.toHaveProperty("why");
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([{ to: "acme", amount: 7 }]);
    expect(JSON.stringify(requestOf(model, 2).prompt.at(-1))).toContain("exactly one call at a time");
  });

  test("without a reason gets a request for the reason", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(callsTool("decline", {}), declines("Nothing is due."));
    await harness.runOf(paying);
    expect(JSON.stringify(requestOf(model, 2).prompt.at(-1))).toContain("/reason must be a text");
  });
});

test("a question cannot be declined, because it has a branch for that", async () => {
  const model = plannedModel();
  const harness = await createHarness({ models: { questions: { model } } });
  model.plan(callsTool("decline", { reason: "No." }), proposes({ branch: "no", reason: "It does not say." }));
  const known = {
    id: "known",
    kind: "condition",
    question: "Is it known?",
    branches: [{ name: "yes" }, { name: "no" }],
  };
  const runId = await harness.runOf(
    procedure([{ ...known, kind: "condition" }, end("stop")], {
      edges: ["start > known", "known:yes > done", "known:no > stop"],
    }),
  );
  expect((await harness.read(runId)).status).toBe("completed");
  expect(requestOf(model, 1).tools).toHaveLength(1);
  expect(JSON.stringify(requestOf(model, 2).prompt.at(-1))).toContain("There is no tool");
});
