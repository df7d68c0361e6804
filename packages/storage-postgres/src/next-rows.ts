import type { RunCommit } from "@procedo/storage";
import { isStorableCommit } from "@procedo/storage";
import { effectsOf } from "./commit-columns.ts";
import type { CommitAnswer } from "./commit-statement.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { changesOf, commitStatements, commitValues, storedItems } from "./postgres-commit.ts";
import type { HandedOverRun } from "./postgres-queue.ts";

/** Appends rows that resume runs, in the transaction of the decision or the result that notified them. */
export interface NextRows {
  /**
   * Appends the rows of runs that were waiting for nothing else, if they pass the checks of a commit.
   *
   * @returns the runs that resume
   */
  append(
    tx: Transaction,
    woken: readonly HandedOverRun[],
    notified: readonly NotifiedRun[],
  ): Promise<ReadonlySet<string>>;
}

/** A notified run, with the row that follows from the notification. */
export interface NotifiedRun {
  readonly runId: string;
  readonly next?: RunCommit;
}

export function nextRows({ database, nowMs }: PostgresContext): NextRows {
  const statements = commitStatements(database.schema);
  return {
    async append(tx, woken, notified) {
      const withOneUnread = new Set(woken.flatMap((run) => (run.unread === 1 ? [run.run_id] : [])));
      const rows = notified.flatMap(({ runId, next }) =>
        next?.runId === runId && withOneUnread.has(runId) && isNextRow(next) ? [next] : [],
      );
      if (rows.length === 0) return new Set();
      const append = statements.append(effectsOf(rows));
      const [answer] = await tx.query<CommitAnswer>(append, commitValues(append, rows, nowMs()));
      const stored = storedItems(rows, answer);
      for (const change of changesOf(stored, answer)) tx.announce(change);
      return new Set(stored.map(({ runId }) => runId));
    },
  };
}

/** A waiting run already exists, so its next row never creates one. */
const isNextRow = (row: RunCommit): boolean => row.create === undefined && isStorableCommit(row);
