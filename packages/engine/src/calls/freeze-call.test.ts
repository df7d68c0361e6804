import type { JsonObject } from "@procedo/contract";
import {
  compileTemplate,
  defaultRunLimits,
  scopeTypes,
  type CompiledToolCall,
  type RunState,
} from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import type { Action } from "../integrations/integration.ts";
import { nothingToRedact } from "../secrets/redact.ts";
import type { FoundAction } from "./find-action.ts";
import { freezeCall } from "./freeze-call.ts";

const action: Action = {
  ...{ name: "pay", description: "", effect: "once", input: {}, output: undefined, revision: "r1", deprecated: false },
  ...{ operation: undefined, timeoutMs: undefined },
  check: ({ amount }) => (typeof amount === "number" ? [] : [{ path: "/amount", message: "must be a number." }]),
  call: async () => ({ output: {}, violations: [] }),
};

const found: FoundAction = {
  ok: true,
  action,
  connection: {
    ...{ name: "bank", connectionId: "con_1", settings: {}, secrets: {}, actions: new Map() },
    redactor: nothingToRedact,
  },
};

function nodeWith(fixed: JsonObject): CompiledToolCall {
  const compiled = compileTemplate(fixed, scopeTypes({ outputs: new Map() }));
  if (!("template" in compiled)) throw new Error("The arguments do not compile.");
  return {
    ...{ kind: "tool_call", id: "pay", title: undefined, connection: "bank", action: "pay" },
    ...{ arguments: compiled.template, guards: [], sumLimits: [], timeoutMs: undefined, onUnknownOutcome: "review" },
    retry: { maxAttempts: 1, initialDelayMs: 0, maxDelayMs: 0 },
    ...{ emit: undefined, to: "done", onError: undefined, onRejected: undefined },
  };
}

const state: RunState = {
  facts: {
    ...{ runId: "run_1", procedureId: "p", procedureVersion: "v1", environment: "sandbox", startedBy: "alice" },
    createdAt: "2026-01-02T12:00:00.000Z",
  },
  ...{ input: { to: "acme" }, nodes: {}, visits: {}, cursor: { at: "node", nodeId: "pay" }, approved: {} },
  ...{ agent: undefined, cancel: undefined, held: undefined, trigger: undefined },
  counts: { nodeVisits: 1, toolCalls: 0, modelCalls: 0, tokens: 0, recoveries: 0, events: 0 },
};

function frozenArgs(fixed: JsonObject, proposed?: JsonObject): JsonObject | string {
  const frozen = freezeCall(defaultRunLimits, state, nodeWith(fixed), found, proposed);
  return frozen.ok ? frozen.call.args : frozen.message;
}

describe("a call that an agent has proposed", () => {
  test("includes the arguments that the procedure fixes", () => {
    expect(frozenArgs({ to: "{{ input.to }}" }, { amount: 5 })).toEqual({ to: "acme", amount: 5 });
  });

  test("never replaces a fixed argument", () => {
    expect(frozenArgs({ to: "{{ input.to }}" }, { to: "mallory", amount: 5 })).toEqual({ to: "acme", amount: 5 });
  });

  test("is checked as a whole, with a message that names the violations", () => {
    const frozen = freezeCall(defaultRunLimits, state, nodeWith({ to: "acme" }), found, { amount: "5" });
    expect(frozen).toMatchObject({ ok: false, violations: [{ path: "/amount", message: "must be a number." }] });
  });

  test("is held to the limits of a step as a whole", () => {
    const limits = { ...defaultRunLimits, stepBytes: 100 };
    const frozen = freezeCall(limits, state, nodeWith({ to: "x".repeat(60) }), found, {
      amount: 1,
      memo: "x".repeat(60),
    });
    expect(frozen).toMatchObject({ ok: false, code: "limit" });
    expect(frozen).not.toHaveProperty("violations");
  });
});

test("a call without an agent has the arguments of the document", () => {
  expect(frozenArgs({ amount: 5, to: "{{ input.to }}" })).toEqual({ amount: 5, to: "acme" });
});
