import type { Change, RunCommit } from "@procedo/storage";
import { isStorableCommit } from "@procedo/storage";
import { columnValues, partsOf } from "./commit-columns.ts";
import type { CommitStatement, CommitVerdict, Placed } from "./commit-statement.ts";
import { commitStatement } from "./commit-statement.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { resultOf } from "./postgres-commit.ts";
import type { HandedRun } from "./postgres-queue.ts";

/** The rows with which runs go on that were told of a decision or a result, in the same transaction. */
export interface NextRows {
  /**
   * Appends those of runs that were waiting for nothing else, as far as the rules of a commit take them.
   *
   * @returns the runs that went on
   */
  append(tx: Transaction, handed: readonly HandedRun[], told: readonly ToldRun[]): Promise<ReadonlySet<string>>;
}

/** A run that was told of something, and the row that follows from it. */
export interface ToldRun {
  readonly runId: string;
  readonly next?: RunCommit;
}

export function nextRows({ database, nowMs }: PostgresContext): NextRows {
  const statements = new Map<string, CommitStatement>();

  function statementFor(rows: readonly RunCommit[]): CommitStatement {
    const parts = partsOf(rows);
    const name = parts.join();
    const known = statements.get(name) ?? commitStatement(database.schema, parts);
    statements.set(name, known);
    return known;
  }

  return {
    async append(tx, handed, told) {
      const waitedForOne = new Set(handed.flatMap((run) => (run.unread === 1 ? [run.run_id] : [])));
      const rows = told.flatMap(({ runId, next }) =>
        next?.runId === runId && waitedForOne.has(runId) && isGoingOn(next) ? [next] : [],
      );
      if (rows.length === 0) return new Set();
      const commit = statementFor(rows);
      const values = [...columnValues(commit.columns, rows), nowMs()];
      const verdicts = await tx.query<CommitVerdict & Placed>(commit, values);
      const changes: Change[] = [];
      const wentOn = new Set<string>();
      for (const verdict of verdicts) {
        const row = rows[verdict.ord - 1];
        if (row !== undefined && resultOf(row, verdict, changes)?.status === "committed") wentOn.add(row.runId);
      }
      for (const change of changes) tx.announce(change);
      return wentOn;
    },
  };
}

/** A run that waits was created long ago. */
const isGoingOn = (row: RunCommit): boolean => row.create === undefined && isStorableCommit(row);
