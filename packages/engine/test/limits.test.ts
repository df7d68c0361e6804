import { ActionError } from "@procedo/engine";
import type { ProcedureDocument } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createHarness, type HarnessOptions } from "./harness.ts";
import { call, condition, end, procedure, review } from "./documents.ts";
import { answers, breaks, held } from "./scripted-bank.ts";

async function runWith(limits: HarnessOptions["limits"], document: ProcedureDocument, data: object = {}) {
  const harness = await createHarness(limits === undefined ? {} : { limits });
  await harness.publish(document);
  return { harness, start: () => harness.run(data as never) };
}

const endless = procedure([condition("c", { again: "true" }, "out"), call("a", "read")], {
  edges: ["start > c", "c:again > a", "a > c", "c:out > done"],
});

/** Takes more steps over a list of 2,000 than one evaluation may. */
const costly = "input.list.exists(x, input.list.exists(y, x + y < 0))";

describe("limits of a run", () => {
  test("a loop ends at the limit of node visits, with a message that names the limit", async () => {
    const { harness, start } = await runWith({ nodeVisits: 9 }, endless);
    const run = await harness.read(await start());
    expect(run).toMatchObject({ status: "failed", error: "The run reached its limit of 9 node visits." });
    expect(run.steps).toHaveLength(9);
    expect(run.steps.every(({ status }) => status === "completed")).toBe(true);
  });

  test("by default a loop ends after 200 node visits", async () => {
    const { harness, start } = await runWith(undefined, endless);
    const run = await harness.read(await start());
    expect(run.error).toBe("The run reached its limit of 200 node visits.");
    expect(harness.bank.calls.length).toBeLessThanOrEqual(100);
  });

  test("the limit of tool calls counts every attempt, and the message names the limit", async () => {
    const { harness, start } = await runWith({ toolCalls: 3 }, procedure([call("a", "read"), call("b", "read")]));
    harness.bank.plan("read", breaks(), breaks());
    const runId = await start();
    await harness.clock.advance(60_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: "The run reached its limit of 3 tool calls.",
    });
    expect(harness.bank.calls).toHaveLength(3);
  });

  test("a limit that ends the run at a node marks no earlier visit of that node as failed", async () => {
    const { harness, start } = await runWith({ toolCalls: 2 }, endless);
    const run = await harness.read(await start());
    expect(run.error).toBe("The run reached its limit of 2 tool calls.");
    expect(run.steps.filter(({ nodeId }) => nodeId === "a").map(({ status }) => status)).toEqual([
      "completed",
      "completed",
    ]);
  });

  test("data over the limit of a step is refused at the start, with both sizes", async () => {
    const { start } = await runWith({ stepBytes: 1_000 }, procedure([]), { text: "x".repeat(1_000) });
    await expect(start()).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/1011 bytes.*1000 bytes/) as string,
    });
  });

  test("the limit of a step counts bytes, not characters", async () => {
    const { start } = await runWith({ stepBytes: 1_000 }, procedure([]), { text: "é".repeat(600) });
    await expect(start()).rejects.toMatchObject({ message: expect.stringContaining("1000 bytes") as string });
  });

  test("arguments over the limit of a step fail the step before anything is sent", async () => {
    const document = procedure([call("a", "once", { arguments: { one: "{{ input }}", two: "{{ input }}" } })]);
    const { harness, start } = await runWith({ stepBytes: 1_000 }, document, { text: "x".repeat(600) });
    const run = await harness.read(await start());
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining("1000 bytes") as string });
    expect(harness.bank.calls).toEqual([]);
  });

  test.each([
    ["too large", (levels: number) => ({ text: "x".repeat(levels * 100) }), "1000 bytes"],
    ["too deep", (levels: number) => nested(levels), "10 levels"],
    ["a million levels deep", () => nested(1_000_000), "10 levels"],
  ])(
    "an output that is %s fails a read with a message that names the limit, and opens a review of a once call",
    async (_name, make, named) => {
      const { harness, start } = await runWith({ stepBytes: 1_000, depth: 10 }, procedure([call("a", "read")]));
      harness.bank.plan("read", answers(make(11)));
      const run = await harness.read(await start());
      expect(run).toMatchObject({ status: "failed", error: expect.stringContaining(named) as string });

      const doubt = await runWith({ stepBytes: 1_000, depth: 10 }, procedure([call("a", "once")]));
      doubt.harness.bank.plan("once", answers(make(11)));
      const runId = await doubt.start();
      expect((await doubt.harness.reviews(runId))[0]?.data["reason"]).toContain(named);
    },
  );

  test.each([
    ["arguments", call("a", "once", { arguments: { one: "{{ input }}", two: "{{ input }}" } }), 0],
    ["an event", call("a", "once", { emit: { name: "sent", data: { one: "{{ input }}", two: "{{ input }}" } } }), 1],
  ])("%s over the limit end the run: no branch catches a limit", async (_name, node, calls) => {
    const document = procedure([node, end("failed")], { edges: ["start > a", "a > done", "a:error > failed"] });
    const { harness, start } = await runWith({ stepBytes: 1_000 }, document, { text: "x".repeat(600) });
    const run = await harness.read(await start());
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining("1000 bytes") as string });
    expect(harness.bank.calls).toHaveLength(calls);
  });

  test.each([
    [
      "arguments",
      call("a", "once", { arguments: { text: "{{ input.text }}".repeat(200) } }),
      "makes a text of more than",
    ],
    ["steps of arguments", call("a", "once", { arguments: { all: `{{ ${costly} }}` } }), "steps"],
    ["a guard", call("a", "once", { guards: [{ check: costly, otherwise: "review" }] }), "steps"],
    [
      "a sum",
      call("a", "once", { sumLimits: [{ name: "s", sum: `${costly} ? 1 : 2`, atMost: 9, per: "run" }] }),
      "steps",
    ],
  ])("%s beyond a limit of expressions end the run: no branch catches it", async (_name, node, named) => {
    const document = procedure([node, end("failed")], { edges: ["start > a", "a > done", "a:error > failed"] });
    const list = Array.from({ length: 2_000 }, (_, index) => index);
    const { harness, start } = await runWith(undefined, document, { list, text: "x".repeat(4_000_000) });
    const run = await harness.read(await start());
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining(named) as string });
    expect(harness.bank.calls).toEqual([]);
    expect(harness.engine.runs.quarantinedRuns()).toEqual([]);
  });

  test.each([
    ["a review's data", review("r", { data: { text: "{{ input.text }}".repeat(200) } })],
    ["an output", end("done", { text: "{{ input.text }}".repeat(200) })],
  ])("%s longer than the maximum string length ends the run, which is not quarantined", async (_name, node) => {
    const { harness, start } = await runWith(undefined, procedure([node]), { text: "x".repeat(4_000_000) });
    expect(await harness.read(await start())).toMatchObject({
      status: "failed",
      error: expect.stringContaining("more than 1048576 characters") as string,
    });
    expect(harness.engine.runs.quarantinedRuns()).toEqual([]);
  });

  test("the branches of a condition share the step budget of one evaluation", async () => {
    const branch = (index: number): [string, string] => [`b${index}`, `input.list.exists(x, x == -${index + 1})`];
    const few = Array.from({ length: 2 }, (_, index) => branch(index));
    const many = Array.from({ length: 49 }, (_, index) => branch(index));
    const ending = async (branches: readonly [string, string][]) => {
      const edges = ["start > c", "c:out > done", ...branches.map(([name]) => `c:${name} > done`)];
      const document = procedure([condition("c", Object.fromEntries(branches), "out")], { edges });
      const list = Array.from({ length: 4_000 }, (_, index) => index);
      const { harness, start } = await runWith(undefined, document, { list });
      return await harness.read(await start());
    };
    expect(await ending(few)).toMatchObject({ status: "completed" });
    expect(await ending(many)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("500000 steps") as string,
    });
  });

  test("a cancellation takes effect while a run only evaluates", async () => {
    const circle = procedure(
      [call("a", "read"), condition("b", { again: "true" }, "out"), condition("c", { again: "true" }, "out")],
      { edges: ["start > a", "a > b", "b:again > c", "c:again > b", "b:out > done", "c:out > done"] },
    );
    const harness = await createHarness();
    await harness.publish(circle);
    const { behaviour, answer } = held();
    harness.bank.plan("read", behaviour);
    const runId = await harness.run();
    // From here on each evaluation takes 10 milliseconds.
    const { monotonic } = harness.clock;
    let elapsedMs = 0;
    Object.assign(harness.clock, { monotonic: () => monotonic() + (elapsedMs += 10) });
    answer({});
    // The answer arrives in microtasks, and the run evaluates in the same turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by: { person: "ann" } });
    await harness.clock.settle();
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by ann" });
    expect(run.steps.length).toBeLessThan(200);
  });

  test("data that nests deeper than the limit is refused with the limit that applies", async () => {
    const { start } = await runWith({ depth: 10 }, procedure([]), nested(11) as object);
    await expect(start()).rejects.toMatchObject({ message: expect.stringContaining("10") as string });
  });

  test("the content of a review is bounded, and beyond the limit the run fails with a message", async () => {
    const { harness, start } = await runWith(undefined, procedure([review("r", { data: { all: "{{ input }}" } })]), {
      text: "x".repeat(300_000),
    });
    const run = await harness.read(await start());
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining("262144 bytes") as string });
    expect(await harness.reviews(run.runId)).toEqual([]);
  });

  test("a journal over its limit ends the run at its next step, and the message names the limit", async () => {
    const { harness, start } = await runWith({ runBytes: 20_000 }, endless);
    harness.bank.plan("read", ...Array.from({ length: 50 }, (_, index) => answers({ text: `${index}`.repeat(3_000) })));
    const runId = await start();
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: "The run reached its limit of 20000 bytes for all steps together.",
    });
    expect(harness.bank.calls.length).toBeLessThan(12);
  });

  test("a journal of too many objects ends the run in the same way as one of too many bytes", async () => {
    const { harness, start } = await runWith({ runBytes: 200_000 }, endless);
    const empty = Array.from({ length: 20_000 }, () => ({}));
    harness.bank.plan("read", ...Array.from({ length: 50 }, (_, n) => answers({ n, empty })));
    const run = await harness.read(await start());
    expect(run).toMatchObject({
      status: "failed",
      error: expect.stringContaining("1600000 bytes of memory") as string,
    });
    expect(harness.bank.calls).toHaveLength(3);
  });

  test("an answer of more than 262,144 objects and lists is an error of its step that names the limit", async () => {
    const { harness, start } = await runWith(undefined, procedure([call("a", "read")]));
    harness.bank.plan("read", answers({ rows: Array.from({ length: 262_143 }, () => ({})) }));
    expect(await harness.read(await start())).toMatchObject({
      status: "failed",
      error: expect.stringContaining("more than the limit of 262144 objects and lists") as string,
    });
  });

  test("a start with more than 262,144 objects and lists is refused with the limit", async () => {
    const { start } = await runWith(undefined, procedure([]), { rows: Array.from({ length: 262_143 }, () => ({})) });
    await expect(start()).rejects.toMatchObject({
      code: "invalid_input",
      message: "The data of the run has more than the limit of 262144 objects and lists.",
    });
  });

  test("a journal over its limit hides no unknown outcome: a person enters the outcome of the call, then the run ends", async () => {
    const document = procedure([call("a", "once", { arguments: { text: "Re: {{ input.text }}" } })]);
    const { harness, start } = await runWith({ runBytes: 3_000 }, document, { text: "x".repeat(1_500) });
    harness.bank.plan("once", breaks());
    const runId = await start();
    expect(await harness.read(runId)).toMatchObject({ status: "awaiting_review" });
    expect(await harness.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);

    await harness.decide(runId, { outputs: { id: "from the statement" } });
    const run = await harness.read(runId);
    expect(run).toMatchObject({
      status: "failed",
      error: "The run reached its limit of 3000 bytes for all steps together.",
    });
    expect(run.steps[1]).toMatchObject({ nodeId: "a", status: "completed", output: { id: "from the statement" } });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("a journal over its limit does not end a run whose call is uncertain and will be repeated: the answer settles it first", async () => {
    const document = procedure([call("a", "idempotent", { arguments: { text: "Re: {{ input.text }}" } })]);
    const { harness, start } = await runWith({ runBytes: 3_000 }, document, { text: "x".repeat(1_500) });
    harness.bank.plan("idempotent", breaks(), answers({ id: "settled" }));
    const runId = await start();
    await harness.clock.advance(60_000);
    const run = await harness.read(runId);
    expect(run.steps[1]).toMatchObject({ nodeId: "a", status: "completed", output: { id: "settled" } });
    expect(run.error).toBe("The run reached its limit of 3000 bytes for all steps together.");
  });

  test("a journal over its limit does not close an open review, if the late answer exceeds the limit", async () => {
    const document = procedure([call("a", "once", { timeoutMs: 1_000 }), call("b", "read")]);
    const { harness, start } = await runWith({ runBytes: 3_000 }, document);
    const { behaviour, answer } = held();
    harness.bank.plan("once", behaviour);
    const runId = await start();
    await harness.clock.advance(5_000);
    expect((await harness.reviews(runId))[0]?.status).toBe("open");
    answer({ text: "x".repeat(4_000) });
    await harness.clock.settle();
    const run = await harness.read(runId);
    expect((await harness.reviews(runId))[0]?.status).toBe("settled");
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining("3000 bytes") as string });
    expect(run.steps[1]?.output).toEqual({ text: "x".repeat(4_000) });
  });

  test("a member named __proto__ in an answer is refused, and no prototype changes", async () => {
    const { harness, start } = await runWith(undefined, procedure([call("a", "read")]));
    harness.bank.plan("read", answers(JSON.parse('{"__proto__":{"polluted":true}}')));
    expect(await harness.read(await start())).toMatchObject({
      status: "failed",
      error: expect.stringContaining("__proto__") as string,
    });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("an output with 100,000 members is kept as it is", async () => {
    const { harness, start } = await runWith(undefined, procedure([call("a", "read")]));
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, index]));
    harness.bank.plan("read", answers(many));
    const run = await harness.read(await start());
    expect(run.status).toBe("completed");
    expect(run.steps[1]?.output).toEqual(many);
  });

  test.each([
    ["a BigInt", () => ({ n: 1n })],
    ["a cycle", () => cycle()],
    ["larger than a step may be", () => ({ text: "x".repeat(5_000_000) })],
  ])("a failure of an action cannot break the run: details with %s", async (_name, make) => {
    const { harness, start } = await runWith(undefined, procedure([call("a", "once"), call("b", "once")]));
    harness.bank.plan("once", () => {
      throw new ActionError("refused", { details: make() as never });
    });
    const run = await harness.read(await start());
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining("refused") as string });
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { n: value };
  return value;
}

function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}
