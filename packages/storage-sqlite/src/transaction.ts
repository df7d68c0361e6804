import type { DatabaseSync } from "node:sqlite";
import type { Change } from "@procedo/storage";
import type { SqliteFailure } from "./sqlite-error.ts";
import { failureOf } from "./sqlite-error.ts";

/** What the work of a write sees of its transaction. */
export interface WriteTurn {
  /** Told to the listeners after the commit. */
  announce(change: Change): void;

  /** Runs a part that may fail alone: what it wrote is undone then, and the rest of the work goes on. */
  part<T>(work: () => T): PartResult<T>;
}

export type PartResult<T> =
  { readonly done: true; readonly value: T } | { readonly done: false; readonly error: unknown };

export type TransactionResult<T> =
  | { readonly committed: true; readonly results: readonly PartResult<T>[]; readonly changes: readonly Change[] }
  | { readonly committed: false; readonly failure: SqliteFailure; readonly error: unknown };

/** Runs many pieces of work in one transaction. */
export interface Transactor {
  run<T>(works: readonly ((turn: WriteTurn) => T)[]): TransactionResult<T>;
}

export interface TransactionListener {
  /** A transaction is about to be committed. @throws what keeps it from that */
  committing(): void;
  /** Rows that were inserted since the last commit are gone. */
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
      // Nothing fails as a rule, so the first attempt does without savepoints. When a statement does fail, everything is
      // undone and done again with each part by itself, so that only the culprit fails.
      const together = attempt(works, false);
      return together.committed || together.failure !== "statement" ? together : attempt(works, true);
    },
  };
}

function rollBack(db: DatabaseSync): void {
  try {
    // SQLite has rolled back by itself after a full disk and some I/O errors.
    if (db.isTransaction) db.exec("ROLLBACK");
  } catch {
    // The error that led here is the one to report; the next transaction fails and rolls back again.
  }
}
