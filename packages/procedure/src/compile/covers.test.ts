import { describe, expect, it } from "vitest";
import type { ProcedureNode } from "@procedo/contract";
import { edge, messagesOf, problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings } from "../../test/vendor-payment.ts";

describe("a covering review", () => {
  const covering =
    (covers: string): Change =>
    (_document, node) =>
      (node("approve")["covers"] = covers);

  it.each(["nobody", "done", "size", "approve", "vendor"])(
    "cannot cover %s, which is no tool call further on",
    (covers) => {
      expect(problemsOf(covering(covers))).toEqual(["covers /nodes/3/covers"]);
    },
  );

  it("cannot cover a call that reads the review's own result", () => {
    const change: Change = (_document, node) => {
      node("approve")["outputs"] = { type: "object", properties: { amount: { type: "integer" } } };
      node("pay")["arguments"] = { vendorId: "{{ input.vendorId }}", amount: "{{ nodes.approve.output.amount }}" };
    };
    expect(problemsOf(change)).toEqual(["covers /nodes/3/covers"]);
    expect(messagesOf(change)).toContain("this review's own result");
  });

  const between: Change = (document, node) => {
    const extra: ProcedureNode = {
      id: "rate",
      kind: "tool_call",
      connection: "ledger",
      action: "get_vendors_id",
      arguments: { id: "1" },
    };
    document.nodes.push(extra);
    edge(document, "approve").at.to = "rate";
    document.edges.push({ from: "rate", to: "pay" });
    node("pay")["arguments"] = { vendorId: "{{ nodes.rate.output.id }}", amount: "{{ input.amount }}" };
  };

  it("cannot cover a call that reads what comes only after the review", () => {
    expect(problemsOf(between)).toEqual(["covers /nodes/3/covers"]);
  });

  it("may cover a call that reads what may come before the review too", () => {
    expect(
      problemsOf((document, node) => {
        between(document, node);
        edge(document, "start").at.to = "rate";
        edge(document, "rate").at.to = "vendor";
        edge(document, "approve").at.to = "pay";
      }),
    ).toEqual([]);
  });

  it("cannot cover a call whose arguments an agent proposes", () => {
    const change: Change = (_document, node) => (node("pay")["instructions"] = "Pay.");
    expect(problemsOf(change, { ...surroundings, model: true })).toEqual(["covers /nodes/3/covers"]);
  });
});
