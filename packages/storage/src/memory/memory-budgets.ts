import { ProcedoError } from "@procedo/contract";
import type { BudgetStore, Reservation, ReserveResult } from "../budgets.ts";
import type { KnownReservation } from "../reservations.ts";
import { amountsHeld, assertReservation, judgeReservation, settledChanges } from "../reservations.ts";
import type { RunCommit } from "../runs.ts";
import type { Scope } from "../scope.ts";
import { assertStorable } from "../storable.ts";
import type { MemoryBudget, MemoryRun, MemoryState } from "./state.ts";
import { findRun, keyOf, sameScope } from "./state.ts";

export function memoryBudgets(state: MemoryState): BudgetStore {
  return {
    async reserve(request) {
      assertStorable(request);
      assertReservation(request);
      return reserveOne(state, request);
    },

    async taken(scope, budgets) {
      assertStorable([scope, budgets]);
      return budgets.map((budget) => takenOf(state, scope, budget));
    },
  };
}

function reserveOne(state: MemoryState, { scope, key, runId, amounts }: Reservation): ReserveResult {
  const run = findRun(state, scope, runId);
  if (run === undefined) {
    throw new ProcedoError("internal", `Run "${runId}" is not stored; a run reserves after its first row.`);
  }
  const known = state.reservations.get(inScope(scope, key));
  if (known !== undefined) return { status: "reserved", amounts: amountsHeld(known) };
  if (run.place.kind === "ended") return { status: "reserved", amounts: [] };
  const result = judgeReservation(amounts, (budget) => takenOf(state, scope, budget));
  if (result.status === "exceeded") return result;
  state.reservations.set(inScope(scope, key), { run, reserved: result.amounts, spent: undefined });
  for (const { budget, amount } of amounts) add(state, scope, budget, amount);
  return result;
}

function add(state: MemoryState, scope: Scope, name: string, amount: number): void {
  const budget = state.budgets.get(inScope(scope, name)) ?? { scope, taken: 0, reservations: 0, reservedAtMs: 0 };
  state.budgets.set(inScope(scope, name), budget);
  budget.taken += amount;
  budget.reservations += 1;
  budget.reservedAtMs = state.now();
}

/** The settlements of a row, computed before the row is stored. */
export interface MemorySettling {
  /** By scope and key. */
  readonly reservations: ReadonlyMap<string, KnownReservation>;
  /** The new sum of each budget. */
  readonly taken: ReadonlyMap<MemoryBudget, number>;
}

/** @throws ProcedoError `invalid_input` when a budget would exceed 2^53 - 1 */
export function settlingOf(state: MemoryState, { scope, settle = [] }: RunCommit): MemorySettling {
  const reservations = new Map<string, KnownReservation>();
  for (const { key, spent } of settle) {
    const place = inScope(scope, key);
    const { reserved, spent: before } = state.reservations.get(place) ?? { reserved: [], spent: undefined };
    if (before === undefined && !reservations.has(place)) reservations.set(place, { reserved, spent });
  }
  const taken = new Map<MemoryBudget, number>();
  for (const [name, change] of settledChanges([...reservations.values()])) {
    const budget = state.budgets.get(inScope(scope, name));
    if (budget === undefined) continue;
    const after = budget.taken + change;
    if (!Number.isSafeInteger(after)) {
      throw new ProcedoError("invalid_input", `Budget "${name}" would come to more than ${Number.MAX_SAFE_INTEGER}.`);
    }
    taken.set(budget, after);
  }
  return { reservations, taken };
}

export function settle(state: MemoryState, run: MemoryRun, { reservations, taken }: MemorySettling): void {
  for (const [place, reservation] of reservations) {
    const known = state.reservations.get(place);
    state.reservations.set(place, { run: known?.run ?? run, ...reservation });
  }
  for (const [budget, after] of taken) budget.taken = after;
}

/** Removes the reservations of an archived run. Their amounts stay in the budgets. */
export function removeReservations(state: MemoryState, run: MemoryRun): void {
  for (const [key, reservation] of state.reservations) {
    if (reservation.run !== run) continue;
    state.reservations.delete(key);
    for (const { budget } of reservation.reserved) {
      const found = state.budgets.get(inScope(run.scope, budget));
      if (found !== undefined) found.reservations -= 1;
    }
  }
}

/** @returns the number of removed budgets */
export function removeUnused(state: MemoryState, scope: Scope, beforeMs: number, limit: number): number {
  const unused = [...state.budgets]
    .filter(([, budget]) => sameScope(budget.scope, scope) && budget.reservations === 0)
    .filter(([, budget]) => budget.reservedAtMs < beforeMs)
    .slice(0, limit);
  for (const [key] of unused) state.budgets.delete(key);
  return unused.length;
}

function takenOf(state: MemoryState, scope: Scope, budget: string): number {
  return state.budgets.get(inScope(scope, budget))?.taken ?? 0;
}

function inScope({ workspace, environment }: Scope, name: string): string {
  return keyOf(workspace, environment, name);
}
