import { reviewPageSchema, reviewSchema, runPageSchema, runSchema, type Environment } from "@procedo/contract";
import { defineProcedure, z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness, textOf } from "./harness.ts";

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

describe("q of the lists", () => {
  test("finds runs and reviews by id and by the beginning of their reference, in their environment only", async () => {
    const { harness, start } = await harnessWithInvoices();
    const key = await harness.key();
    const [first, second] = [await start("INV-1"), await start("INV-2 \u00e4%")];
    const other = await start("INV-1", "live");
    const found = async (list: string, q: string) => {
      const { status, body } = await harness.ask(`GET /api/v1/${list}?q=${encodeURIComponent(q)}`, { key });
      expect(status).toBe(200);
      return (body["data"] as { runId: string }[]).map(({ runId }) => runId);
    };
    for (const list of ["runs", "reviews"]) {
      expect(await found(list, "INV-")).toEqual([second, first]);
      expect(await found(list, "INV-2 a\u0308%")).toEqual([second]);
      expect(await found(list, first)).toEqual([first]);
      for (const none of [other, "inv", "%", "_NV", "INV-1'--", "\u{10ffff}"])
        expect(await found(list, none)).toEqual([]);
    }
  });

  test("fits every other filter, and pages", async () => {
    const { harness, start } = await harnessWithInvoices();
    const key = await harness.key();
    const started = [await start("INV-1"), await start("INV-2"), await start("INV-3")];
    const first = await harness.ask("GET /api/v1/runs?q=INV&status=awaiting_review,failed&limit=2", { key });
    expect(first.body["data"]).toMatchObject([{ runId: started[2] }, { runId: started[1] }]);
    const rest = `/api/v1/runs?q=INV&status=awaiting_review,failed&limit=2&cursor=${textOf(first.body["nextCursor"])}`;
    expect((await harness.ask(`GET ${rest}`, { key })).body["data"]).toMatchObject([{ runId: started[0] }]);
    const { body } = await harness.ask("GET /api/v1/reviews?q=INV&kind=human_review&status=open&limit=1", { key });
    expect(body["data"]).toMatchObject([{ runId: started[2] }]);
  });

  test.each(["q=", "q=%20", "q=%00", "q=%E2%80%AE", `q=${"a".repeat(201)}`, "q=a&q=b"])("refuses %s", async (query) => {
    const { harness } = await harnessWithInvoices();
    const key = await harness.key();
    for (const list of ["runs", "reviews"]) {
      expect(await harness.ask(`GET /api/v1/${list}?${query}`, { key })).toMatchObject({ status: 400 });
    }
  });

  test("of reviews is refused together with an order", async () => {
    const { harness } = await harnessWithInvoices();
    const key = await harness.key();
    const answer = await harness.ask("GET /api/v1/reviews?q=INV&order=expires", { key });
    expect(answer).toMatchObject({ status: 400, body: { code: "malformed_request" } });
  });
});
