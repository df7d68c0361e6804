import pg from "pg";
import type { ClientSupply } from "./client-supply.ts";
import { failureOf, stateOf } from "./postgres-error.ts";
import type { SqlValue, Statement } from "./statement.ts";
import { preparedNameOf } from "./statement.ts";
import { within } from "./within.ts";

/** Lends connections of a pool and throws away those that failed. */
export interface Connections {
  /**
   * Lends a connection for the work. Rejects with what the work or the driver threw, and with `storage_unavailable` when
   * the time is up, whatever the work or the pool then waits for.
   *
   * @param endsAt by `performance.now()`
   */
  use<T>(endsAt: number, work: (connection: Connection) => Promise<T>): Promise<T>;

  /** The server that the connections lead to is the wrong one by now: each is thrown away instead of being lent again. */
  renew(): void;

  /** Why a call that waited for others has taken too long. */
  timedOut(): Error;
}

export interface Connection {
  query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** SQL without parameters, several statements at once; answers with the last one's command and value. */
  execute(sql: string): Promise<{ readonly command: string; readonly firstValue: unknown }>;
  /** Ends the transaction. A connection that cannot even do that is thrown away. */
  rollBack(): Promise<void>;
}

export interface ConnectionsOptions {
  readonly supply: ClientSupply;
  /** Whether a connection is one session: statements are prepared, and settings last. Not behind a transaction pooler. */
  readonly sessions: boolean;
  readonly timeoutMs: number;
}

const int8 = 20;

/** bigint comes as a number; all of ours are times, counts and numbers of rows. */
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary"): unknown =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format),
};

export function createConnections({ supply, sessions, timeoutMs }: ConnectionsOptions): Connections {
  const preparedFor = new WeakMap<pg.PoolClient, number>();
  /** Rises when the connections are renewed. */
  let generation = 0;

  const setUp = sessionSettings(timeoutMs);

  async function lend(endsAt: number): Promise<pg.PoolClient> {
    // A call that may take long, as a migration, waits for its connection no longer than any other.
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
      const client = await lend(endsAt);
      let lost: unknown;
      // Without a listener, a connection that breaks between two queries would end the process.
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
          // One that was broken off while it was being sent: the driver takes it for prepared, the server does not.
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
 * A session's settings, in one message. Plans are made once for each connection, and often while tables are small still:
 * nested loops over indexes are right then and later, sequential scans are not. A scan of a queue's index passes over what
 * has left the queue and marks it, a bitmap scan meets all of it each time. (What has no index costs an absurd sum then, in
 * servers before 18 enough to have it compiled for seconds.) Commits that are acknowledged are on
 * disk, whatever the database's default is. A transaction whose process stands still gives its locks back.
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
    // Of an operator's, which may be shorter than a migration or a wait that is allowed.
    "SET lock_timeout = 0",
    "SELECT set_config('transaction_timeout', '0', false) WHERE current_setting('transaction_timeout', true) IS NOT NULL",
    // Or `NULL` in an array is a word.
    "SET array_nulls = on",
    "SET default_transaction_isolation = 'read committed'",
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')",
  ].join("; ");
}
