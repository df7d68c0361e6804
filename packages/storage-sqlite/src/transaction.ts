import type { DatabaseSync } from "node:sqlite";
import type { Change } from "@procedo/storage";
import type { SqliteFailure } from "./sqlite-error.ts";
import { failureOf } from "./sqlite-error.ts";

/** The interface of a transaction for the work of a write. */
export interface WriteTurn {
  /** Emits the change to listeners after the commit. */
  announce(change: Change): void;

  /** Runs a part that may fail alone: its writes are then undone, and the rest of the work continues. */
  part<T>(work: () => T): PartResult<T>;
}

export type PartResult<T> =
  { readonly done: true; readonly value: T } | { readonly done: false; readonly error: unknown };

export type TransactionResult<T> =
  | { readonly committed: true; readonly results: readonly PartResult<T>[]; readonly changes: readonly Change[] }
  | { readonly committed: false; readonly failure: SqliteFailure; readonly error: unknown };

/** Runs several pieces of work in one transaction. */
export interface Transactor {
  run<T>(works: readonly ((turn: WriteTurn) => T)[]): TransactionResult<T>;
}

export interface TransactionListener {
  /** Called before each commit. @throws an error that prevents the commit */
  committing(): void;
  /** Called after a rollback: rows that were inserted since the last commit are gone. */
  rolledBack(): void;
}

export function createTransactor(db: DatabaseSync, listener: TransactionListener): Transactor {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");

  function attempt<T>(works: readonly ((turn: WriteTurn) => T)[], apart: boolean): TransactionResult<T> {
    const changes: Change[] = [];

    function part<U>(work: () => U): PartResult<U> {
      if (!apart) return { done: true, value: work() };
      const announced = changes.length;
      db.exec("SAVEPOINT part");
      try {
        const value = work();
        db.exec("RELEASE part");
        return { done: true, value };
      } catch (error) {
        if (failureOf(error) !== "statement") throw error;
        db.exec("ROLLBACK TO part; RELEASE part");
        listener.rolledBack();
        changes.length = announced;
        return { done: false, error };
      }
    }

    const turn: WriteTurn = { announce: (change) => void changes.push(change), part };
    try {
      begin.run();
      const results = works.map((work) => part(() => work(turn)));
      listener.committing();
      commit.run();
      return { committed: true, results, changes };
    } catch (error) {
      rollBack(db);
      listener.rolledBack();
      return { committed: false, failure: failureOf(error), error };
    }
  }

  return {
    run(works) {
      // Statements rarely fail, so the first attempt uses no savepoints. If a statement fails, everything is rolled
      // back and repeated with a savepoint for each part, so that only the failing part fails.
      const together = attempt(works, false);
      return together.committed || together.failure !== "statement" ? together : attempt(works, true);
    },
  };
}

function rollBack(db: DatabaseSync): void {
  try {
    // SQLite rolls back by itself after a full disk and some I/O errors.
    if (db.isTransaction) db.exec("ROLLBACK");
  } catch {
    // The caller reports the error that led to this rollback. The next transaction fails and rolls back again.
  }
}
