import type { ProcedureBudgets } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { EgressError } from "../src/egress/egress-error.ts";
import {
  breaksWith,
  plannedModel,
  proposes,
  says,
  thinks,
  type ModelBehaviour,
  type PlannedModel,
} from "./agent-model.ts";
import { alice, createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { call, end, procedure } from "./documents.ts";

/* Requests and usage that count without a report: in a run's limits, a node's budget and a day's budgets. */

const paying = procedure(
  [
    call("pay", "pay", { instructions: "Pay.", arguments: { to: "acme" } }),
    end("failed", { why: "{{ nodes.pay.error }}" }),
  ],
  { edges: ["start > pay", "pay > done", "pay:error > failed"] },
);
const right = proposes({ amount: 5 });
const day: NonNullable<ProcedureBudgets["day"]> = { modelCalls: 100, tokens: 1_000_000, timeZone: "UTC" };

/** Answers without reporting its tokens. */
const unreported =
  (behaviour: ModelBehaviour): ModelBehaviour =>
  async (options) => ({ ...(await behaviour(options)), tokens: [undefined, undefined] });

const failsBeforeItIsSent: ModelBehaviour = () => {
  throw Object.assign(new TypeError("fetch failed"), {
    cause: new EgressError("dns", "The host is not known.", { sent: "no" }),
  });
};

async function harnessWith(model: PlannedModel, options: HarnessOptions = {}): Promise<Harness> {
  return await createHarness({ models: { arguments: { model, maxOutputTokens: 1_000 } }, ...options });
}

/** The model calls and tokens that are reserved or used in the day's budgets. */
async function takenOf({ storage }: Harness): Promise<readonly [number, number]> {
  const names = ["modelCalls", "tokens"].map((of) => `use/p/${of}/2026-01-02`);
  const [calls = NaN, tokens = NaN] = await storage.budgets.taken(
    { workspace: "default", environment: "sandbox" },
    names,
  );
  return [calls, tokens];
}

async function usageOf(harness: Harness, runId: string) {
  const entries = await harness.entries(runId);
  return entries.flatMap((entry) =>
    entry.type === "replied" && entry.result.status === "ok" ? [entry.result.reply.usage] : [],
  );
}

describe("a provider that does not report its tokens", () => {
  test("is counted by an estimate in the day's budget, and the record marks the estimate", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(unreported(right));
    const runId = await harness.runOf({ ...paying, budgets: { day } });
    const [usage] = await usageOf(harness, runId);
    expect(usage?.estimated).toEqual(["inputTokens", "outputTokens"]);
    expect(usage?.inputTokens).toBeGreaterThan(100);
    expect(await takenOf(harness)).toEqual([1, (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)]);
  });

  test("still counts towards the limits of the run and of the node", async () => {
    const ended = async (budget: object, options: HarnessOptions) => {
      const model = plannedModel();
      const harness = await harnessWith(model, options);
      model.plan(unreported(says("Hm.")));
      const node = call("pay", "pay", { instructions: "Pay.", arguments: { to: "acme" }, ...budget });
      const runId = await harness.runOf(procedure([node]));
      return { error: (await harness.read(runId)).error, asked: model.requests.length };
    };
    expect(await ended({}, { limits: { tokens: 100 } })).toEqual({
      error: "The run reached its limit of 100 tokens.",
      asked: 1,
    });
    expect(await ended({ budget: { tokens: 100 } }, {})).toEqual({
      error: expect.stringContaining('The agent of "pay" has used its budget of 100 tokens.') as string,
      asked: 1,
    });
  });
});

describe("an attempt without a reply", () => {
  test("consumes nothing of the day's budget if its request certainly was not sent", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(failsBeforeItIsSent);
    const runId = await harness.runOf({ ...paying, budgets: { day: { ...day, modelCalls: 1 } } });
    await harness.clock.advance(120_000);
    expect(await harness.read(runId)).toMatchObject({
      output: { why: expect.stringContaining("not known") as string },
    });
    // Each request in turn had the day's only place.
    expect(model.requests).toHaveLength(4);
    expect(await takenOf(harness)).toEqual([0, 0]);
  });

  test.each([429, 500, 503, 529, 400])("consumes its call and no tokens if the answer is %i", async (status) => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(breaksWith(status), right);
    await harness.runOf({ ...paying, budgets: { day } });
    expect(await takenOf(harness)).toEqual([1, 0]);
    await harness.clock.advance(60_000);
    expect(await takenOf(harness)).toEqual(status === 400 ? [1, 0] : [2, 110]);
  });

  test("keeps its whole reservation if the model may have worked", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(breaksWith(504), right);
    await harness.runOf({ ...paying, budgets: { day } });
    const [calls, tokens] = await takenOf(harness);
    expect(calls).toBe(1);
    expect(tokens).toBeGreaterThan(1_000);
  });
});

describe("a request to a model that is lost with its worker", () => {
  /** Loses this many workers in turn, each during a request to its model. */
  async function loseWorkers(harness: Harness, count: number): Promise<void> {
    let engine = harness.engine;
    for (let lost = 0; lost < count; lost++) {
      engine.way.cut();
      engine = await harness.addEngine();
      await harness.clock.advance(20_000);
    }
  }

  const survivor = { worker: { leaseMs: 15_000 } };
  const read = async (harness: Harness, runId: string) =>
    await (await harness.addEngine({ started: false })).runs.get({ environment: "sandbox", runId });

  test("counts as one of the run's model calls, so repeated worker crashes reach its limit", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model, { ...survivor, limits: { modelCalls: 3 } });
    model.plan(thinks().behaviour);
    const runId = await harness.runOf(paying);
    await loseWorkers(harness, 5);
    expect(await read(harness, runId)).toMatchObject({
      status: "failed",
      error: "The run reached its limit of 3 model calls.",
    });
    expect(model.requests).toHaveLength(3);
  });

  test("counts in the node's budget, which is left by the error branch", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model, survivor);
    model.plan(thinks().behaviour);
    const nodes = paying.nodes.map((node) => (node.id === "pay" ? { ...node, budget: { modelCalls: 2 } } : node));
    const runId = await harness.runOf({ ...paying, nodes });
    await loseWorkers(harness, 4);
    expect(await read(harness, runId)).toMatchObject({
      status: "completed",
      output: { why: 'The agent of "pay" has used its budget of 2 model calls.' },
    });
    expect(model.requests).toHaveLength(2);
  });

  test("keeps its reservation in the day's budgets, beside the next request", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model, survivor);
    const { behaviour } = thinks();
    model.plan(behaviour, behaviour, right);
    const runId = await harness.runOf({ ...paying, budgets: { day } });
    const [, estimate] = await takenOf(harness);
    await loseWorkers(harness, 2);
    expect((await read(harness, runId)).status).toBe("completed");
    expect(await takenOf(harness)).toEqual([3, 2 * estimate + 110]);
  });
});

describe("a run that is cancelled during a request to its model", () => {
  const cancel = (harness: Harness, runId: string) =>
    harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice, reason: "changed my mind" });

  test("does not wait for the reply: the request is aborted and recorded, and keeps its reservation", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    let signal: AbortSignal | undefined;
    model.plan((options) => {
      signal = options.abortSignal;
      return new Promise(() => {});
    });
    const runId = await harness.runOf({ ...paying, budgets: { day } });
    const taken = await takenOf(harness);
    await cancel(harness, runId);
    await harness.clock.advance(1_000);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice: changed my mind" });
    expect(signal?.aborted).toBe(true);
    const entries = await harness.entries(runId);
    expect(entries.map(({ type }) => type)).toEqual(["started", "prompted", "replied", "cancel_requested", "ended"]);
    expect(entries[2]).toMatchObject({
      result: { status: "error", error: { message: "The run was cancelled before the model had answered." } },
    });
    expect(await takenOf(harness)).toEqual(taken);
    expect(harness.bank.calls).toEqual([]);
  });

  test("does not wait for its last attempt either, and ends as cancelled", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(breaksWith(503), breaksWith(503), breaksWith(503), thinks().behaviour);
    const runId = await harness.runOf(paying);
    await harness.clock.advance(60_000);
    expect(model.requests).toHaveLength(4);
    await cancel(harness, runId);
    await harness.clock.advance(1_000);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice: changed my mind" });
  });

  test("by another engine does not wait for it either", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(thinks().behaviour);
    const runId = await harness.runOf(paying);
    const other = await harness.addEngine();
    await other.runs.cancel({ environment: "sandbox", runId, by: alice });
    await harness.clock.advance(10_000);
    expect((await other.runs.get({ environment: "sandbox", runId })).error).toBe("Cancelled by alice");
  });

  test("continues the request while storage is unreachable, and aborts it when storage answers", async () => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(thinks().behaviour);
    const runId = await harness.runOf(paying);
    let failures = 0;
    harness.engine.way.on("inbox.read", async (next) => {
      failures += 1;
      if (failures <= 2) throw new Error("no storage");
      return await next();
    });
    await cancel(harness, runId);
    await harness.clock.advance(1_500);
    expect((await harness.read(runId)).status).toBe("running");
    await harness.clock.advance(3_000);
    expect((await harness.read(runId)).error).toBe("Cancelled by alice: changed my mind");
  });
});

describe("a node of several calls that fails after some were made", () => {
  const noting = (budget: object = {}) =>
    procedure([call("note", "idempotent", { instructions: "Note each line.", maxCalls: 5, ...budget })]);
  const two = [proposes({ text: "a" }), proposes({ text: "b" })];
  const says2 = " 2 of its calls were made before: see the run's steps.";

  test.each<[string, readonly ModelBehaviour[], object, string]>([
    ["for its model", [breaksWith(401)], {}, "Check the key"],
    ["for a content filter", [says("", "content-filter")], {}, "withheld"],
    ["for invalid replies", [proposes("{")], {}, "gave no usable reply"],
    ["for its budget", [says("x")], { budget: { modelCalls: 2 } }, "used its budget of 2 model calls"],
  ])("%s states how many", async (_why, then, budget, message) => {
    const model = plannedModel();
    const harness = await harnessWith(model);
    model.plan(...two, ...then);
    const runId = await harness.runOf(noting(budget));
    const { status, error } = await harness.read(runId);
    expect(status).toBe("failed");
    expect(error).toContain(message);
    expect(error).toContain(says2);
    expect(harness.bank.calls).toHaveLength(2);
  });
});
