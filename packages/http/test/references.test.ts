import { reviewPageSchema, reviewSchema, runPageSchema, runSchema, type Environment } from "@procedo/contract";
import { defineProcedure, z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";

const invoice = defineProcedure({
  procedureId: "invoice",
  name: "Invoice",
  input: z.looseObject({ amount: z.int() }),
  reference: "{{ input.?invoiceId }}",
  nodes: {
    start: { kind: "start", next: "approve" },
    approve: { kind: "human_review", title: "Pay {{ input.amount }}?", next: "done" },
    done: { kind: "end", output: {} },
  },
});

async function harnessWithInvoices() {
  const harness = await createHarness();
  const by = { person: "olga" };
  await harness.engine.procedures.publish({ document: invoice, version: "v1", defaultIn: ["sandbox", "live"], by });
  const start = async (invoiceId: unknown, environment: Environment = "sandbox"): Promise<string> => {
    const data = { amount: 1, ...(invoiceId !== undefined && { invoiceId: invoiceId as string }) };
    const { runId } = await harness.engine.runs.start({ procedureId: "invoice", environment, data, by });
    await harness.settled(runId, environment);
    return runId;
  };
  return { harness, start };
}

describe("the reference of a run over HTTP", () => {
  test("is in the run, in its review and in both lists", async () => {
    const { harness, start } = await harnessWithInvoices();
    const key = await harness.key();
    const runId = await start("INV-7");
    const read = async (path: string) => (await harness.ask(`GET ${path}`, { key })).body;
    const reference = "INV-7";
    expect(runSchema.parse(await read(`/runs/${runId}`))).toMatchObject({ runId, reference });
    expect(runSchema.parse(await read(`/api/v1/runs/${runId}`))).toMatchObject({ runId, reference });
    expect(runPageSchema.parse(await read("/api/v1/runs")).data).toMatchObject([{ runId, reference }]);
    const [review] = reviewPageSchema.parse(await read("/api/v1/reviews")).data;
    expect(review).toMatchObject({ runId, reference });
    const reviewPath = `/api/v1/reviews/${review?.reviewId ?? ""}`;
    expect(reviewSchema.parse(await read(reviewPath))).toMatchObject({ runId, reference });
  });

  test("is left out of a run that has none", async () => {
    const { harness, start } = await harnessWithInvoices();
    const key = await harness.key();
    const runId = await start(undefined);
    expect((await harness.ask(`GET /runs/${runId}`, { key })).body).not.toHaveProperty("reference");
    const { body } = await harness.ask("GET /api/v1/reviews", { key });
    expect((body["data"] as object[])[0]).not.toHaveProperty("reference");
  });
});
