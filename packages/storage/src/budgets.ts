import type { Scope } from "./scope.ts";

/**
 * Sums that must not exceed a limit, however many runs and nodes add to them at once. An amount is reserved before it
 * is spent, under the key of the effect that spends it. The journal row with the outcome of the effect settles the
 * reservation (`RunCommit.settle`).
 *
 * A budget is not created: it is the sum of the amounts that were added under its name. A reservation, settled or not,
 * is stored until its run is archived. Its amounts stay in the budgets until `retention.removeExpired` removes the
 * budgets.
 */
export interface BudgetStore {
  /**
   * Adds to several budgets at once.
   *
   * - It MUST add to all of them, or to none, and the result MUST be durable when the promise resolves.
   * - A budget has room when its sum and the amount come to at most `atMost`, also under concurrent reservations. The
   *   first budget without room, in the order of the request, MUST be reported as `exceeded`. Nothing MUST then be
   *   stored for the key, which may be reserved later.
   * - A key that was reserved before, settled or not, MUST be answered with the amounts that it holds, and add nothing,
   *   whatever the request says. The caller MUST have stored the facts that determine the amounts before it reserves:
   *   after a crash, the next owner gets the amounts of the first reservation.
   * - A key that was settled before it was reserved, and a new key of a run that has ended, MUST be answered `reserved`
   *   with no amounts, and add nothing. The caller is too late, and its next row is fenced.
   *
   * @throws ProcedoError `internal` when the run is not stored in this scope: the amounts could never be released
   * @throws ProcedoError `invalid_input` when the request is out of bounds, or when a budget without a limit would
   *   exceed 2^53 - 1
   */
  reserve(request: Reservation): Promise<ReserveResult>;

  /** The sum of each budget, in the order of the names; 0 for a budget without reservations. */
  taken(scope: Scope, budgets: readonly string[]): Promise<readonly number[]>;
}

/** Amounts that an effect reserves of its budgets before it is executed. */
export interface Reservation {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** Key of the effect, unique within an environment. 1 to 512 characters. */
  readonly key: string;
  /** The run that reserves. */
  readonly runId: string;
  /** 1 to 40 budgets, each once. */
  readonly amounts: readonly BudgetAmount[];
}

/** An amount to reserve of a budget, and the budget's limit. */
export interface BudgetAmount {
  /** Names the budget within its environment. 1 to 512 characters. */
  readonly budget: string;
  /** A whole number, 0 to 2^53 - 1. */
  readonly amount: number;
  /** The limit, 0 to 2^53 - 1. `undefined`: no limit, because a person approved the amount. */
  readonly atMost: number | undefined;
}

/** The outcome of a reservation. */
export type ReserveResult =
  /**
   * The amounts that the key holds, in the order of its first reservation: those that were reserved or, once the
   * reservation is settled, those that were spent.
   */
  | {
      readonly status: "reserved";
      /** The amounts that the key holds. */
      readonly amounts: readonly HeldAmount[];
    }
  /** The first budget without room, and its sum. */
  | {
      readonly status: "exceeded";
      /** Name of the budget. */
      readonly budget: string;
      /** The sum that is taken of the budget, without this reservation. */
      readonly taken: number;
    };

/** An amount that a reservation holds of a budget. */
export interface HeldAmount {
  /** Name of the budget. */
  readonly budget: string;
  /** The amount, a whole number of at least 0. */
  readonly amount: number;
}

/**
 * Settles a reservation with a row: the amounts spent replace those reserved.
 *
 * - Each key MUST be settled once: the first settlement counts, and later ones change nothing.
 * - The amounts spent MUST replace those reserved, also if they are larger, and whatever the limit.
 * - A key without a reservation MUST be settled as well, and add nothing, so that a reservation that arrives later adds
 *   nothing either.
 * - A row that would make a budget exceed 2^53 - 1 MUST be `refused`.
 */
export interface BudgetSettlement {
  /** 1 to 512 characters. */
  readonly key: string;
  /**
   * The amounts actually spent: nothing of any budget, or a whole number of each, 0 to 2^53 - 1. A budget that is not
   * listed keeps the reserved amount; one that the reservation does not contain is ignored.
   */
  readonly spent: "nothing" | readonly HeldAmount[];
}
