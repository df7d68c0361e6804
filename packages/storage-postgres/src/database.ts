import type { Change, TimeLimit } from "@procedo/storage";
import { ProcedoError } from "@procedo/contract";
import type { Connection, Connections } from "./connections.ts";
import { failureOf, procedoErrorOf } from "./postgres-error.ts";
import type { SqlValue, Statement } from "./statement.ts";

export type { SqlValue, Statement } from "./statement.ts";

/** The database as the stores see it: whatever fails is a `ProcedoError`, and nothing takes longer than the time limit. */
export interface Database {
  /** Quoted; `${schema}.runs` is a table. */
  readonly schema: string;

  /** How long a call may take, with everything that it waits for. */
  readonly timeLimit: TimeLimit;

  /**
   * One statement outside a transaction. What surely did not happen is tried again.
   *
   * @throws ProcedoError `storage_unavailable`, after which nothing is known of a write
   */
  query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;

  /**
   * A READ COMMITTED transaction. The work may run more than once: it changes nothing but the database. What it throws
   * rolls back.
   *
   * @throws ProcedoError `storage_unavailable`, after which nothing is known of the transaction
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

export interface Transaction {
  /** Rejects with the driver's error, which leaves the transaction of no use but to be rolled back. */
  query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;

  /** Told to this process's listeners and to the other nodes after the commit. */
  announce(change: Change): void;

  /** When the transaction began, by the injected clock or the database's. */
  readonly nowMs: number;
}

export interface DatabaseOptions {
  readonly schema: string;
  readonly connections: Connections;
  readonly now: (() => number) | undefined;
  /** How long a call may take, with everything that it waits for. */
  readonly timeoutMs: number;
  /** Whether the session's settings are ours; if not, each transaction brings its own. */
  readonly sessions: boolean;
  readonly announce: (changes: readonly Change[]) => void;
}

const databaseNow = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const longestPauseMs = 200;

export function createDatabase(options: DatabaseOptions): Database {
  const { schema, connections, now, timeoutMs, sessions, announce } = options;

  // One message: a transaction costs as many round trips as it has statements, and two.
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
    const begunMs = Number((await connection.execute(begin)).firstValue);
    const result = await work({
      query: (statement, values) => connection.query(statement, values),
      announce: (change) => void changes.push(change),
      nowMs: now?.() ?? begunMs,
    }).catch(async (error: unknown) => {
      await connection.rollBack();
      throw error;
    });
    // A transaction in which a statement failed ends with an answer that looks like success.
    const { command } = await connection.execute("COMMIT");
    if (command !== "COMMIT") throw new ProcedoError("internal", "The transaction had failed and was rolled back.");
    announce(changes);
    return result;
  }

  /** Runs it until it happened, surely may have happened, or the time is up. */
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
        // The address may lead to the new primary already; connections to the old one are thrown away.
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
