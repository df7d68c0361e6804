import { ProcedoError } from "@procedo/contract";
import type { BudgetAmount, BudgetSettlement, HeldAmount, Reservation, ReserveResult } from "./budgets.ts";

/** The largest sum of any budget, whatever its limit: all whole numbers up to it are exact. */
const maxTaken = Number.MAX_SAFE_INTEGER;
const maxBudgets = 40;
const maxNameLength = 512;

/**
 * Refuses a reservation that is out of bounds, for adapters.
 *
 * @throws ProcedoError `invalid_input`
 */
export function assertReservation({ key, amounts }: Reservation): void {
  assertName("The key of a reservation", key);
  if (amounts.length < 1 || amounts.length > maxBudgets) {
    throw outOfBounds(`Reservation "${key}" names ${amounts.length} budgets; name 1 to ${maxBudgets}.`);
  }
  assertAmounts(key, amounts);
  for (const { budget, atMost } of amounts) {
    assertName("The name of a budget", budget);
    if (atMost !== undefined) assertWhole(key, atMost);
  }
}

/**
 * Refuses settlements that are out of bounds.
 *
 * @throws ProcedoError `invalid_input`
 */
export function assertSettlements(settlements: readonly BudgetSettlement[]): void {
  for (const { key, spent } of settlements) {
    assertName("The key of a settlement", key);
    if (spent !== "nothing") assertAmounts(key, spent);
  }
}

/**
 * Checks that all amounts have room, for adapters that know the sum of each budget.
 *
 * @throws ProcedoError `invalid_input` when a budget without a limit would exceed 2^53 - 1
 */
export function judgeReservation(amounts: readonly BudgetAmount[], takenOf: (budget: string) => number): ReserveResult {
  for (const { budget, amount, atMost } of amounts) {
    const taken = takenOf(budget);
    // The sum may be too large to be exact; the difference is not.
    if (atMost !== undefined && taken > atMost - amount) return { status: "exceeded", budget, taken };
    if (taken > maxTaken - amount) {
      throw outOfBounds(`Budget "${budget}" would come to more than ${maxTaken}; ${taken} of it are taken.`);
    }
  }
  return { status: "reserved", amounts: amounts.map(({ budget, amount }) => ({ budget, amount })) };
}

/** A reservation as it is stored. */
export interface KnownReservation {
  /** The amounts that the reservation holds. */
  readonly reserved: readonly HeldAmount[];
  /** `undefined` until it is settled. */
  readonly spent: BudgetSettlement["spent"] | undefined;
}

/** The amounts that a reservation holds, for adapters. */
export function amountsHeld({ reserved, spent }: KnownReservation): readonly HeldAmount[] {
  if (spent === undefined) return reserved;
  if (spent === "nothing") return reserved.map(({ budget }) => ({ budget, amount: 0 }));
  const known = new Map(spent.map(({ budget, amount }) => [budget, amount]));
  return reserved.map(({ budget, amount }) => ({ budget, amount: known.get(budget) ?? amount }));
}

/** The change of each budget when these reservations are settled, without changes of 0. For adapters. */
export function settledChanges(settled: readonly KnownReservation[]): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const reservation of settled) {
    for (const [index, { budget, amount }] of amountsHeld(reservation).entries()) {
      const change = amount - (reservation.reserved[index]?.amount ?? 0);
      if (change !== 0) changes.set(budget, (changes.get(budget) ?? 0) + change);
    }
  }
  return changes;
}

function assertAmounts(key: string, amounts: readonly HeldAmount[]): void {
  for (const { amount } of amounts) assertWhole(key, amount);
  if (new Set(amounts.map(({ budget }) => budget)).size < amounts.length) {
    throw outOfBounds(`"${key}" names a budget twice; name each once.`);
  }
}

function assertWhole(key: string, amount: number): void {
  if (Number.isSafeInteger(amount) && amount >= 0) return;
  throw outOfBounds(`"${key}" has the amount ${amount}; give a whole number from 0 to ${maxTaken}.`);
}

function assertName(what: string, name: string): void {
  if (name.length >= 1 && name.length <= maxNameLength) return;
  throw outOfBounds(`${what} has ${name.length} characters; give it 1 to ${maxNameLength}.`);
}

function outOfBounds(message: string): ProcedoError {
  return new ProcedoError("invalid_input", message);
}
