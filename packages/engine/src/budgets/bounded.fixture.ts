import type { ProcedureBudgets, SumLimit, ToolCallNode } from "@procedo/contract";
import {
  loadProcedure,
  type CompiledProcedure,
  type CompiledToolCall,
  type RunState,
  type Scope,
} from "@procedo/procedure";

/** A call `pay`, and a second call `tell` without limits of its own. */
export function boundedProcedure(
  sumLimits: readonly SumLimit[],
  more: { readonly budgets?: ProcedureBudgets; readonly pay?: Partial<ToolCallNode> } = {},
): CompiledProcedure {
  return loadProcedure({
    schemaVersion: 1,
    procedureId: "vendor-payment",
    name: "Vendor payment",
    input: { type: "object" },
    nodes: [
      { id: "start", kind: "start" },
      { id: "ask", kind: "human_review", title: "Pay?", covers: "pay" },
      { id: "pay", kind: "tool_call", connection: "bank", action: "pay", sumLimits: [...sumLimits], ...more.pay },
      { id: "tell", kind: "tool_call", connection: "bank", action: "tell" },
      { id: "done", kind: "end" },
    ],
    edges: [
      { from: "start", to: "ask" },
      { from: "ask", to: "pay" },
      { from: "pay", to: "tell" },
      { from: "tell", to: "done" },
    ],
    ...(more.budgets && { budgets: more.budgets }),
  });
}

export function callNode(procedure: CompiledProcedure, id = "pay"): CompiledToolCall {
  const node = procedure.nodes.get(id);
  if (node?.kind !== "tool_call") throw new Error(`"${id}" is no tool call.`);
  return node;
}

export const facts: RunState["facts"] = {
  runId: "run_1",
  procedureId: "vendor-payment",
  procedureVersion: "v1",
  environment: "sandbox",
  createdAt: "2026-01-01T22:00:00.000Z",
  startedBy: "ann",
};

/** The scope of expressions over a call with these arguments. */
export function scopeWith(args: NonNullable<Scope["args"]>): Scope {
  return { input: {}, nodes: {}, run: facts, args };
}
