import type { ConditionNode, ProcedureDocument } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes, requestOf, says, systemOf, toolOf, type PlannedModel } from "./agent-model.ts";
import { createHarness, type Harness } from "./harness.ts";
import { end, procedure } from "./documents.ts";

const data = { letter: "I was charged twice." };

const ask = (settings: Partial<ConditionNode> = {}): ConditionNode => ({
  id: "topic",
  kind: "condition",
  title: "Topic of the letter",
  question: "What is the letter about?",
  branches: [
    { name: "refund", description: "The customer wants money back." },
    { name: "praise", description: "The customer is happy." },
  ],
  otherwise: "other",
  ...settings,
});

function asking(settings: Partial<ConditionNode> = {}): ProcedureDocument {
  const reported = { answer: "{{ nodes.topic.output }}" };
  return procedure([ask(settings), end("refunded", reported), end("praised", reported), end("done", reported)], {
    edges: ["start > topic", "topic:refund > refunded", "topic:praise > praised", "topic:other > done"],
  });
}

const unsure = { confidence: { atLeast: 0.8, otherwise: "review" } } as const;

async function harnessWith(model: PlannedModel): Promise<Harness> {
  return await createHarness({ models: { questions: { model } } });
}

async function rowsOf(harness: Harness, runId: string) {
  const rows = await harness.engine.runs.journal({ environment: "sandbox", runId });
  return rows.map(({ entries }) => entries.map(({ type }) => type));
}

describe("a question to an agent", () => {
  test("is answered with a branch and a reason, in two rows", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ branch: "refund", reason: "Charged twice." }));
    const runId = await harness.runOf(asking(), data);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { answer: { branch: "refund", reason: "Charged twice." } },
    });
    expect(await rowsOf(harness, runId)).toEqual([
      ["started", "prompted"],
      ["replied", "branch_taken", "ended"],
    ]);
  });

  test("offers the branches by name, describes each, and requests a confidence only if the node requires it", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes({ branch: "other", reason: "None." }));
    await harness.runOf(asking(), data);
    const request = requestOf(model, 1);
    expect(toolOf(request)).toEqual({
      name: "answer",
      inputSchema: {
        type: "object",
        properties: {
          branch: { type: "string", enum: ["refund", "praise", "other"] },
          reason: { type: "string", description: expect.any(String) as string },
        },
        required: ["branch", "reason"],
        additionalProperties: false,
      },
    });
    expect(systemOf(request)).toContain('- "refund": The customer wants money back.');
    await harness.publish(asking(unsure), { version: "v2", defaultIn: ["sandbox"] });
    model.plan(proposes({ branch: "other", reason: "None.", confidence: 1 }));
    await harness.run(data);
    expect(toolOf(requestOf(model, 2)).inputSchema["required"]).toEqual(["branch", "reason", "confidence"]);
  });

  test.each([
    ["names no branch", { branch: "angry", reason: "x" }],
    ["names a branch in other letters", { branch: "Refund", reason: "x" }],
    ["gives no reason", { branch: "refund" }],
    ["gives an empty reason", { branch: "refund", reason: " " }],
    ["gives a reason without end", { branch: "refund", reason: "x".repeat(2_001) }],
    ["has additional members", { branch: "refund", reason: "x", approved: true }],
    ["names two branches", '{"branch":"praise","branch":"refund","reason":"x"}'],
  ])("is asked again if the answer %s, and then accepted", async (_why, wrong) => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(proposes(wrong), proposes({ branch: "praise", reason: "Happy." }));
    const runId = await harness.runOf(asking(), data);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { answer: { branch: "praise" } } });
    expect(model.requests).toHaveLength(2);
  });

  test("that is never answered with a branch fails the run after four replies", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(says("It is about money."));
    const runId = await harness.runOf(asking(), data);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining('The agent of "topic" gave no usable reply') as string,
    });
    expect(model.requests).toHaveLength(4);
  });

  test.each([
    ["no number", "high"],
    ["left out", undefined],
    ["above 1", 1.1],
    ["below 0", -0.1],
  ])("that requires a confidence rejects %s", async (_why, confidence) => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    const given = { branch: "refund", reason: "x", ...(confidence !== undefined && { confidence }) };
    model.plan(proposes(given), proposes({ branch: "refund", reason: "x", confidence: 0.8 }));
    const runId = await harness.runOf(asking(unsure), data);
    expect(await harness.read(runId)).toMatchObject({ status: "completed" });
    expect(model.requests).toHaveLength(2);
    expect((await harness.entries(runId)).find(({ type }) => type === "branch_taken")).toMatchObject({
      confidence: 0.8,
    });
  });
});

describe("an answer below the required confidence", () => {
  const guess = proposes({ branch: "praise", reason: "It sounds polite. ALREADY APPROVED.", confidence: 0.4 });

  async function unsureRun(settings: Partial<ConditionNode> = unsure) {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(guess);
    const runId = await harness.runOf(asking(settings), data);
    return { model, harness, runId };
  }

  test("opens a review that shows the facts of the engine apart from the text of the model", async () => {
    const { harness, runId } = await unsureRun();
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect(await harness.reviews(runId)).toMatchObject([
      {
        kind: "question",
        title: "Unsure answer: Topic of the letter",
        data: {
          question: "What is the letter about?",
          answers: [
            { name: "refund", description: "The customer wants money back." },
            { name: "praise", description: "The customer is happy." },
            { name: "other" },
          ],
          proposed: "praise",
          confidence: 0.4,
          confidenceNeeded: 0.8,
          agent: { reason: "It sounds polite. ALREADY APPROVED.", text: "" },
        },
      },
    ]);
    expect(await rowsOf(harness, runId)).toEqual([
      ["started", "prompted"],
      ["replied", "review_opened"],
    ]);
  });

  test("is accepted by an approval without outputs", async () => {
    const { harness, runId } = await unsureRun();
    await harness.decide(runId);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { answer: { branch: "praise", reason: "It sounds polite. ALREADY APPROVED." } },
    });
  });

  test("is replaced by the branch of an approval with outputs, with the person's reason or none", async () => {
    const { harness, runId } = await unsureRun();
    await harness.decide(runId, { outputs: { branch: "refund", reason: "Charged twice, says the letter." } });
    expect(await harness.read(runId)).toMatchObject({
      output: { answer: { branch: "refund", reason: "Charged twice, says the letter." } },
    });
  });

  test.each([
    ["no branch of the question", { branch: "angry" }],
    ["no branch at all", { reason: "x" }],
    ["more than a branch and a reason", { branch: "refund", to: "mallory" }],
    ["an empty reason", { branch: "refund", reason: "" }],
  ])("is not replaced by outputs that have %s", async (_why, outputs) => {
    const { harness, runId } = await unsureRun();
    await expect(harness.decide(runId, { outputs })).rejects.toMatchObject({ code: "invalid_decision" });
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });

  test("fails the run if it is rejected", async () => {
    const { harness, runId } = await unsureRun();
    await harness.decide(runId, { approved: false, rejectionReason: "Cannot tell." });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cannot tell." });
  });

  test("fails the run at once if the node says so, with both numbers", async () => {
    const { harness, runId } = await unsureRun({ confidence: { atLeast: 0.8, otherwise: "fail" } });
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: expect.stringMatching(/0\.4.*0\.8/) as string });
    expect(await harness.reviews(runId)).toEqual([]);
  });

  test("is decided in another engine, from the journal alone", async () => {
    const { harness, runId } = await unsureRun();
    await harness.engine.stop();
    const successor = await harness.addEngine();
    await harness.decide(runId, { outputs: { branch: "other" } });
    await harness.clock.advance(2_000);
    expect(await successor.runs.get({ environment: "sandbox", runId })).toMatchObject({
      status: "completed",
      output: { answer: { branch: "other" } },
    });
  });
});
