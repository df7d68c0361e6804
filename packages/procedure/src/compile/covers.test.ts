import { describe, expect, it } from "vitest";
import type { ProcedureNode } from "@procedo/contract";
import { changed, edge, messagesOf, problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings } from "../../test/vendor-payment.ts";
import { compileProcedure } from "./compile-procedure.ts";

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
    expect(problemsOf(change)).toEqual(["covers /nodes/3/covers", "optional /nodes/4/arguments/amount"]);
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
    document.nodes.push({ ...extra });
    edge(document, "approve").at.to = "rate";
    document.edges.push({ from: "rate", to: "pay" });
    node("pay")["arguments"] = { vendorId: "{{ nodes.rate.output.id }}", amount: "{{ input.amount }}" };
  };

  it("cannot cover a call that reads data that exists only after the review", () => {
    expect(problemsOf(between)).toEqual(["covers /nodes/3/covers", "optional /nodes/4/arguments/vendorId"]);
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

  it("requires that the approvers of the covered call also answer its questions", () => {
    const own: Change = (_document, node) => (node("pay")["review"] = { reviewers: { roles: ["treasury"] } });
    expect(problemsOf(own)).toEqual(["covers /nodes/4/review"]);
    expect(messagesOf(own)).toContain('"approve" covers "pay"');
    const uncovered: Change = (document, node) => {
      own(document, node);
      delete node("approve")["covers"];
    };
    expect(problemsOf(uncovered)).toEqual([]);
    const answeredBy = (change: Change): unknown => {
      const compiled = compileProcedure(changed(change), surroundings);
      const pay = compiled.ok ? compiled.procedure.nodes.get("pay") : undefined;
      return pay?.kind === "tool_call" ? pay.answeredBy : undefined;
    };
    const asked = { people: [], approvals: 1, excludeApproversOf: [] };
    expect(answeredBy(() => undefined)).toEqual({ ...asked, roles: ["reviewer"], excludeStarter: true });
    expect(answeredBy(uncovered)).toEqual({ ...asked, roles: ["treasury"], excludeStarter: false });
  });

  it("reports reviewers of a call once, even if two reviews cover the call", () => {
    const change: Change = (document, node) => {
      node("pay")["review"] = {};
      document.nodes.push({ id: "again", kind: "human_review", title: "Sure?", covers: "pay" });
      edge(document, "size", "normal").at.to = "again";
      document.edges.push({ from: "again", to: "pay" });
    };
    expect(problemsOf(change)).toEqual(["covers /nodes/4/review"]);
  });

  it("cannot cover a call whose arguments an agent proposes", () => {
    const change: Change = (_document, node) => (node("pay")["instructions"] = "Pay.");
    expect(problemsOf(change, { ...surroundings, model: true })).toEqual(["covers /nodes/3/covers"]);
  });

  /** After the review a condition decides whether to pay or to continue elsewhere. */
  const mayGo =
    (elsewhere: string): Change =>
    (document) => {
      const branches = [{ name: "now", when: "true" }];
      document.nodes.push({ id: "later", kind: "condition", branches, otherwise: "wait" });
      edge(document, "approve").at.to = "later";
      document.edges.push(
        { from: "later", branch: "now", to: "pay" },
        { from: "later", branch: "wait", to: elsewhere },
      );
    };

  it("refuses a path on which an approval would be used for a call that was not reviewed", () => {
    expect(problemsOf(mayGo("vendor"))).toEqual(["covers /nodes/3/covers"]);
    const messages = messagesOf(mayGo("vendor"));
    expect(messages).toMatch(/the approval would then be used for a call that was not reviewed/);
    expect(messages).toContain('Route every path back through "pay"');
  });

  it("may be left without the call if every path back leads through the review again", () => {
    expect(problemsOf(mayGo("approve"))).toEqual([]);
  });

  it("may leave an approval unused if the run cannot come back", () => {
    expect(problemsOf(mayGo("refused"))).toEqual([]);
  });

  it("may be reached again once the call is made, because the call uses up the approval", () => {
    const change: Change = (document) => {
      const branches = [{ name: "again", when: "input.amount > 5" }];
      document.nodes.push({ id: "more", kind: "condition", branches, otherwise: "enough" });
      edge(document, "pay").at.to = "more";
      document.edges.push(
        { from: "more", branch: "again", to: "vendor" },
        { from: "more", branch: "enough", to: "done" },
      );
    };
    expect(problemsOf(change)).toEqual([]);
  });
});
