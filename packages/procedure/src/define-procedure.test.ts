import { describe, expect, it } from "vitest";
import * as z from "zod";
import { surroundings, vendorPayment } from "../test/vendor-payment.ts";
import { compileProcedure } from "./compile/compile-procedure.ts";
import { defineProcedure } from "./define-procedure.ts";

const defined = () =>
  defineProcedure({
    procedureId: "vendor-payment",
    name: "Vendor payment",
    input: z.object({ vendorId: z.string(), amount: z.int().min(1) }),
    nodes: {
      start: { kind: "start", next: "vendor" },
      vendor: {
        kind: "tool_call",
        title: "Look up the vendor",
        connection: "ledger",
        action: "get_vendors_id",
        arguments: { id: "{{ input.vendorId }}" },
        next: "size",
      },
      size: {
        kind: "condition",
        branches: [{ name: "large", when: "input.amount > 1000000" }],
        otherwise: "normal",
        next: { large: "approve", normal: "pay" },
      },
      approve: {
        kind: "human_review",
        title: "Pay {{ input.amount }} to {{ nodes.vendor.output.name }}?",
        data: { vendor: "{{ nodes.vendor.output }}", amount: "{{ input.amount }}" },
        covers: "pay",
        reviewers: { roles: ["reviewer"] },
        approvals: 1,
        excludeStarter: true,
        expiresAfter: "P7D",
        next: "pay",
      },
      pay: {
        kind: "tool_call",
        connection: "ledger",
        action: "post_payments",
        arguments: { vendorId: "{{ input.vendorId }}", amount: "{{ input.amount }}" },
        guards: [{ check: "args.amount <= input.amount", otherwise: "fail" }],
        emit: { name: "payment_sent", data: { paymentId: "{{ nodes.pay.output.id }}" } },
        next: "done",
        onError: "refused",
      },
      done: { kind: "end", output: { paymentId: "{{ nodes.pay.output.id }}" } },
      refused: { kind: "end", title: undefined, output: { reason: "{{ nodes.pay.error }}" } },
    },
  });

describe("a procedure defined in TypeScript", () => {
  it("is the same as the handwritten document", () => {
    const { input, ...rest } = defined();
    const { input: written, ...expected } = vendorPayment();
    expect(rest).toEqual(expected);
    expect(input).toMatchObject({ ...written, properties: { vendorId: { type: "string" }, amount: { minimum: 1 } } });
  });

  it("compiles, and survives JSON unchanged", () => {
    const document = defined();
    expect(compileProcedure(document, surroundings)).toMatchObject({ ok: true, problems: [] });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it("takes a JSON Schema and edges as in the document, too", () => {
    const { schemaVersion: _schemaVersion, nodes, edges, ...rest } = vendorPayment();
    const document = defineProcedure({
      ...rest,
      nodes: Object.fromEntries(nodes.map(({ id, ...node }) => [id, node])),
      edges,
    });
    expect(document).toEqual(vendorPayment());
  });

  it("states the calls and the limits of its agent", () => {
    const document = defineProcedure({
      procedureId: "agents",
      name: "Agents",
      input: { type: "object" },
      budgets: { run: { modelCalls: 10 }, day: { tokens: 1_000_000, timeZone: "Europe/Berlin" } },
      nodes: {
        start: { kind: "start", next: "sort" },
        sort: {
          kind: "condition",
          question: "Is it worth paying?",
          branches: [{ name: "yes", description: "It is." }],
          otherwise: "no",
          confidence: { atLeast: 0.8, otherwise: "review" },
          budget: { modelCalls: 3 },
          next: { yes: "pay", no: "done" },
        },
        pay: {
          kind: "tool_call",
          connection: "ledger",
          action: "post_payments",
          instructions: "Pay what is open.",
          maxCalls: 3,
          budget: { tokens: 20_000 },
          sumLimits: [{ name: "eur", sum: "args.amount", atMost: 5_000_000, per: "day", timeZone: "Europe/Berlin" }],
          next: "done",
        },
        done: { kind: "end", output: { paid: "{{ nodes.pay.?output.?calls }}" } },
      },
    });
    expect(compileProcedure(document, { ...surroundings, model: true })).toMatchObject({ ok: true, problems: [] });
    expect(document.budgets).toEqual({
      run: { modelCalls: 10 },
      day: { tokens: 1_000_000, timeZone: "Europe/Berlin" },
    });
  });

  it("with an input that JSON cannot represent is refused with a hint", () => {
    const define = () =>
      defineProcedure({
        procedureId: "p",
        name: "P",
        input: z.object({ at: z.date() }),
        nodes: { start: { kind: "start" } },
      });
    expect(define).toThrow(expect.objectContaining({ code: "invalid_document" }));
  });
});

describe("a definition is refused with a message", () => {
  const definition = {
    procedureId: "p",
    name: "P",
    input: { type: "object" },
    nodes: { start: { kind: "start", next: "done" }, done: { kind: "end" } },
  };

  it.each([
    [{ budget: {} }, 'defineProcedure has no option "budget"; did you mean "budgets"?'],
    [{ nodes: [], node: {} }, 'defineProcedure has no option "node"; did you mean "nodes"?'],
    [{ nodes: undefined }, "The nodes of a procedure are undefined. Give an object of nodes by their ids."],
    [{ nodes: { start: { kind: "strat" } } }, 'The node "start" is of the kind "strat"; did you mean "start"?'],
    [{ nodes: { start: undefined } }, /^The node "start" is of the kind undefined; known are "start"/],
    [
      { nodes: { pay: { kind: "tool_call", connection: "b", action: "a", onErrors: "x" } } },
      'The node "pay" has no option "onErrors"; did you mean "onError"?',
    ],
    [
      { nodes: { ask: { kind: "human_review", title: "?", excludeStarters: true } } },
      'The node "ask" has no option "excludeStarters"; did you mean "excludeStarter"?',
    ],
    [{ edges: {} }, "The edges of a procedure are an object. Give a list of { from, to }, or leave them out."],
    [
      { nodes: { start: { kind: "start", next: null } } },
      'The node "start" has a next that is null. Give the id of a node, or leave it out.',
    ],
    [
      { nodes: { size: { kind: "condition", branches: [], next: { large: 5 } } } },
      'The node "size" has a way "large" that is a number. Give the id of a node, or leave it out.',
    ],
    [{ nodes: { start: { kind: 10n } } }, /^The node "start" is of the kind 10; known are "start"/],
    [{ input: undefined }, /^The input of a procedure is undefined\. Give z\.object/],
  ])("with %o", (wrong, message) => {
    const said = typeof message === "string" ? message : (expect.stringMatching(message) as string);
    expect(() => defineProcedure({ ...definition, ...wrong } as never)).toThrow(
      expect.objectContaining({ code: "invalid_document", message: said }),
    );
  });
});
