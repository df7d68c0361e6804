import type { Change, GroupCommitTimeLimit } from "@procedo/storage";
import { ProcedoError } from "@procedo/contract";
import type { Connection, Connections } from "./connections.ts";
import { failureOf, procedoErrorOf } from "./postgres-error.ts";
import type { SqlValue, Statement } from "./statement.ts";

export type { SqlValue, Statement } from "./statement.ts";

/** The interface of the database for the stores. Every failure is a `ProcedoError`, and every call has a time limit. */
export interface Database {
  /** The quoted name of the schema; `${schema}.runs` is a table. */
  readonly schema: string;

  /** The time limit of a call, including all of its waits. */
  readonly timeLimit: GroupCommitTimeLimit;

  /**
   * Runs one statement outside a transaction. Repeats it if it certainly had no effect.
   *
   * @throws ProcedoError `storage_unavailable`, after which it is unknown whether a write was committed
   */
  query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;

  /**
   * Runs a READ COMMITTED transaction. The work may run more than once, so it must change only the database. An error
   * of the work rolls the transaction back.
   *
   * @throws ProcedoError `storage_unavailable`, after which it is unknown whether the transaction was committed
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

export interface Transaction {
  /** Rejects with the driver's error, after which the transaction can only be rolled back. */
  query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;

  /** Emits the change to this process's listeners and to the other nodes after the commit. */
  announce(change: Change): void;

  /** The start time of the transaction, by the injected clock or the database's. */
  readonly nowMs: number;
}

export interface DatabaseOptions {
  readonly schema: string;
  readonly connections: Connections;
  readonly now: (() => number) | undefined;
  /** The time limit of a call, including all of its waits. */
  readonly timeoutMs: number;
  /** Whether Procedo controls the settings of sessions. Otherwise each transaction sets its own. */
  readonly sessions: boolean;
  readonly announce: (changes: readonly Change[]) => void;
}

const databaseNow = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const longestPauseMs = 200;

export function createDatabase(options: DatabaseOptions): Database {
  const { schema, connections, now, timeoutMs, sessions, announce } = options;

  // One message: a transaction takes one round trip per statement, plus two.
  const begin = [
    "BEGIN ISOLATION LEVEL READ COMMITTED",
    ...(sessions
      ? []
      : [
          `SET LOCAL statement_timeout = ${timeoutMs}`,
          `SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs}`,
          "SET LOCAL enable_bitmapscan = off",
        ]),
    `SELECT ${databaseNow} AS now`,
  ].join("; ");

  async function attempt<T>(connection: Connection, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const changes: Change[] = [];
    const startedAtMs = Number((await connection.execute(begin)).firstValue);
    const result = await work({
      query: (statement, values) => connection.query(statement, values),
      announce: (change) => void changes.push(change),
      nowMs: now?.() ?? startedAtMs,
    }).catch(async (error: unknown) => {
      await connection.rollBack();
      throw error;
    });
    // After a failed statement, COMMIT rolls back and still reports success; only its command tag differs.
    const { command } = await connection.execute("COMMIT");
    if (command !== "COMMIT") throw new ProcedoError("internal", "The transaction had failed and was rolled back.");
    announce(changes);
    return result;
  }

  /** Repeats the work until it succeeded, its outcome is unknown, or the time is up. */
  async function repeat<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const endsAt = performance.now() + timeoutMs;
    let pauseMs = 1;
    let moved = false;
    for (;;) {
      try {
        return await connections.use(endsAt, work);
      } catch (error) {
        const failure = failureOf(error);
        const again = failure === "conflict" || (failure === "read_only" && !moved);
        if (!again || performance.now() + pauseMs >= endsAt) throw procedoErrorOf(error);
        // The address may already lead to the new primary. Connections to the old one are ended.
        moved ||= failure === "read_only";
        await pause(pauseMs * (0.5 + Math.random()));
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  }

  return {
    schema,
    timeLimit: { ms: timeoutMs, exceeded: () => connections.timedOut() },
    query: (statement, values) => repeat((connection) => connection.query(statement, values)),
    transaction: (work) => repeat((connection) => attempt(connection, work)),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
