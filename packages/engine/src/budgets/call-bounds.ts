import type { CompiledProcedure, CompiledSumLimit, CompiledToolCall, Scope, Step } from "@procedo/procedure";
import { dayAt } from "./calendar-day.ts";

/** What one call adds to a budget, and how much that may come to. */
export interface CallBound {
  /** The budget's name in storage. */
  readonly budget: string;
  /** A whole number, at least 1. */
  readonly amount: number;
  readonly atMost: number;
  /** What becomes of the call when there is no room for it. */
  readonly otherwise: "review" | "fail";
  /** Of the sum limit; `undefined`: the budget is the procedure's, of tool calls in a day. */
  readonly limit: string | undefined;
  /** `undefined`: the sum is of the run. */
  readonly date: BudgetDate | undefined;
}

export interface BudgetDate {
  /** As `2026-03-29`. */
  readonly day: string;
  /** IANA name of the zone in which it is that day. */
  readonly timeZone: string;
}

export type CallBounds = { readonly ok: true; readonly bounds: readonly CallBound[] } | NotCounted;

type NotCounted = { readonly ok: false; readonly message: string; readonly code?: "limit" };

/** Whether anything bounds what the node's calls add up to: then each has to be reserved before its intent. */
export function isBounded({ document }: CompiledProcedure, node: CompiledToolCall): boolean {
  return node.sumLimits.length > 0 || document.budgets?.day?.toolCalls !== undefined;
}

/**
 * Whether a step may reserve something for a call. Whatever is pending has to be durable before: a reservation belongs to
 * the place at which the journal stands, and who comes after a crash has to find the very call that it was made for.
 */
export function reserves(procedure: CompiledProcedure, step: Step): boolean {
  switch (step.do) {
    case "propose":
      return isBounded(procedure, step.node);
    case "judge":
      return step.node.kind === "tool_call" && isBounded(procedure, step.node);
    case "intend":
      return step.call.attempt === 1 && isBounded(procedure, step.node);
    default:
      return false;
  }
}

/**
 * What a call adds to which budgets, by the date on which it is reserved. Pure; what it adds nothing to does not bound it.
 * `scope`: of the run, with the call's arguments.
 */
export function boundsOf(
  { document }: CompiledProcedure,
  node: CompiledToolCall,
  scope: Scope,
  atMs: number,
): CallBounds {
  const { procedureId, runId } = scope.run;
  const bounds: CallBound[] = [];
  for (const limit of node.sumLimits) {
    const added = addedTo(limit, node, scope);
    if (!added.ok) return added;
    const { amount } = added;
    if (amount === 0) continue;
    const { name, atMost, otherwise, per } = limit;
    const date = per.span === "day" ? { day: dayAt(per, atMs), timeZone: per.timeZone } : undefined;
    const span = date === undefined ? `run/${runId}` : `day/${date.day}`;
    const budget = `sum/${procedureId}/${node.id}/${name}/${span}`;
    bounds.push({ budget, amount, atMost, otherwise, limit: name, date });
  }
  const perDay = document.budgets?.day;
  if (perDay?.toolCalls !== undefined) {
    const date = { day: dayAt(perDay, atMs), timeZone: perDay.timeZone };
    const budget = `use/${procedureId}/toolCalls/${date.day}`;
    bounds.push({ budget, amount: 1, atMost: perDay.toolCalls, otherwise: "fail", limit: undefined, date });
  }
  return { ok: true, bounds };
}

type Added = { readonly ok: true; readonly amount: number } | NotCounted;

/** Whatever cannot be counted holds the call back: a limit that was skipped would be none. */
function addedTo({ name, sum, when }: CompiledSumLimit, node: CompiledToolCall, scope: Scope): Added {
  const refused = (failure: Omit<NotCounted, "ok">): Added => ({
    ...failure,
    ok: false,
    message: `Sum limit "${name}" of "${node.id}": ${failure.message}`,
  });
  const counts = when?.evaluate(scope);
  if (counts?.ok === false) return refused(counts);
  if (counts?.value === false) return { ok: true, amount: 0 };
  const added = sum.evaluate(scope);
  if (!added.ok) return refused(added);
  const { value: amount } = added;
  if (typeof amount === "number" && Number.isSafeInteger(amount) && amount >= 0) return { ok: true, amount };
  const range = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;
  return refused({ message: `${sum.source} must give ${range}, and gives ${JSON.stringify(amount)}.` });
}
