import type { CompiledProcedure, CompiledSumLimit, CompiledToolCall, Scope } from "@procedo/procedure";
import { dayAt } from "./calendar-day.ts";

/** The amount that one call adds to a budget, and the limit of that budget. */
export interface CallBound {
  /** The budget's name in storage. */
  readonly budget: string;
  /** A whole number, at least 1. */
  readonly amount: number;
  readonly atMost: number;
  /** The consequence for a call that would exceed the limit. */
  readonly otherwise: "review" | "fail";
  /** Name of the sum limit; `undefined` for the procedure's budget of tool calls per day. */
  readonly limit: string | undefined;
  /** `undefined` for a sum per run. */
  readonly date: BudgetDate | undefined;
}

export interface BudgetDate {
  /** A date such as `2026-03-29`. */
  readonly day: string;
  /** IANA name of the time zone of that day. */
  readonly timeZone: string;
}

export type CallBounds = { readonly ok: true; readonly bounds: readonly CallBound[] } | NotCounted;

type NotCounted = { readonly ok: false; readonly message: string; readonly code?: "limit" };

/** Whether a limit applies to the sum of the node's calls. Each call must then be reserved before its intent. */
export function isBounded({ document }: CompiledProcedure, node: CompiledToolCall): boolean {
  return node.sumLimits.length > 0 || document.budgets?.day?.toolCalls !== undefined;
}

/**
 * The budgets to which a call adds, and by how much, for the date of its reservation. Budgets to which the call adds
 * nothing are left out. Pure. `scope`: the run's scope, with the call's arguments.
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

/**
 * The amount that a call adds to a limit. An amount that cannot be computed prevents the call: the limit must not be
 * skipped.
 */
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
  return refused({ message: `${sum.source} must give ${range}, but gives ${JSON.stringify(amount)}.` });
}
