import type { JsonObject } from "@procedo/contract";
import { describe, expect, it } from "vitest";
import { changed } from "../../test/changed-document.ts";
import { surroundings } from "../../test/vendor-payment.ts";
import { compileProcedure } from "../compile/compile-procedure.ts";
import { referenceOf, referenceText } from "./run-reference.ts";

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

describe("the text of a reference", () => {
  it.each([
    ["NUL and control characters", "INV\u0000-\u001b[2J7\u0085", "INV-[2J7"],
    ["marks that change the direction", "\u202eVNI\u2066\u200f-7\u061c", "VNI-7"],
    ["invisible characters", "I\u200bN\u2060V\ufeff\u00ad-\u2800\ufe0f7", "INV -7"],
    ["line ends, tabs and other spaces", "  INV\r\n\t7\u2028\u00a0 a\u3000", "INV 7 a"],
    ["halves of a surrogate pair", "a\ud83db\ude00c", "abc"],
    ["decomposed letters", "Gro\u0308\u00dfe", "Größe"],
    ["characters of patterns", "100%_\\'\"{{x}}", "100%_\\'\"{{x}}"],
  ])("has one form: %s", (_name, text, expected) => {
    expect(referenceText(text)).toBe(expected);
    expect(referenceText(expected)).toBe(expected);
  });

  it.each([
    ["a".repeat(200), "a".repeat(200)],
    ["a".repeat(201), "a".repeat(200)],
    ["😀".repeat(101), "😀".repeat(100)],
    [`a${"😀".repeat(100)}`, `a${"😀".repeat(99)}`],
    [`${"a".repeat(199)} b`, "a".repeat(199)],
    [`${"\u200b".repeat(5_000)}end`, "end"],
  ])("is cut at 200 characters, and never within one", (text, expected) => {
    expect(referenceText(text)).toBe(expected);
  });
});
