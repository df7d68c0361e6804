import type { Scope } from "./scope.ts";

/**
 * Sums that may not be exceeded, however many runs and nodes add to them at once. What is to be added is reserved before it
 * is spent, under the key of the effect that spends it; the journal row that tells what became of the effect settles it
 * (`RunCommit.settle`).
 *
 * Nobody creates a budget: it is what was added under its name. A reservation is stored until its run is archived, also
 * when it is settled. What it took stays taken, until `retention.removeExpired` forgets the budget.
 */
export interface BudgetStore {
  /**
   * Adds to several budgets at once.
   *
   * - It MUST add to all of them, or to none, and be durable when it answers.
   * - Whoever else reserves meanwhile, a budget has room when what is taken of it and the amount come to at most `atMost`.
   *   The first in the order of the request that has none MUST be told as `exceeded`, and nothing be remembered of the key:
   *   it may ask again.
   * - A key that was reserved before MUST be answered with what it holds, and add nothing, whatever it asks for now, also
   *   after it was settled. Whatever the amounts follow from has to be durable before they are asked for: who comes after a
   *   crash is given what was reserved then.
   * - A key that was settled before it was reserved, and a new one of a run that has ended, MUST be answered `reserved` with
   *   no amounts, and add nothing: whoever asks comes too late, and the next row that it writes is fenced.
   *
   * @throws ProcedoError `internal` when the run is not stored in this scope: what it reserved would be taken for ever
   * @throws ProcedoError `invalid_input` when the request is out of bounds, or when a budget without a limit would come to
   *   more than 2^53 - 1
   */
  reserve(request: Reservation): Promise<ReserveResult>;

  /** How much of each budget is taken, in the order of the names; 0 where nothing ever was. */
  taken(scope: Scope, budgets: readonly string[]): Promise<readonly number[]>;
}

/** Amounts that an effect takes of its budgets before it is made. */
export interface Reservation {
  readonly scope: Scope;
  /** Of the effect; one reservation of an environment has it. 1 to 512 characters. */
  readonly key: string;
  readonly runId: string;
  /** 1 to 40 budgets, each once. */
  readonly amounts: readonly BudgetAmount[];
}

/** An amount to be reserved of a budget, and the limit of its sum. */
export interface BudgetAmount {
  /** Names the budget within its environment. 1 to 512 characters. */
  readonly budget: string;
  /** A whole number, 0 to 2^53 - 1. */
  readonly amount: number;
  /** 0 to 2^53 - 1. `undefined`: added whatever the sum comes to, because a person said so. */
  readonly atMost: number | undefined;
}

/** The outcome of a reservation. */
export type ReserveResult =
  /**
   * What the key holds of each budget, in the order in which it was reserved first: what was reserved then or, once it is
   * settled, what was spent.
   */
  | { readonly status: "reserved"; readonly amounts: readonly HeldAmount[] }
  /** The first budget that has no room, and what is taken of it. */
  | { readonly status: "exceeded"; readonly budget: string; readonly taken: number };

/** An amount that a reservation holds of a budget. */
export interface HeldAmount {
  readonly budget: string;
  readonly amount: number;
}

/**
 * What a row knows of a reservation: takes its place in the budgets.
 *
 * - Each key MUST be settled once: the first settlement counts, whoever writes another.
 * - What was spent MUST count in the place of what was reserved, be it more or less, and whatever the limit.
 * - A key that nobody reserved MUST be settled all the same, so that a reservation that is still under way adds nothing when
 *   it arrives. Nothing is added for it.
 * - A row that would make a budget come to more than 2^53 - 1 MUST be `refused`.
 */
export interface BudgetSettlement {
  /** 1 to 512 characters. */
  readonly key: string;
  /**
   * What was really spent of the budgets of the reservation: nothing of any, or a whole number of each, 0 to 2^53 - 1. One
   * that is not named keeps what was reserved, and one that the reservation does not have is passed over.
   */
  readonly spent: "nothing" | readonly HeldAmount[];
}
