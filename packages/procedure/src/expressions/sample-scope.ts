import type { JsonValue } from "@procedo/contract";
import { compileExpression } from "./compile-expression.ts";
import type { Scope } from "./expression.ts";
import { createCompileBudget, scopeTypes } from "./scope-types.ts";
import type { ScopeTypes } from "./scope-types.ts";

/**
 * The scope for the tests of this folder: a payment whose vendor was found, whose lookup was refused, and whose `pay`
 * was not visited yet.
 */
export const sampleTypes = scopeTypes({
  input: {
    type: "object",
    required: ["amount"],
    properties: {
      amount: { type: "integer" },
      rate: { type: "number" },
      reference: { type: "string" },
      note: { type: ["string", "null"] },
      urgent: { type: "boolean" },
      lines: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } },
      },
      tags: { type: "array", items: { type: "string" } },
      vendor: { type: "object", properties: { id: { type: "string" } } },
      extra: { type: "object", additionalProperties: true },
    },
  },
  outputs: new Map([
    ["vendor", { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } }],
    ["pay", { type: "object", properties: { id: { type: "string" } } }],
    ["lookup", undefined],
    ["timeout", undefined],
  ]),
});

export function sampleScope(input: JsonValue): Scope {
  return {
    input,
    nodes: {
      vendor: { output: { id: "v_1", name: "Acme" } },
      pay: {},
      lookup: {
        output: { error: "not found" },
        error: "not found",
        errorDetails: { status: 404, reason: "No such vendor.", body: { code: "vendor_unknown" } },
      },
      timeout: { output: { error: "too late" }, error: "too late" },
    },
    run: {
      runId: "run_1",
      procedureId: "vendor-payment",
      procedureVersion: "3",
      environment: "sandbox",
      createdAt: "2026-03-01T09:00:00Z",
      startedBy: "key_1",
    },
  };
}

/** The same nodes, with an input of unknown type. */
export const untyped: ScopeTypes = { ...sampleTypes, input: scopeTypes({ outputs: new Map() }).input };

/** The value of an expression on an input without a schema. Throws if the expression has no value. */
export function valueOf(source: string, input: JsonValue = {}): JsonValue | undefined {
  const compiled = compileExpression(source, untyped);
  if (!compiled.ok) throw new Error(`does not compile: ${compiled.problems.map(({ message }) => message).join(" ")}`);
  const evaluation = compiled.expression.evaluate(sampleScope(input));
  if (!evaluation.ok) throw new Error(evaluation.message);
  return evaluation.value;
}

/** The problems that publishing reports for an expression; empty if there are none. */
export function problemsOf(source: string, types: ScopeTypes = sampleTypes): string {
  const compiled = compileExpression(source, { ...types, budget: createCompileBudget() });
  return compiled.ok ? "" : compiled.problems.map(({ message }) => message).join(" ");
}

/** `pay` made several calls. */
export const callsTypes: ScopeTypes = scopeTypes({
  outputs: new Map([["pay", undefined]]),
  calls: new Map([["pay", { arguments: undefined, output: undefined }]]),
});
