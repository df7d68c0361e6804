import pg from "pg";
import type { ClientSupply } from "./client-supply.ts";
import { failureOf, stateOf } from "./postgres-error.ts";
import type { SqlValue, Statement } from "./statement.ts";
import { preparedNameOf } from "./statement.ts";
import { within } from "./within.ts";

/** Lends connections of a pool, and ends those that failed. */
export interface Connections {
  /**
   * Lends a connection to the work. Rejects with the error of the work or the driver, or with `storage_unavailable` at
   * the time limit, even if the work or the pool is still waiting.
   *
   * @param endsAt by `performance.now()`
   */
  use<T>(endsAt: number, work: (connection: Connection) => Promise<T>): Promise<T>;

  /** Must be called when the connections lead to the wrong server. Each is then ended instead of being lent again. */
  renew(): void;

  /** The error for a call that waited too long for other calls. */
  timedOut(): Error;
}

export interface Connection {
  query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Runs one or several statements without parameters. Returns the last statement's command and first value. */
  execute(sql: string): Promise<{ readonly command: string; readonly firstValue: unknown }>;
  /** Rolls the transaction back. If that fails, the connection is ended. */
  rollBack(): Promise<void>;
}

export interface ConnectionsOptions {
  readonly supply: ClientSupply;
  /** Whether a connection is one session, with lasting settings. `false` behind a transaction pooler. */
  readonly sessions: boolean;
  readonly timeoutMs: number;
}

const int8 = 20;

/** Reads bigint as a number: ours are times, counts and row numbers. */
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary"): unknown =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format),
};

export function createConnections({ supply, sessions, timeoutMs }: ConnectionsOptions): Connections {
  const preparedFor = new WeakMap<pg.PoolClient, number>();
  /** Increases when the connections are renewed. */
  let generation = 0;

  const setUp = sessionSettings(timeoutMs);

  async function acquire(endsAt: number): Promise<pg.PoolClient> {
    // A call with a long time limit, such as a migration, waits for its connection no longer than other calls.
    const lentBy = Math.min(endsAt, performance.now() + timeoutMs);
    for (;;) {
      const client = await supply.take(lentBy);
      const prepared = preparedFor.get(client);
      if (prepared === undefined || prepared === generation) return client;
      supply.giveBack(client, true);
    }
  }

  async function prepare(client: pg.PoolClient, endsAt: number): Promise<void> {
    if (preparedFor.has(client)) return;
    if (sessions) await within(endsAt, timeoutMs, client.query(setUp));
    preparedFor.set(client, generation);
  }

  function renew(): void {
    generation++;
  }

  return {
    renew,
    timedOut: () => supply.timedOut(),

    async use(endsAt, work) {
      const client = await acquire(endsAt);
      let lost: unknown;
      // Without a listener, a connection error between two queries would end the process.
      const onError = (error: unknown): void => void (lost ??= error);
      client.on("error", onError);
      try {
        await prepare(client, endsAt);
        return await work(connectionOf(client, endsAt));
      } catch (error) {
        const failure = failureOf(error);
        if (failure === "read_only") renew();
        if (failure === "read_only" || failure === "unavailable") lost ??= error;
        throw error;
      } finally {
        supply.giveBack(client, lost !== undefined);
        client.removeListener("error", onError);
      }
    },
  };

  function connectionOf(client: pg.PoolClient, endsAt: number): Connection {
    return {
      async query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]> {
        const { text } = statement;
        const named = sessions ? { name: preparedNameOf(statement) } : {};
        const query = client.query<Row & pg.QueryResultRow>({ ...named, text, values: [...values], types });
        try {
          return (await within(endsAt, timeoutMs, query)).rows;
        } catch (error) {
          // The statement was interrupted while it was sent: the driver considers it prepared, the server does not.
          if (stateOf(error) === undefined) client.emit("error", error);
          throw error;
        }
      },

      async execute(sql) {
        const answer: unknown = await within(endsAt, timeoutMs, client.query<pg.QueryResultRow>(sql));
        const results: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
        const last = results.at(-1) as pg.QueryResult<Record<string, unknown>>;
        return { command: last.command, firstValue: Object.values(last.rows[0] ?? {})[0] };
      },

      async rollBack() {
        try {
          await within(endsAt, timeoutMs, client.query("ROLLBACK"));
        } catch {
          client.emit("error", new Error("ROLLBACK failed"));
        }
      },
    };
  }
}

/**
 * The settings of a session, in one message.
 *
 * A connection makes each plan once, often while tables are still small. Nested loops over indexes stay right when
 * tables grow; sequential scans do not. A scan of a queue's index skips and marks entries that have left the queue,
 * whereas a bitmap scan reads all of them each time. A query without an index gets an absurd cost estimate under these
 * settings, which made servers before 18 compile it for seconds; `jit = off` prevents that.
 *
 * Acknowledged commits are on disk, even if the default of the database differs. A transaction of a process that hangs
 * releases its locks.
 */
function sessionSettings(timeoutMs: number): string {
  return [
    "SET plan_cache_mode = force_generic_plan",
    "SET enable_seqscan = off",
    "SET enable_bitmapscan = off",
    "SET enable_hashjoin = off",
    "SET enable_mergejoin = off",
    "SET jit = off",
    `SET statement_timeout = ${timeoutMs}`,
    `SET idle_in_transaction_session_timeout = ${timeoutMs}`,
    // Overrides an operator's setting, which may be shorter than a migration or a permitted wait.
    "SET lock_timeout = 0",
    "SELECT set_config('transaction_timeout', '0', false) WHERE current_setting('transaction_timeout', true) IS NOT NULL",
    // With `off`, `NULL` in an array would be read as text.
    "SET array_nulls = on",
    "SET default_transaction_isolation = 'read committed'",
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')",
  ].join("; ");
}
