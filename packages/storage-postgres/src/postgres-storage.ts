import { checkOptionNames, kindOf, ProcedoError, quotedValue, type OptionNames } from "@procedo/contract";
import type {
  AuditStore,
  BudgetStore,
  Change,
  ChangeFeed,
  DeliveryStore,
  InboxStore,
  InvocationStore,
  ProcedureStore,
  RecordStore,
  RetentionStore,
  ReviewStore,
  RunStore,
  SessionStore,
  Storage,
  TriggerStore,
  WorkerStore,
} from "@procedo/storage";
import { createChangeFeed } from "@procedo/storage";
import pg from "pg";
import { createAnnouncer } from "./announcer.ts";
import { checkDatabase } from "./check-database.ts";
import { checkSessions, processSql, type AskProcess } from "./check-sessions.ts";
import { createClientSupply } from "./client-supply.ts";
import { createConnections, type Connection } from "./connections.ts";
import type { PostgresContext } from "./context.ts";
import { createDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { openNotifications, type Notifications } from "./listen-notify.ts";
import { postgresAudit } from "./postgres-audit.ts";
import { postgresDeliveries } from "./postgres-deliveries.ts";
import { postgresBudgets } from "./postgres-budgets.ts";
import { procedoErrorOf } from "./postgres-error.ts";
import { postgresInbox } from "./postgres-inbox.ts";
import { postgresInvocations } from "./postgres-invocations.ts";
import { postgresProcedures } from "./postgres-procedures.ts";
import { postgresQueue } from "./postgres-queue.ts";
import { postgresRecords } from "./postgres-records.ts";
import { postgresRetention } from "./postgres-retention.ts";
import { postgresReviews } from "./postgres-reviews.ts";
import { postgresRuns } from "./postgres-runs.ts";
import { postgresSessions } from "./postgres-sessions.ts";
import { postgresTriggers } from "./postgres-triggers.ts";
import { postgresWorkers } from "./postgres-workers.ts";

/** Options of {@link PostgresStorage}. */
export interface PostgresStorageOptions {
  /**
   * The current time in milliseconds since the epoch. Determines which runs are claimable and which leases have ended.
   *
   * @defaultValue the clock of the database, so that nodes with different clocks agree on leases
   */
  readonly now?: () => number;
  /**
   * The schema that holds every table. It is created if it does not exist. At most 63 bytes.
   *
   * @defaultValue `"procedo"`
   */
  readonly schema?: string;
  /**
   * Whether the connections are sessions of their own. Nodes then notify each other of changes by LISTEN and NOTIFY,
   * and statements are prepared. Set `false` behind a transaction pooler, and for a database without NOTIFY: nodes then
   * check for changes every `pollMs`.
   *
   * @defaultValue true
   */
  readonly notify?: boolean;
  /**
   * The interval of checks for changes by other nodes, in milliseconds. With `notify`, the checks catch lost
   * notifications.
   *
   * @defaultValue 1000 with `notify`, 250 without
   */
  readonly pollMs?: number;
  /**
   * Whether to migrate an older database. Set `false` for a command that works beside running nodes.
   *
   * @defaultValue true
   */
  readonly migrate?: boolean;
  /**
   * The time limit of any call, in milliseconds, including the wait for a connection. The call then fails with
   * `storage_unavailable`.
   *
   * @defaultValue 4000
   */
  readonly timeoutMs?: number;
  /**
   * Called once with each finding about the database and its connections that an operator should know. Messages never
   * contain a payload or a secret.
   *
   * @defaultValue none
   */
  readonly warn?: (message: string) => void;
}

const optionNames = {
  now: true,
  schema: true,
  notify: true,
  pollMs: true,
  migrate: true,
  timeoutMs: true,
  warn: true,
} satisfies OptionNames<PostgresStorageOptions>;

/**
 * Stores all data in one Postgres database, for any number of nodes. A commit is on the server's disk when its promise
 * resolves.
 *
 * @example
 * ```ts
 * import { PostgresStorage } from "@procedo/storage-postgres";
 *
 * const storage = await PostgresStorage.connect("postgresql://procedo@db.internal/procedo");
 * ```
 */
export class PostgresStorage implements Storage {
  /** Version of the database's schema: the number of its migrations. */
  readonly schemaVersion: number = migrations.length;
  /** Runs, their journals, and the queue of claimable runs. */
  readonly runs: RunStore;
  /** Notifications to runs from anyone but their owners. */
  readonly inbox: InboxStore;
  /** Reviews and their decisions. */
  readonly reviews: ReviewStore;
  /** Calls of functions that clients of private connections execute. */
  readonly invocations: InvocationStore;
  /** Sums, budgets and the amounts reserved of them. */
  readonly budgets: BudgetStore;
  /** Heartbeats of workers, and the runs that they own. */
  readonly workers: WorkerStore;
  /** Deliveries of events to webhooks, and the queue of those that are due. */
  readonly deliveries: DeliveryStore;
  /** Incoming events, the schedules of triggers, and their firings. */
  readonly triggers: TriggerStore;
  /** Published versions, and the default version of each environment. */
  readonly procedures: ProcedureStore;
  /** Small records that people manage: connections, webhooks, keys. */
  readonly records: RecordStore;
  /** Sessions of people, and failed sign-ins. */
  readonly sessions: SessionStore;
  /** The chain of the workspace's changes. */
  readonly audit: AuditStore;
  /** Removal of archived and expired data. */
  readonly retention: RetentionStore;

  readonly #feed: ChangeFeed;
  readonly #end: () => Promise<void>;

  private constructor(context: PostgresContext, feed: ChangeFeed, end: () => Promise<void>) {
    if ((feed as unknown) === undefined) {
      const message = "A PostgresStorage cannot be created with new. Write await PostgresStorage.connect(url).";
      throw new ProcedoError("invalid_configuration", message);
    }
    const queue = postgresQueue(context);
    this.runs = postgresRuns(context, queue);
    this.inbox = postgresInbox(context, queue);
    this.reviews = postgresReviews(context, queue);
    this.invocations = postgresInvocations(context, queue);
    this.budgets = postgresBudgets(context);
    this.workers = postgresWorkers(context);
    this.deliveries = postgresDeliveries(context);
    this.triggers = postgresTriggers(context);
    this.procedures = postgresProcedures(context);
    this.records = postgresRecords(context);
    this.sessions = postgresSessions(context);
    this.audit = postgresAudit(context);
    this.retention = postgresRetention(context);
    this.#feed = feed;
    this.#end = end;
  }

  /**
   * Creates a pool, and ends it when the storage is closed.
   *
   * @param options `poolSize`: the number of connections besides the one that listens, default 10
   * @throws ProcedoError as `open` does
   */
  static async connect(
    url: string,
    options: PostgresStorageOptions & { readonly poolSize?: number } = {},
  ): Promise<PostgresStorage> {
    checkOptionNames("PostgresStorage.connect", { ...optionNames, poolSize: true }, options, "invalid_configuration");
    checkAddress(url);
    checkSettings(options);
    const { poolSize: max = 10, ...others } = options;
    const connectionTimeoutMillis = others.timeoutMs ?? 4_000;
    const pool = new pg.Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      fallback_application_name: "procedo",
    });
    // The listeners are never removed: connections end a little later than their pool.
    pool.on("error", ignore);
    pool.on("connect", ignoreErrors);
    return PostgresStorage.#open(pool, others, () => pool.end());
  }

  /**
   * Uses a pool that the caller creates and ends. With `notify`, settings of its connections are changed, so the pool
   * must not have other users. Set its `connectionTimeoutMillis`, so that an unresponsive server does not occupy its
   * connections.
   *
   * @throws ProcedoError `invalid_configuration` when the schema is not Procedo's, is newer than this program, or is older
   * and `migrate` is false; when the database's encoding is not UTF-8, the server is too old, or, with `notify`, a
   * pooler assigns connections per transaction; `storage_unavailable` when the database cannot be used at the moment,
   * and, unless `migrate` is false, when it is read-only
   */
  static async open(options: PostgresStorageOptions & { readonly pool: pg.Pool }): Promise<PostgresStorage> {
    checkOptionNames("PostgresStorage.open", { ...optionNames, pool: true }, options, "invalid_configuration");
    const { pool, ...others } = options;
    if (typeof (pool as Partial<pg.Pool> | undefined)?.connect !== "function") {
      const message = `PostgresStorage.open was given ${kindOf(pool)} as pool. Give a Pool of the package pg.`;
      throw new ProcedoError("invalid_configuration", message);
    }
    checkSettings(others);
    pool.on("error", ignore);
    pool.on("connect", ignoreErrors);
    const leave = (): void => void pool.removeListener("error", ignore).removeListener("connect", ignoreErrors);
    return PostgresStorage.#open(pool, others, async () => leave());
  }

  static async #open(
    pool: pg.Pool,
    options: PostgresStorageOptions,
    leavePool: () => Promise<void>,
  ): Promise<PostgresStorage> {
    const { now, notify: sessions = true, timeoutMs = 4_000, warn = () => undefined } = options;
    const { pollMs = sessions ? 1_000 : 250 } = options;
    const feed = createChangeFeed();
    let notifications: Notifications | undefined;
    try {
      const schema = quoted(options.schema ?? "procedo");
      const onLimit = (given: number): void => warn(fewerConnections(given, pool.options.max));
      const supply = createClientSupply({ pool, timeoutMs, onLimit });
      // No setting is changed on a connection before the check that it is a session of its own.
      const unset = createConnections({ supply, sessions: false, timeoutMs });
      const once = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
        unset.use(performance.now() + timeoutMs, work);
      await once((connection) => checkDatabase(connection, { sessions, beside: options.migrate === false, warn }));
      const connections = createConnections({ supply, sessions, timeoutMs });
      if (sessions) {
        notifications = await openNotifications({
          connection: pool.options,
          schema,
          onChange: (change) => feed.emit(change),
          onReadOnly: () => connections.renew(),
          check: async (client) => {
            const askProcess = processOfClient(client);
            // An unserved connection, as behind a full pooler, must not occupy a connection of the pool during the
            // check.
            await askProcess();
            await once((connection) => checkSessions(processOf(connection), askProcess));
          },
          onNoConnection: () => supply.spare(),
          pollMs,
          timeoutMs,
        });
      }
      await migrate(connections, schema, migrations, options.migrate ?? true);
      // Notifications may be lost, or are not there at all.
      const poll = setInterval(() => {
        feed.emit(notifications?.isListening() === true ? { type: "resync", isTimed: true } : { type: "resync" });
      }, pollMs);
      poll.unref();

      const { announce, flush } = createAnnouncer({
        emit: (change) => feed.emit(change),
        send: (changes) => notifications?.send(changes),
      });
      const database = createDatabase({ schema, connections, now, timeoutMs, sessions, announce });
      const context: PostgresContext = { database, nowMs: () => now?.() ?? null, announce };
      return new PostgresStorage(context, feed, async () => {
        clearInterval(poll);
        flush();
        await atMost(timeoutMs, Promise.all([notifications?.close(), leavePool()]));
      });
    } catch (error) {
      await notifications?.close();
      await leavePool();
      throw procedoErrorOf(error);
    }
  }

  watch(listener: (change: Change) => void): () => void {
    return this.#feed.watch(listener);
  }

  close(): Promise<void> {
    return this.#end();
  }
}

/** The maximum delay of a timer; a longer one would fire immediately. */
const maxSetting = 2 ** 31 - 1;

/** The pool has already dropped an idle connection that breaks. Without a listener, its error would end the process. */
function ignore(): void {}

/**
 * A server can end a new connection in its first packet. No caller has the connection yet, and its error without a
 * listener would end the process. The first query on the connection fails.
 */
function ignoreErrors(client: pg.PoolClient): void {
  client.on("error", ignore);
}

/** Limits the wait for connections to end: an unresponsive server does not confirm it. */
async function atMost(timeoutMs: number, closing: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([closing, late]).finally(() => clearTimeout(timer));
}

function processOf(connection: Connection): AskProcess {
  return async () => Number((await connection.execute(processSql)).firstValue);
}

function processOfClient(client: pg.Client): AskProcess {
  return async () => (await client.query<{ pid: number }>(processSql)).rows[0]?.pid ?? 0;
}

function fewerConnections(given: number, wanted: number): string {
  return (
    `The database allows ${given} of the ${wanted} connections of the pool, so requests wait for a free one. ` +
    "Raise max_connections, the CONNECTION LIMIT of the role or the database, or the size of the pooler between them, or " +
    "reduce the size of the pool."
  );
}

/** Messages do not quote the address, which may contain a password. */
function checkAddress(url: unknown): void {
  if (typeof url === "string" && URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return;
  const given = typeof url === "string" ? "an invalid one" : kindOf(url);
  const message = `PostgresStorage.connect takes a connection string, and was given ${given}. Write postgresql://user@host/database.`;
  throw new ProcedoError("invalid_configuration", message);
}

function checkSettings(options: PostgresStorageOptions & { readonly poolSize?: number }): void {
  const { pollMs, timeoutMs, poolSize, now, warn } = options;
  for (const [name, value] of Object.entries({ pollMs, timeoutMs, poolSize })) {
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= maxSetting)) continue;
    throw invalid(`The option ${name} is ${quotedValue(value)}. Give a whole number from 1 to ${maxSetting}.`);
  }
  for (const [name, value] of Object.entries({ now, warn })) {
    if (value === undefined || typeof value === "function") continue;
    throw invalid(`The option ${name} is ${kindOf(value)}. Give a function.`);
  }
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}

function quoted(schema: unknown): string {
  if (typeof schema !== "string") {
    throw invalid(`The option schema is ${kindOf(schema)}. Give the name of a schema, of 1 to 63 bytes.`);
  }
  if (schema === "" || schema.includes("\0") || Buffer.byteLength(schema) > 63) {
    throw new ProcedoError(
      "invalid_configuration",
      `"${schema}" is not a valid schema name. Give a name of 1 to 63 bytes.`,
    );
  }
  return pg.escapeIdentifier(schema);
}
