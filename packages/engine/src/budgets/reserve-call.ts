/*
 * Limits of amounts, calls and model usage, enforced outside of every model.
 *
 *   reserve-call.ts      reserves the amounts of a call before its intent is written
 *   call-bounds.ts       the budgets that a call adds to, and by how much; pure
 *   call-settlements.ts  the entry that releases a reservation; pure
 *   turn-budgets.ts      the same for a model's turn; token-estimate.ts: tokens where the provider reports none
 *   node-budget.ts       the budget of an agent within one visit; pure
 *   calendar-day.ts      the day that an amount counts for; pure
 */
import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { ReservedAmount, StepError } from "@procedo/procedure";
import type { ReserveResult, Scope, Storage } from "@procedo/storage";
import type { BudgetDate, CallBound } from "./call-bounds.ts";

export interface BudgetPorts {
  readonly storage: { readonly budgets: Storage["budgets"] };
}

export interface CallToReserve {
  readonly scope: Scope;
  readonly runId: string;
  /** Key of the reservation; see `reservationKey`. */
  readonly key: string;
  readonly nodeId: string;
  /** At least one bound. */
  readonly bounds: readonly CallBound[];
  /** A person has allowed the call to exceed the limits that a review can waive. */
  readonly waived: boolean;
}

export type CallReservation =
  | { readonly status: "reserved"; readonly reserved: readonly ReservedAmount[] }
  /** The call would exceed limits, and a review can waive each of them. */
  | { readonly status: "ask"; readonly limits: readonly JsonObject[] }
  | { readonly status: "refused"; readonly error: StepError };

/**
 * Reserves a call's amounts in all its budgets, or in none. A repetition for the same call, also by another owner,
 * returns the same reservation and takes nothing twice.
 *
 * @throws ProcedoError `storage_unavailable`, after which the reservation may be repeated
 */
export async function reserveCall({ storage }: BudgetPorts, call: CallToReserve): Promise<CallReservation> {
  const { scope, runId, key, bounds, waived, nodeId } = call;
  const isOpen = ({ otherwise }: CallBound): boolean => waived && otherwise === "review";
  const amounts = bounds.map((bound) => ({
    budget: bound.budget,
    amount: bound.amount,
    atMost: isOpen(bound) ? undefined : bound.atMost,
  }));
  let result: ReserveResult;
  try {
    result = await storage.budgets.reserve({ scope, key, runId, amounts });
  } catch (error) {
    // Even a waived limit needs a sum that is an exact number.
    if (!ProcedoError.isError(error) || error.code !== "invalid_input") throw error;
    return { status: "refused", error: { message: `The sums of "${nodeId}" cannot be kept. ${error.message}` } };
  }
  if (result.status === "reserved") {
    const reserved = result.amounts;
    if (covers(reserved, bounds)) return { status: "reserved", reserved };
    const message = `The reservation for the call of "${nodeId}" was released before. Nothing was sent.`;
    return { status: "refused", error: { message } };
  }
  const taken = await storage.budgets.taken(
    scope,
    bounds.map(({ budget }) => budget),
  );
  const found = bounds.map((bound, at): FoundBound => {
    const isNamed = bound.budget === result.budget;
    const sum = isNamed ? result.taken : (taken[at] ?? 0);
    return { bound, taken: sum, exceeded: isNamed || sum + bound.amount > bound.atMost };
  });
  const final = found.find(({ bound, exceeded }) => exceeded && bound.otherwise === "fail");
  if (final !== undefined) return { status: "refused", error: noRoom(nodeId, final) };
  return { status: "ask", limits: found.filter(({ bound }) => bound.limit !== undefined).map(shownLimit) };
}

interface FoundBound {
  readonly bound: CallBound;
  readonly taken: number;
  readonly exceeded: boolean;
}

/** Whether a reservation holds the call's amounts, in the same order. A released reservation holds nothing. */
function covers(reserved: readonly ReservedAmount[], bounds: readonly CallBound[]): boolean {
  return bounds.every(({ amount }, at) => (reserved[at]?.amount ?? 0) >= amount);
}

/** A limit as the record and reviewers show it. */
function shownLimit({ bound, taken, exceeded }: FoundBound): JsonObject {
  const { limit, atMost, amount, date } = bound;
  const per = date === undefined ? { per: "run" } : { per: "day", ...date };
  return { limit: limit ?? "toolCalls", atMost, taken, requested: amount, exceeded, ...per };
}

function noRoom(nodeId: string, found: FoundBound): StepError {
  const { limit, atMost, amount, date } = found.bound;
  const where = date === undefined ? "in this run" : onDay(date);
  const message =
    limit === undefined
      ? `The procedure's budget of ${atMost} tool calls ${where} is used up. Nothing was sent.`
      : `Sum limit "${limit}" of "${nodeId}" has no room for ${amount}: ${found.taken} of ${atMost} is taken ${where}. ` +
        "Nothing was sent.";
  return { message, details: shownLimit(found) };
}

/** `on 2026-03-29 (Europe/Berlin)` */
export function onDay({ day, timeZone }: BudgetDate): string {
  return `on ${day} (${timeZone})`;
}
