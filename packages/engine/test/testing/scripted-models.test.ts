import { scriptedModel, once, reads, testProcedure, type ScriptedAnswer } from "@procedo/engine/testing";
import { describe, expect, test } from "vitest";
import { call, end, procedure } from "../documents.ts";

const paying = procedure([call("pay", "pay", { instructions: "Pay the invoice.", arguments: { to: "acme" } })], {
  output: { id: "{{ nodes.pay.output.id }}" },
});
const pay = once((args: { amount: number }) => ({ id: `pay_${args.amount}` }));
const actions = { bank: { pay } };
const asking = procedure(
  [
    {
      id: "known",
      kind: "condition",
      question: "Is the vendor known?",
      branches: [{ name: "yes", description: "It has been paid before." }, { name: "no" }],
      confidence: { atLeast: 0.8, otherwise: "review" },
    },
    end("done", { branch: "{{ nodes.known.output.branch }}" }),
    end("stop"),
  ],
  { edges: ["start > known", "known:yes > done", "known:no > stop"] },
);

describe("a scripted model", () => {
  test("proposes the call of a node, without changing the fixed arguments", async () => {
    const model = scriptedModel([{ call: { amount: 250 }, text: "As the invoice says." }]);
    const run = await testProcedure({ document: paying, actions, models: model });
    expect(run.effects).toEqual([{ connection: "bank", action: "pay", arguments: { to: "acme", amount: 250 } }]);
    expect(run.output).toEqual({ id: "pay_250" });
    expect(run.turns).toMatchObject([
      {
        ...{ nodeId: "pay", visit: 1, turn: 1, attempt: 1, finishReason: "tool-calls", error: undefined },
        prompt: [{ role: "system" }, { role: "user" }],
        reply: [
          { type: "text", text: "As the invoice says." },
          { type: "tool_call", toolName: "pay", input: '{"amount":250}' },
        ],
      },
    ]);
    expect(model.requests).toMatchObject([{ number: 1, mustCall: true, tool: { name: "pay" } }]);
    expect(model.requests[0]?.text).toContain("Pay the invoice.");
  });

  test("receives its violations, and gives its next answer", async () => {
    const model = scriptedModel([
      { text: "I would rather not." },
      { call: "{ amount: 5" },
      { calls: [{ amount: 1 }, { amount: 2 }] },
      { call: { amount: 3 } },
    ]);
    const run = await testProcedure({ document: paying, actions, models: model });
    expect(run.argumentsOf("pay")).toEqual([{ to: "acme", amount: 3 }]);
    expect(run.turns.map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
  });

  test("answers questions, and a person decides if it is not sure", async () => {
    const sure: ScriptedAnswer = { answer: "yes", reason: "Paid in March.", confidence: 0.9 };
    expect((await testProcedure({ document: asking, models: scriptedModel([sure]) })).output).toEqual({
      branch: "yes",
    });
    const run = await testProcedure({ document: asking, models: scriptedModel([{ ...sure, confidence: 0.5 }]) });
    expect(run.review).toMatchObject({ kind: "question", nodeId: "known" });
    await run.approve({ outputs: { branch: "no", reason: "Never heard of it." } });
    expect(run.path).toEqual(["start", "known", "stop"]);
  });

  test("declines with a reason, regardless of the name of the decline tool; a question has none", async () => {
    const declining = scriptedModel([{ declines: "Nothing is due.", text: "I must not." }]);
    const run = await testProcedure({ document: paying, actions, models: declining });
    expect([run.status, run.calls]).toEqual(["failed", []]);
    expect(run.error).toContain("declined to call");
    expect(run.error).toContain("Nothing is due.");
    expect(declining.requests[0]).toMatchObject({ tool: { name: "pay" }, declineTool: "decline" });
    const asked = scriptedModel([{ declines: "No." }]);
    await expect(testProcedure({ document: asking, models: asked })).rejects.toThrow("cannot be declined");
    expect(asked.requests[0]?.declineTool).toBeUndefined();
  });

  test("may be a function of its prompt", async () => {
    const model = scriptedModel(async ({ text, tool }) => {
      expect(tool?.input).toMatchObject({ properties: { branch: { enum: ["yes", "no"] } } });
      return { answer: text.includes('"vendor":"Acme"') ? "yes" : "no", confidence: 1 };
    });
    const models = { questions: { model } };
    const acme = await testProcedure({ document: asking, input: { vendor: "Acme" }, models });
    const other = await testProcedure({ document: asking, input: { vendor: "Other" }, models });
    expect([acme.path.at(-1), other.path.at(-1)]).toEqual(["done", "stop"]);
    expect(model.requests.map(({ number }) => number)).toEqual([1, 2]);
  });

  test("whose function has a failed assertion fails the test with the same error", async () => {
    const failure = new Error("expected the prompt to hold the amount");
    const model = scriptedModel(() => {
      throw failure;
    });
    await expect(testProcedure({ document: asking, models: model })).rejects.toBe(failure);
  });

  test("without a remaining answer fails the test with its prompt in the message", async () => {
    const model = scriptedModel([{ text: "No." }]);
    await expect(testProcedure({ document: paying, actions, models: model })).rejects.toThrow(
      /^The scripted model has no answer for request 2\. It was offered the tool "pay"\. The conversation ends with: .*tool/,
    );
  });

  test("is asked again if its provider fails or does not answer, without real waiting", async () => {
    const model = scriptedModel([
      { error: "Overloaded", statusCode: 529, retryAfterSeconds: 120 },
      { hangs: true },
      { call: { amount: 3 } },
    ]);
    const run = await testProcedure({ document: paying, actions, models: model });
    expect(run.turns.map(({ turn, attempt, error }) => [turn, attempt, error])).toEqual([
      [1, 1, expect.stringContaining("529")],
      [1, 2, expect.stringContaining("did not answer within 120,000 ms")],
      [1, 3, undefined],
    ]);
    const [first, second] = run.entries.filter(({ type }) => type === "replied");
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(240_000);
    expect(run.status).toBe("completed");
  });

  test("that fails permanently fails the node", async () => {
    const model = scriptedModel([{ error: "No such model", statusCode: 404 }]);
    const run = await testProcedure({ document: paying, actions, models: model });
    expect([run.status, run.calls]).toEqual(["failed", []]);
    expect(run.error).toContain("No such model");
  });

  test.each(["content-filter", "length"] as const)("may stop for another reason: %s", async (finishReason) => {
    const model = scriptedModel([{ text: "", finishReason }, { call: { amount: 3 } }]);
    const run = await testProcedure({ document: paying, actions, models: model });
    expect(run.turns[0]?.finishReason).toBe(finishReason);
    expect(run.status).toBe(finishReason === "length" ? "completed" : "failed");
  });

  test("gives the same reply as a stream", async () => {
    const script: ScriptedAnswer[] = [{ text: "Hm." }, { call: { amount: 250 }, text: "As said.", usage: usage }];
    const runs = [];
    for (const streaming of [false, true]) {
      const models = { arguments: { model: scriptedModel(script), streaming } };
      runs.push(await testProcedure({ document: paying, actions, models }));
    }
    expect(runs[1]?.entries).toEqual(runs[0]?.entries);
    expect(runs[1]?.entries).toContainEqual(expect.objectContaining({ result: expect.objectContaining(withUsage) }));
  });

  test("makes several calls if the node allows them, and receives the outcome of each", async () => {
    const document = procedure([call("look", "find", { instructions: "Find it.", maxCalls: 3 })]);
    const find = reads((args: { page: number }) => ({ hits: args.page === 2 ? ["it"] : [] }));
    const model = scriptedModel([
      { call: { page: 1 } },
      ({ text }) => ({ call: { page: text.includes('"hits":[]') ? 2 : 9 } }),
      { text: "Found it." },
    ]);
    const run = await testProcedure({ document, actions: { bank: { find } }, models: model });
    expect(run.argumentsOf("look")).toEqual([{ page: 1 }, { page: 2 }]);
    expect(run.outputOf("look")).toMatchObject({ text: "Found it." });
    expect(run.path).toEqual(["start", "look", "done"]);
  });
});

const usage = { inputTokens: 120, outputTokens: 34 };
const withUsage = { reply: expect.objectContaining({ usage }) };

test("without a model, a procedure that needs one is refused in the same way as at publishing", async () => {
  await expect(testProcedure({ document: paying, actions })).rejects.toMatchObject({ code: "invalid_document" });
});
