import { describe, expect, test } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { valueTypes } from "../expressions/scope-types.ts";
import { compileMapping, type Mapping } from "./compile-mapping.ts";

const types = valueTypes({
  event: {
    type: "object",
    properties: { id: { type: "string" }, amount: { type: "integer" }, note: { type: "string" } },
  },
  trigger: { type: "object", properties: { id: { type: "string" } } },
});

const inputSchema: JsonObject = {
  type: "object",
  required: ["paymentId", "amount", "currency"],
  additionalProperties: false,
  properties: {
    paymentId: { type: "string" },
    amount: { type: "integer" },
    currency: { type: "string", default: "EUR" },
  },
};

const template = { paymentId: "{{ event.id }}", amount: "{{ event.amount }}" };

function compiled(when: string | null, input: JsonObject): Mapping {
  const result = compileMapping({ when, input }, types, inputSchema);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
}

function problemsOf(when: string | null, input: JsonObject) {
  const result = compileMapping({ when, input }, types, inputSchema);
  return result.ok ? [] : result.problems;
}

describe("a mapping", () => {
  test("makes the input from the event, and tells whether it matches", () => {
    const mapping = compiled("event.amount > 100", template);
    const scope = { values: { event: { id: "p_1", amount: 250 }, trigger: { id: "trg_1" } } };
    expect(mapping.matches(scope)).toEqual({ ok: true, value: true });
    expect(mapping.input(scope)).toEqual({ ok: true, value: { paymentId: "p_1", amount: 250 } });
    expect(mapping.matches({ values: { event: { amount: 9 } } })).toEqual({ ok: true, value: false });
  });

  test("reports every fault at once, each at its place", () => {
    expect(problemsOf("event.amout > 1", { paymentId: "{{ event.id", amount: "{{ event.amount }}" })).toMatchObject([
      { path: "/when", message: expect.stringContaining('did you mean "amount"?') as string },
      { path: "/input/paymentId" },
    ]);
  });

  test("is checked against the input of the procedure, whose defaults complete it", () => {
    expect(problemsOf(null, template)).toEqual([]);
    expect(problemsOf(null, { paymentId: "{{ event.amount }}", amunt: 1 })).toMatchObject([
      { path: "/input/paymentId", message: expect.stringContaining("must be text") as string },
      { path: "/input/amunt", message: 'is not a known field; did you mean "amount"?' },
    ]);
    expect(problemsOf(null, { paymentId: "p" })).toMatchObject([{ path: "/input/amount" }]);
  });

  test("reads nothing of a run", () => {
    for (const name of ["input", "run", "nodes", "args", "headers"]) {
      expect(problemsOf(`${name} == 1`, template)).toMatchObject([
        { path: "/when", message: expect.stringContaining(`There is no "${name}" here`) as string },
      ]);
    }
    expect(problemsOf("nodes.pay.output == 1", template)).toMatchObject([{ path: "/when" }]);
  });

  test("that gives no truth value is refused", () => {
    expect(problemsOf("event.amount", template)).toMatchObject([
      { path: "/when", message: expect.stringContaining("must give true or false") as string },
    ]);
  });

  test("names the expression that fails on an event, and treats its text as data", () => {
    const mapping = compiled(null, template);
    const failed = mapping.input({ values: { event: { id: "p" } } });
    expect(failed).toEqual({ ok: false, message: '/amount: event has no field "amount"' });
    const text = "{{ trigger.id }}";
    expect(mapping.input({ values: { event: { id: text, amount: 1 }, trigger: { id: "t" } } })).toEqual({
      ok: true,
      value: { paymentId: text, amount: 1 },
    });
  });
});
