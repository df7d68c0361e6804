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
