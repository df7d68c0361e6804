import { ProcedoError } from "@procedo/contract";
import type { BudgetSettlement, BudgetStore, HeldAmount, KnownReservation } from "@procedo/storage";
import { amountsHeld, assertReservation, assertStorable, judgeReservation, settledChanges } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";

interface StoredReservation {
  readonly reservation: number;
  readonly amounts: string;
  readonly spent: string | null;
}

export function sqliteBudgets({ db, now, reader, writer, scopes }: SqliteContext): BudgetStore {
  const selectRun = prepare<{ run: number; ended: 0 | 1 }>(
    db,
    "SELECT run, ended_at_ms IS NOT NULL AS ended FROM runs WHERE run_id = ? AND scope = ?",
  );
  const selectReservation = prepare<StoredReservation>(db, selectByKey);
  const insertReservation = prepare(
    db,
    "INSERT INTO reservations (scope, reservation_key, run, amounts) VALUES (?, ?, ?, ?)",
  );
  const selectTaken = prepare<{ taken: number }>(db, "SELECT taken FROM budgets WHERE scope = ? AND name = ?");
  const add = prepare(
    db,
    `INSERT INTO budgets (scope, name, taken, reservations, reserved_at_ms) VALUES (?, ?, ?, 1, ?)
     ON CONFLICT (scope, name)
        DO UPDATE SET taken = taken + excluded.taken, reservations = reservations + 1, reserved_at_ms = excluded.reserved_at_ms`,
  );

  return {
    async reserve(request) {
      assertStorable(request);
      assertReservation(request);
      const { key, runId, amounts } = request;
      return writer.write(() => {
        const scope = scopes.find(request.scope);
        const run = scope === undefined ? undefined : selectRun.get(runId, scope);
        if (scope === undefined || run === undefined) {
          throw new ProcedoError("internal", `Run "${runId}" is not stored; a run reserves after its first row.`);
        }
        const known = selectReservation.get(scope, key);
        if (known !== undefined) return { status: "reserved", amounts: amountsHeld(knownOf(known)) };
        if (run.ended === 1) return { status: "reserved", amounts: [] };
        const result = judgeReservation(amounts, (budget) => selectTaken.get(scope, budget)?.taken ?? 0);
        if (result.status === "exceeded") return result;
        insertReservation.run(scope, key, run.run, JSON.stringify(result.amounts));
        for (const { budget, amount } of amounts) add.run(scope, budget, amount, now());
        return result;
      });
    },

    async taken(scope, budgets) {
      assertStorable([scope, budgets]);
      return reader.snapshot(() => {
        const number = scopes.find(scope);
        return budgets.map((budget) => (number === undefined ? 0 : (selectTaken.get(number, budget)?.taken ?? 0)));
      });
    },
  };
}

/** Settles the reservations that a row of this run names, within a write. */
export type SettleAll = (scope: number, run: number, settlements: readonly BudgetSettlement[]) => void;

export function sqliteSettle({ db }: SqliteContext): SettleAll {
  const selectReservation = prepare<StoredReservation>(db, selectByKey);
  const settleOne = prepare(db, "UPDATE reservations SET spent = ? WHERE reservation = ?");
  const insertSettled = prepare(
    db,
    "INSERT INTO reservations (scope, reservation_key, run, amounts, spent) VALUES (?, ?, ?, '[]', ?)",
  );
  const change = prepare(db, "UPDATE budgets SET taken = taken + ? WHERE scope = ? AND name = ?");

  return (scope, run, settlements) => {
    const settled: KnownReservation[] = [];
    for (const { key, spent } of settlements) {
      const known = selectReservation.get(scope, key);
      if (known === undefined) insertSettled.run(scope, key, run, JSON.stringify(spent));
      else if (known.spent === null) {
        settleOne.run(JSON.stringify(spent), known.reservation);
        settled.push({ ...knownOf(known), spent });
      }
    }
    for (const [budget, amount] of settledChanges(settled)) change.run(amount, scope, budget);
  };
}

/** Removes unused reservations and budgets, within a write. */
export interface SqliteUnused {
  /** Deletes the reservations of an archived run. The amounts that they took remain taken. */
  removeReservations(run: number): void;

  /** Deletes budgets without reservations that were last used before `beforeMs`. Returns their number. */
  removeBudgets(scope: number, beforeMs: number, limit: number): number;
}

export function sqliteUnused({ db }: SqliteContext): SqliteUnused {
  const selectOfRun = prepare<{ scope: number; amounts: string }>(
    db,
    "SELECT scope, amounts FROM reservations WHERE run = ?",
  );
  const deleteOfRun = prepare(db, "DELETE FROM reservations WHERE run = ?");
  const leaveBudget = prepare(db, "UPDATE budgets SET reservations = reservations - 1 WHERE scope = ? AND name = ?");
  const deleteBudgets = prepare(
    db,
    `DELETE FROM budgets
      WHERE budget IN (SELECT budget FROM budgets INDEXED BY budgets_unused
                        WHERE reservations = 0 AND scope = ? AND reserved_at_ms < ? ORDER BY reserved_at_ms LIMIT +?)`,
  );

  return {
    removeReservations(run) {
      for (const { scope, amounts } of selectOfRun.all(run)) {
        for (const { budget } of amountsOf(amounts)) leaveBudget.run(scope, budget);
      }
      deleteOfRun.run(run);
    },

    removeBudgets: (scope, beforeMs, limit) => Number(deleteBudgets.run(scope, beforeMs, limit).changes),
  };
}

const selectByKey = "SELECT reservation, amounts, spent FROM reservations WHERE scope = ? AND reservation_key = ?";

function knownOf({ amounts, spent }: StoredReservation): KnownReservation {
  return {
    reserved: amountsOf(amounts),
    spent: spent === null ? undefined : (JSON.parse(spent) as BudgetSettlement["spent"]),
  };
}

function amountsOf(json: string): readonly HeldAmount[] {
  return JSON.parse(json) as readonly HeldAmount[];
}
