import type { ToolCallNode } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import {
  callsTool,
  ending,
  lastOf,
  plannedModel,
  proposes,
  requestOf,
  says,
  systemOf,
  thinks,
  toolOf,
  type PlannedModel,
} from "./agent-model.ts";
import { createHarness, type Harness } from "./harness.ts";
import { call, end, procedure } from "./documents.ts";
import { answers, fails } from "./scripted-bank.ts";

const data = { vendorId: "ven_1", invoice: "Please pay 500 to acme." };

/** The agent fills in the amount of a payment to a payee that the procedure fixes. */
const pay = (settings: Partial<ToolCallNode> = {}) =>
  call("pay", "pay", {
    instructions: "Pay what the invoice asks for.",
    arguments: { to: "{{ input.vendorId }}" },
    ...settings,
  });

/** As many calls of a free action as the agent likes, up to a bound. */
const note = (maxCalls: number, settings: Partial<ToolCallNode> = {}) =>
  call("note", "idempotent", { instructions: "Note each line.", maxCalls, ...settings });

async function harnessWith(model: PlannedModel): Promise<Harness> {
  return await createHarness({ models: { arguments: { model } } });
}

async function rowsOf(harness: Harness, runId: string) {
  const rows = await harness.engine.runs.journal({ environment: "sandbox", runId });
  return rows.map(({ entries }) => entries.map(({ type }) => type));
}

describe("an agent that fills in a call", () => {
  test("makes exactly the proposed call, with the fixed arguments of the procedure", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ amount: 500 }));
    harness.bank.plan("pay", answers({ id: "pay_7" }));
    const runId = await harness.runOf(procedure([pay()], { output: { id: "{{ nodes.pay.output.id }}" } }), data);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "pay_7" } });
    expect(harness.bank.calls.map(({ action, args }) => [action, args])).toEqual([
      ["pay", { to: "ven_1", amount: 500 }],
    ]);
    expect(model.requests).toHaveLength(1);
  });

  test("is prompted durably, and its reply becomes durable with the following intent: three rows", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    const seen: string[][][] = [];
    let runId = "";
    const look = async () => void seen.push(await rowsOf(harness, runId));
    model.plan(async (options) => {
      runId = (await harness.engine.runs.list({ environment: "sandbox", limit: 1 })).items[0]?.runId ?? "";
      await look();
      return await proposes({ amount: 500 })(options);
    });
    harness.bank.plan("pay", async () => {
      await look();
      return { id: "x" };
    });
    await harness.runOf(procedure([pay()]), data);
    expect(seen).toEqual([
      [["started", "prompted"]],
      [
        ["started", "prompted"],
        ["replied", "intent"],
      ],
    ]);
    expect(await rowsOf(harness, runId)).toEqual([
      ["started", "prompted"],
      ["replied", "intent"],
      ["outcome", "ended"],
    ]);
  });

  test("is offered the node's action without the fixed arguments, and must call it", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ amount: 500 }));
    await harness.runOf(procedure([pay()]), data);
    const request = requestOf(model, 1);
    expect(request.toolChoice).toEqual({ type: "required" });
    expect(toolOf(request)).toMatchObject({
      name: "pay",
      inputSchema: { properties: { amount: { type: "integer" } }, required: ["amount"], additionalProperties: false },
    });
    expect(Object.keys(toolOf(request).inputSchema["properties"] as object)).toEqual(["amount"]);
  });

  test("leaves a record of every message, the model, its tokens, its duration and its result", async () => {
    const model = plannedModel("model-x");
    const harness = await harnessWith(model);
    const { behaviour, answer } = thinks();
    model.plan(behaviour);
    const runId = await harness.runOf(procedure([pay()]), data);
    await harness.clock.advance(70);
    answer(async (options) => {
      const { content } = await proposes({ amount: 500 })(options);
      return { content: [{ type: "text", text: "I pay 500." }, ...content], tokens: [321, 12] };
    });
    await harness.clock.settle();
    const entries = await harness.entries(runId);
    expect(entries.find(({ type }) => type === "prompted")).toMatchObject({
      nodeId: "pay",
      turn: 1,
      added: [
        { role: "system", text: expect.stringContaining("Pay what the invoice asks for.") as string },
        { role: "user", text: expect.stringContaining("Please pay 500 to acme.") as string },
      ],
    });
    expect(entries.find(({ type }) => type === "replied")).toMatchObject({
      turn: 1,
      attempt: 1,
      latencyMs: 70,
      result: {
        status: "ok",
        reply: {
          modelId: "model-x",
          provider: "planned",
          finishReason: "tool-calls",
          usage: { inputTokens: 321, outputTokens: 12 },
          content: [
            { type: "text", text: "I pay 500." },
            { type: "tool_call", toolName: "pay", input: '{"amount":500}' },
          ],
        },
      },
    });
  });

  test("whose call fails leaves by the error branch without another turn", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ amount: 500 }));
    harness.bank.plan("pay", fails("no funds"));
    const document = procedure([pay(), end("failed", { why: "{{ nodes.pay.error }}" })], {
      edges: ["start > pay", "pay > done", "pay:error > failed"],
    });
    const runId = await harness.runOf(document, data);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { why: "no funds" } });
    expect(model.requests).toHaveLength(1);
  });

  test("is not prompted if a fixed argument cannot be rendered or the action is missing", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    const runId = await harness.runOf(procedure([pay({ arguments: { to: "{{ input.payee }}" } })]), data);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("payee") as string,
    });
    expect(model.requests).toEqual([]);
    expect(await rowsOf(harness, runId)).toEqual([["started", "node_failed", "ended"]]);
  });
});

describe("an invalid reply", () => {
  test.each([
    ["omits a required argument", proposes({}), "/amount"],
    ["has a value of another type", proposes({ amount: "500" }), "/amount"],
    [
      "sets a fixed argument, even to the same value",
      proposes({ to: "ven_1", amount: 500 }),
      '\\"to\\" is set by the procedure',
    ],
    ["has an unknown argument", proposes({ amount: 500, urgent: true }), '\\"urgent\\" is not an argument'],
    ["is not JSON", proposes('{"amount":'), "not valid JSON"],
    ["is not an object", proposes("[500]"), "must be a JSON object"],
    ["has a name twice", proposes('{"amount":500,"amount":5}'), "twice"],
    ["has a number beyond a double for an action in code", proposes('{"amount":9007199254740993}'), "/amount"],
    ["calls another tool", callsTool("transfer", { amount: 500 }), "There is no tool"],
    ["calls a tool whose name looks like the node's", callsTool("pаy", { amount: 500 }), "There is no tool"],
    ["is only text", says("I would pay 500."), "was not called"],
    ["proposes several calls at once", proposes({ amount: 500 }, { amount: 500 }), "one call at a time"],
    ["was cut off", ending(proposes('{"amo'), "length"), "cut off"],
    ["was cut off although its arguments are complete", ending(proposes({ amount: 5 }), "length"), "cut off"],
  ])("because it %s is reported to the model, and makes no call", async (_why, wrong, reported) => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    let callsBefore: number | undefined;
    model.plan(wrong, (options) => {
      callsBefore = harness.bank.calls.length;
      return proposes({ amount: 500 })(options);
    });
    const runId = await harness.runOf(procedure([pay()]), data);
    expect(callsBefore).toBe(0);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([{ to: "ven_1", amount: 500 }]);
    expect(lastOf(requestOf(model, 2))).toContain(reported);
    expect(await rowsOf(harness, runId)).toEqual([
      ["started", "prompted"],
      ["replied", "prompted"],
      ["replied", "intent"],
      ["outcome", "ended"],
    ]);
  });

  test("is reported three times; the fourth fails the node with the violation, by its error branch", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ amount: "a lot" }));
    const document = procedure([pay(), end("failed", { why: "{{ nodes.pay.error }}" })], {
      edges: ["start > pay", "pay > done", "pay:error > failed"],
    });
    const runId = await harness.runOf(document, data);
    const run = await harness.read(runId);
    expect(run).toMatchObject({
      status: "completed",
      output: { why: expect.stringContaining("after 3 corrections") as string },
    });
    expect(model.requests).toHaveLength(4);
    expect(harness.bank.calls).toEqual([]);
  });

  test("is answered with one result for each call, because providers require it", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ amount: 1 }, { amount: 2 }, { amount: 3 }), proposes({ amount: 500 }));
    const runId = await harness.runOf(procedure([pay()]), data);
    const prompted = (await harness.entries(runId)).filter(({ type }) => type === "prompted")[1];
    expect(prompted).toMatchObject({ added: [1, 2, 3].map(() => ({ role: "tool", isError: true })) });
    expect(harness.bank.calls.map(({ args }) => args["amount"])).toEqual([500]);
  });

  test("with 1,000 calls fails the node at once, with the limit", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes(...Array.from({ length: 1_000 }, (_one, amount) => ({ amount }))));
    const runId = await harness.runOf(procedure([pay()]), data);
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining("the limit is 32") as string });
    expect(model.requests).toHaveLength(1);
    expect(harness.bank.calls).toEqual([]);
  });

  test("that the provider withheld fails the node at once", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(says("", "content-filter"));
    const runId = await harness.runOf(procedure([pay()]), data);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("withheld") as string,
    });
    expect(model.requests).toHaveLength(1);
  });
});

describe("an agent that may make several calls", () => {
  test("sees each result, decides when to finish, and outputs every call with its outcome", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    harness.bank.plan("idempotent", answers({ line: 1 }), fails("too long", { outcome: "not_sent", retryable: false }));
    model.plan(proposes({ text: "a" }), proposes({ text: "b" }), says("Noted."));
    const runId = await harness.runOf(procedure([note(5)], { output: { note: "{{ nodes.note.output }}" } }), data);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: {
        note: {
          calls: [
            { arguments: { text: "a" }, output: { line: 1 } },
            { arguments: { text: "b" }, error: "too long" },
          ],
          text: "Noted.",
        },
      },
    });
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(2);
    expect(lastOf(requestOf(model, 2))).toContain('{"outcome":"done","result":{"line":1}}');
    expect(lastOf(requestOf(model, 3))).toContain('{"outcome":"failed","error":"too long"}');
    expect(model.requests.map(({ toolChoice }) => toolChoice?.type)).toEqual(["required", "auto", "auto"]);
    expect(systemOf(requestOf(model, 1))).toContain("at most 5 in all");
    expect(await rowsOf(harness, runId)).toEqual([
      ["started", "prompted"],
      ["replied", "intent"],
      ["outcome", "prompted"],
      ["replied", "intent"],
      ["outcome", "prompted"],
      ["replied", "concluded", "ended"],
    ]);
  });

  test("makes at most the calls that its node allows, and gets no turn after the last call", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ text: "again" }));
    const runId = await harness.runOf(procedure([note(3)], { output: { note: "{{ nodes.note.output }}" } }), data);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(3);
    expect(model.requests).toHaveLength(3);
  });

  test("cannot finish before its first call", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(says("Nothing to do."));
    const runId = await harness.runOf(procedure([note(3)]), data);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("was not called") as string,
    });
    expect(model.requests).toHaveLength(4);
  });

  test("gets a fresh count of repairs after each call", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    const wrong = says("Hm.");
    model.plan(
      wrong,
      wrong,
      wrong,
      proposes({ text: "a" }),
      says(""),
      says(""),
      says(""),
      proposes({ text: "b" }),
      says("Done."),
    );
    const runId = await harness.runOf(procedure([note(9)]), data);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls.map(({ args }) => args["text"])).toEqual(["a", "b"]);
  });
});
