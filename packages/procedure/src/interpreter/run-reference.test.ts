import type { JsonObject } from "@procedo/contract";
import { describe, expect, it } from "vitest";
import { changed } from "../../test/changed-document.ts";
import { surroundings } from "../../test/vendor-payment.ts";
import { compileProcedure } from "../compile/compile-procedure.ts";
import { referenceOf } from "./run-reference.ts";

const run = {
  runId: "run_1",
  procedureId: "vendor-payment",
  procedureVersion: "3",
  environment: "sandbox",
  createdAt: "2026-03-01T09:00:00Z",
  startedBy: "ana@example.com",
};

/** The reference of a run of the example with this template. */
function rendered(reference: string | undefined, input: JsonObject = {}): string | undefined {
  const document = changed((whole) => {
    if (reference !== undefined) whole.reference = reference;
    const { properties } = whole.input as { properties: Record<string, unknown> };
    Object.assign(properties, { invoiceId: { type: "string" }, extra: {}, paid: { type: "boolean" } });
  });
  const compiled = compileProcedure(document, surroundings);
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join("\n"));
  return referenceOf(compiled.procedure, { input, run });
}

describe("the reference of a run", () => {
  it.each<[template: string | undefined, input: JsonObject, reference: string | undefined]>([
    ["{{ input.invoiceId }}", { invoiceId: "INV-7" }, "INV-7"],
    ["{{ input.vendorId }}/{{ input.amount }}", { vendorId: "v", amount: 12 }, "v/12"],
    ["{{ input.amount }}", { amount: 45_000 }, "45000"],
    ["{{ input.paid }}", { paid: false }, "false"],
    ["{{ run.startedBy }} {{ run.environment }}", {}, "ana@example.com sandbox"],
    ["Payment", {}, "Payment"],
    ["{{ input.extra }}", { extra: "from a field of any type" }, "from a field of any type"],
    [undefined, { invoiceId: "INV-7" }, undefined],
  ])("is the text of %j", (template, input, reference) => {
    expect(rendered(template, input)).toBe(reference);
  });

  it.each<[template: string, input: JsonObject]>([
    ["{{ input.invoiceId }}", {}],
    ["{{ input.?invoiceId }}", {}],
    ["{{ input.invoiceId }}", { invoiceId: null }],
    ["INV {{ input.invoiceId }}", {}],
    ["{{ input.invoiceId }}", { invoiceId: "" }],
    ["{{ input.invoiceId }}", { invoiceId: "\n\u200b\u202e" }],
    ["{{ input.extra }}", { extra: ["INV-7"] }],
    ["{{ input.extra }}", { extra: { id: "INV-7" } }],
    ["INV {{ input.extra }}", { extra: ["INV-7"] }],
    ["{{ input.amount / 0 }}", { amount: 1 }],
  ])("is absent for %j of %j", (template, input) => {
    expect(rendered(template, input)).toBeUndefined();
  });
});
