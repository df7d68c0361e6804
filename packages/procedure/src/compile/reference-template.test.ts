import { describe, expect, it } from "vitest";
import { messagesOf, problemsOf } from "../../test/changed-document.ts";

describe("the template of a reference", () => {
  it.each([
    ["{{ input.invoiceNo }}", "invoiceNo"],
    ["{{ secrets.bank }}", "secrets"],
    ["{{ env.PROCEDO_MASTER_KEY }}", "env"],
    ["{{ args.amount }}", "args"],
    ["{{ connections.ledger.token }}", "connections"],
    ["{{ run.secret }}", "secret"],
    ["{{ input.vendorId", "}}"],
    ["{{ nodes.vendor.output.name }}", "rendered when a run starts. nodes.vendor has no value then"],
    ["{{ has(nodes.pay.error) ? 'a' : input.vendorId }}", "nodes.pay has no value then"],
    ["{{ nodes.unknown.output }}", "unknown"],
    ["{{ [input.vendorId] }}", "is a list, where a text or a number is needed"],
    ["{{ input }}", "is an object, where a text or a number is needed"],
    ["{{ null }}", "is null, where a text or a number is needed"],
    ["Run {{ [input.vendorId] }}", "has no place within a text"],
  ])("is refused at its place: %j", (template, message) => {
    const reference = (document: { reference?: string | undefined }): void => void (document.reference = template);
    expect(problemsOf(reference)).toEqual(["expression /reference"]);
    expect(messagesOf(reference)).toContain(message);
  });

  it.each<unknown>(["", "a".repeat(501), 7, null, ["{{ input.vendorId }}"]])("is no reference: %j", (value) => {
    expect(problemsOf((document) => void (document.reference = value as string))).toEqual(["shape /reference"]);
  });

  it("is checked also while other parts of the document are broken", () => {
    const problems = problemsOf((document) => {
      document.reference = "{{ input.invoiceNo }}";
      document.name = "";
    });
    expect(problems.sort()).toEqual(["expression /reference", "shape /name"]);
  });
});
