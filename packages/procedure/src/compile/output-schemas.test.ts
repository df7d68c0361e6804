import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { changed, edge, problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings } from "../../test/vendor-payment.ts";
import { compileProcedure } from "./compile-procedure.ts";

const around = { ...surroundings, model: true };

/** The example, whose end reads `expression`, after another change. */
const reading =
  (expression: string, change: Change): Change =>
  (document, node) => {
    change(document, node);
    node("done")["output"] = { it: `{{ ${expression} }}` };
  };

describe("the type of the output of several calls", () => {
  const several: Change = (_document, node) => {
    Object.assign(node("vendor"), { instructions: "Find it.", maxCalls: 3 });
    Object.assign(node("approve"), { title: "Pay?", data: {} });
  };

  it.each([
    "nodes.vendor.output.calls[0].output.name",
    "nodes.vendor.output.calls[0].arguments.id",
    "nodes.vendor.output.calls.filter(c, has(c.output)).map(c, c.output.id)",
    "nodes.vendor.output.calls.exists(c, has(c.error))",
    "nodes.vendor.output.text",
    "nodes.vendor.output.error",
  ])("is known: %s", (expression) => {
    expect(problemsOf(reading(expression, several), around)).toEqual([]);
  });

  it.each([
    "nodes.vendor.output.name",
    "nodes.vendor.output.calls[0].name",
    "nodes.vendor.output.calls[0].output.nam",
    "nodes.vendor.output.calls[0].arguments.name",
    "nodes.vendor.output.calls.size() > 'a'",
  ])("causes an error: %s", (expression) => {
    expect(problemsOf(reading(expression, several), around)).toEqual(["expression /nodes/5/output/it"]);
  });

  it("follows an action's schema into its own definitions", () => {
    const output: JsonObject = {
      $ref: "#/$defs/vendor",
      $defs: {
        vendor: { type: "object", properties: { id: { type: "string" }, parent: { $ref: "#" } } },
      },
    };
    const shapes = { ...around, action: () => ({ input: { type: "object" }, output }) };
    const problems = (expression: string) =>
      compileProcedure(changed(reading(expression, several)), shapes).problems.map(({ code }) => code);
    expect(problems("nodes.vendor.output.calls[0].output.parent.parent.id")).toEqual([]);
    expect(problems("nodes.vendor.output.calls[0].output.parent.calls")).toEqual(["expression"]);
  });

  it("is the action's output if the agent makes one call", () => {
    const one: Change = (_document, node) => (node("vendor")["instructions"] = "Find it.");
    expect(problemsOf(reading("nodes.vendor.output.name", one), around)).toEqual([]);
  });
});

describe("the type of the output of a question", () => {
  const asking: Change = (document, node) => {
    const size = node("size");
    Object.assign(size, {
      question: "Is it large?",
      branches: [{ name: "large", description: "Too much for one person." }],
    });
    expect(edge(document, "size", "normal").index).toBeGreaterThan(-1);
  };

  it("has the branch and the reason", () => {
    expect(problemsOf(reading("nodes.size.output.reason + nodes.size.output.branch", asking), around)).toEqual([]);
    expect(problemsOf(reading("nodes.size.output.confidence", asking), around)).toEqual([
      "expression /nodes/5/output/it",
    ]);
  });

  it("has no reason if no agent chose", () => {
    expect(problemsOf(reading("nodes.size.output.reason", () => undefined))).toEqual(["expression /nodes/5/output/it"]);
  });
});
