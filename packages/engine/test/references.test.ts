import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { call, procedure, review } from "./documents.ts";
import { alice, createHarness, type Harness } from "./harness.ts";

const input = { type: "object", properties: { invoiceId: {}, amount: { type: "integer" } } };
const invoice = procedure([review("check", { title: "Pay?" })], { input, reference: "{{ input.invoiceId }}" });

async function harnessWithInvoices(): Promise<Harness> {
  const harness = await createHarness();
  await harness.publish(invoice);
  return harness;
}

const sandbox = { environment: "sandbox", limit: 10 } as const;

describe("the reference of a run", () => {
  test("is shown by the run, its review and their lists", async () => {
    const harness = await harnessWithInvoices();
    const runId = await harness.run({ invoiceId: "INV-7" });
    const { runs, reviews } = harness.engine;
    expect(await runs.poll({ environment: "sandbox", runId })).toMatchObject({ reference: "INV-7" });
    expect(await harness.read(runId)).toMatchObject({ reference: "INV-7" });
    expect((await runs.list(sandbox)).items).toMatchObject([{ runId, reference: "INV-7" }]);
    const [listed] = (await reviews.list(sandbox)).items;
    expect(listed).toMatchObject({ runId, reference: "INV-7" });
    const { reviewId = "" } = listed ?? {};
    expect(await reviews.get({ environment: "sandbox", reviewId })).toMatchObject({ reference: "INV-7" });
    expect(await reviews.open({ environment: "sandbox", runId })).toMatchObject({ reference: "INV-7" });
    expect(await reviews.ofRun({ environment: "sandbox", runId })).toMatchObject([{ reference: "INV-7" }]);
  });

  test("is in the first entry of the journal, and stays when a later version renders another", async () => {
    const harness = await harnessWithInvoices();
    const runId = await harness.run({ invoiceId: "INV-7" });
    await harness.publish({ ...invoice, reference: "other" }, { version: "v2", defaultIn: ["sandbox"] });
    expect(await harness.entries(runId)).toMatchObject([{ type: "started", reference: "INV-7" }, {}]);
    await harness.decide(runId);
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({ status: "completed", reference: "INV-7" });
    expect(await harness.read(await harness.run({ invoiceId: "INV-8" }))).toMatchObject({ reference: "other" });
  });

  test.each<[name: string, data: JsonObject, reference: string | undefined]>([
    ["missing", {}, undefined],
    ["null", { invoiceId: null }, undefined],
    ["an object", { invoiceId: { id: "INV-7" } }, undefined],
    ["invisible", { invoiceId: "\u202e\u0000" }, undefined],
    ["too long", { invoiceId: `${"a".repeat(199)}😀` }, "a".repeat(199)],
    ["a text with NUL and half a character", { invoiceId: "INV\u0000-7\ud83d" }, "INV-7"],
    ["a text with the characters of SQL patterns", { invoiceId: "100%_\\'--" }, "100%_\\'--"],
  ])("never lets a start fail: a value that is %s", async (_name, data, reference) => {
    const harness = await harnessWithInvoices();
    const runId = await harness.run(data);
    expect((await harness.read(runId)).reference).toBe(reference);
    expect((await harness.entries(runId))[0]).toMatchObject({ type: "started" });
    expect("reference" in ((await harness.entries(runId))[0] ?? {})).toBe(reference !== undefined);
  });

  test("costs a run without one no byte of its journal", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([call("a", "once")]));
    const runId = await harness.run();
    const [first] = await harness.engine.runs.journal({ environment: "sandbox", runId });
    expect(first?.body).not.toContain("reference");
  });

  test("is that of the first start for each start with its idempotency key", async () => {
    const harness = await harnessWithInvoices();
    const start = { procedureId: "p", environment: "sandbox", by: alice, idempotencyKey: "k" } as const;
    const { runId } = await harness.engine.runs.start({ ...start, data: { invoiceId: "INV-7" } });
    await harness.publish({ ...invoice, reference: "other" }, { version: "v2", defaultIn: ["sandbox"] });
    const again = await harness.engine.runs.start({ ...start, data: { invoiceId: "INV-7" } });
    expect(again).toMatchObject({ runId, existing: true });
    expect((await harness.read(runId)).reference).toBe("INV-7");
  });
});

describe("a search", () => {
  const invoices = ["INV-1", "INV-2", "INV-10", undefined];

  async function harnessWithRuns(): Promise<{ readonly harness: Harness; readonly runIds: readonly string[] }> {
    const harness = await harnessWithInvoices();
    const runIds: string[] = [];
    for (const invoiceId of invoices) {
      await harness.clock.advance(1);
      runIds.push(await harness.run(invoiceId === undefined ? {} : { invoiceId }));
    }
    return { harness, runIds };
  }

  const runsOf = async ({ engine }: Harness, search: string) =>
    (await engine.runs.list({ ...sandbox, search })).items.map(({ runId }) => runId);
  const reviewsOf = async ({ engine }: Harness, search: string) =>
    (await engine.reviews.list({ ...sandbox, search })).items.map(({ runId }) => runId);

  test("finds runs and their reviews by the run's id, a review's id, and the beginning of references", async () => {
    const { harness, runIds } = await harnessWithRuns();
    const [first = "", second = "", third = "", without = ""] = runIds;
    for (const find of [runsOf, reviewsOf]) {
      expect(await find(harness, "INV-")).toEqual([second, third, first]);
      expect(await find(harness, " INV-1\u200b\n")).toEqual([third, first]);
      expect(await find(harness, "inv-1")).toEqual([]);
      expect(await find(harness, without)).toEqual([without]);
      expect(await find(harness, without.slice(0, -1))).toEqual([]);
    }
    const [review] = await harness.reviews(without);
    expect(await reviewsOf(harness, review?.reviewId ?? "")).toEqual([without]);
    expect(await runsOf(harness, review?.reviewId ?? "")).toEqual([]);
  });

  test("finds a decomposed reference by its composed form, and the other way round", async () => {
    const harness = await harnessWithInvoices();
    const runId = await harness.run({ invoiceId: "Gro\u0308\u00dfe" });
    for (const search of ["Gr\u00f6", "Gro\u0308\u00dfe"]) expect(await runsOf(harness, search)).toEqual([runId]);
  });

  test("finds nothing of the other environment", async () => {
    const harness = await createHarness();
    await harness.publish(invoice, { defaultIn: ["sandbox", "live"] });
    const runId = await harness.run({ invoiceId: "INV-1" }, { environment: "live" });
    for (const search of ["INV-1", runId]) {
      expect([await runsOf(harness, search), await reviewsOf(harness, search)]).toEqual([[], []]);
    }
  });

  test("still finds a run that has ended, and its review by its status", async () => {
    const { harness, runIds } = await harnessWithRuns();
    const [first = ""] = runIds;
    await harness.decide(first);
    await harness.clock.settle();
    const { runs, reviews } = harness.engine;
    const ended = await runs.list({ ...sandbox, search: "INV-1", status: "completed" });
    expect(ended.items.map(({ runId }) => runId)).toEqual([first]);
    const approved = await reviews.list({ ...sandbox, search: "INV-1", status: "approved" });
    expect(approved.items.map(({ runId }) => runId)).toEqual([first]);
  });

  test("of a text that cannot be seen is refused, and so is a search with an order", async () => {
    const { runs, reviews } = (await harnessWithInvoices()).engine;
    for (const search of ["", " \n", "\u202e\0"]) {
      await expect(runs.list({ ...sandbox, search })).rejects.toMatchObject({ code: "invalid_input" });
      await expect(reviews.list({ ...sandbox, search })).rejects.toMatchObject({ code: "invalid_input" });
    }
    const both = { ...sandbox, search: "INV", order: "expires" } as const;
    await expect(reviews.list(both)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("continues after more reviews than one read of a list takes", async () => {
    const harness = await harnessWithInvoices();
    for (let run = 0; run < 23; run++) await harness.run({ invoiceId: `INV-${run % 3}` });
    const page = await harness.engine.reviews.list({ environment: "sandbox", limit: 15, search: "INV" });
    const rest = await harness.engine.reviews.list({
      ...{ environment: "sandbox", limit: 15, search: "INV" },
      cursor: page.nextCursor ?? "",
    });
    const references = [...page.items, ...rest.items].map(({ reference }) => reference);
    expect(references).toHaveLength(23);
    expect(references).toEqual(references.toSorted().reverse());
    expect(new Set([...page.items, ...rest.items].map(({ reviewId }) => reviewId)).size).toBe(23);
  });
});
