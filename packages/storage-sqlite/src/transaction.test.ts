import { DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";
import { beforeEach, describe, expect, it } from "vitest";
import type { Transactor } from "./transaction.ts";
import { createTransactor } from "./transaction.ts";

describe("a transaction with several pieces of work", () => {
  let db: DatabaseSync;
  let transactor: Transactor;
  let rollbacks: number;

  beforeEach(() => {
    db = new DatabaseSync(":memory:");
    db.exec("CREATE TABLE numbers (number INTEGER PRIMARY KEY CHECK (number > 0))");
    rollbacks = 0;
    transactor = createTransactor(db, {
      committing: () => {},
      rolledBack: () => (rollbacks += 1),
    });
  });

  const insert = (number: number): void => void db.prepare("INSERT INTO numbers VALUES (?)").run(number);
  const numbers = (): readonly unknown[] =>
    db
      .prepare("SELECT number FROM numbers ORDER BY number")
      .all()
      .map(({ number }) => number);

  it("commits all results together", () => {
    const result = transactor.run([() => insert(1), () => insert(2)]);
    expect(result).toMatchObject({ committed: true, results: [{ done: true }, { done: true }] });
    expect(numbers()).toEqual([1, 2]);
    expect(rollbacks).toBe(0);
  });

  it("undoes only the failed work and its announcements", () => {
    const failing = (): void => {
      insert(2);
      insert(-1);
    };
    const result = transactor.run([
      (turn) => {
        turn.announce({ type: "deliverable" });
        insert(1);
      },
      (turn) => {
        turn.announce({ type: "claimable" });
        failing();
      },
      () => insert(3),
    ]);
    expect(result).toMatchObject({
      committed: true,
      results: [{ done: true }, { done: false }, { done: true }],
      changes: [{ type: "deliverable" }],
    });
    expect(numbers()).toEqual([1, 3]);
    expect(rollbacks).toBeGreaterThan(0);
  });

  it("undoes only the part that failed", () => {
    const result = transactor.run([
      (turn) => [
        turn.part(() => insert(1)).done,
        turn.part(() => {
          insert(2);
          throw new ProcedoError("internal", "No.");
        }).done,
        turn.part(() => insert(3)).done,
      ],
    ]);
    expect(result).toMatchObject({ committed: true, results: [{ done: true, value: [true, false, true] }] });
    expect(numbers()).toEqual([1, 3]);
  });

  it("rolls everything back when the disk fails, and can be used again", () => {
    const broken = (): never => {
      throw Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 778 });
    };
    const result = transactor.run([() => insert(1), broken]);
    expect(result).toMatchObject({ committed: false, failure: "unavailable" });
    expect(db.isTransaction).toBe(false);
    expect(numbers()).toEqual([]);
    expect(transactor.run([() => insert(1)])).toMatchObject({ committed: true });
  });

  it("leaves no transaction open when the commit itself fails", () => {
    db.exec("PRAGMA foreign_keys = ON");
    db.exec("CREATE TABLE owners (number REFERENCES numbers DEFERRABLE INITIALLY DEFERRED)");
    const result = transactor.run([() => db.exec("INSERT INTO owners VALUES (7)")]);
    expect(result).toMatchObject({ committed: false });
    expect(db.isTransaction).toBe(false);
    expect(transactor.run([() => insert(1)])).toMatchObject({ committed: true });
  });

  it("recovers from a transaction that was left open", () => {
    db.exec("BEGIN");
    expect(transactor.run([() => insert(1)])).toMatchObject({ committed: true });
    expect(numbers()).toEqual([1]);
  });
});
