import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
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
import { prepareConnection } from "./connection.ts";
import type { SqliteContext } from "./context.ts";
import { watchExternalChanges } from "./external-changes.ts";
import { sqliteResume } from "./resume-on-notification.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { watchOpenedFiles } from "./opened-files.ts";
import { createReader } from "./reader.ts";
import { createScopes } from "./scopes.ts";
import { sqliteAudit } from "./sqlite-audit.ts";
import { sqliteBudgets } from "./sqlite-budgets.ts";
import { sqliteCommit } from "./sqlite-commit.ts";
import { sqliteDeliveries } from "./sqlite-deliveries.ts";
import { sqliteEvents } from "./sqlite-events.ts";
import { failureOf, openingErrorOf, procedoErrorOf } from "./sqlite-error.ts";
import { sqliteFirings } from "./sqlite-firings.ts";
import { sqliteGates } from "./sqlite-gates.ts";
import { sqliteInbox, sqlitePosts } from "./sqlite-inbox.ts";
import { sqliteInvocations } from "./sqlite-invocations.ts";
import { sqliteProcedures } from "./sqlite-procedures.ts";
import { sqliteQueue } from "./sqlite-queue.ts";
import { sqliteRecords } from "./sqlite-records.ts";
import { sqliteRetention } from "./sqlite-retention.ts";
import { sqliteReviews } from "./sqlite-reviews.ts";
import { sqliteRunTriggers } from "./sqlite-run-triggers.ts";
import { sqliteRuns } from "./sqlite-runs.ts";
import { sqliteSessions } from "./sqlite-sessions.ts";
import { sqliteTriggers } from "./sqlite-triggers.ts";
import { sqliteWorkers } from "./sqlite-workers.ts";
import { createTransactor } from "./transaction.ts";
import type { Writer } from "./writer.ts";
import { createWriter } from "./writer.ts";

/** Options of {@link SqliteStorage}. */
export interface SqliteStorageOptions {
  /**
   * The current time in milliseconds since the epoch. Determines which runs are claimable and which leases have ended.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: () => number;
  /**
   * The longest wait of a write for a lock of another process, in milliseconds. The write then fails with
   * `storage_unavailable`.
   *
   * @defaultValue 4000
   */
  readonly lockWaitMs?: number;
  /**
   * The interval of checks for changes by other processes, in milliseconds; 0 disables the checks.
   *
   * @defaultValue 250
   */
  readonly pollMs?: number;
  /**
   * Whether to migrate an older database. Set `false` for a command that works beside a running server.
   *
   * @defaultValue true
   */
  readonly migrate?: boolean;
  /**
   * Called once, with instructions, when the database's file is removed, replaced or emptied while it is open; called
   * again only if the file was back in between. The file is checked before each commit and every `pollMs`. While the
   * file is lost, every call fails with `storage_unavailable`.
   *
   * @defaultValue none
   */
  readonly onFileLost?: (message: string) => void;
}

const optionNames = {
  now: true,
  lockWaitMs: true,
  pollMs: true,
  migrate: true,
  onFileLost: true,
} satisfies OptionNames<SqliteStorageOptions>;

/**
 * Stores all data in one SQLite file through `node:sqlite`, in WAL mode. A commit is on disk when its promise resolves.
 * Several processes on one machine may use the file at the same time.
 *
 * @example
 * ```ts
 * import { SqliteStorage } from "@procedo/storage-sqlite";
 *
 * const storage = await SqliteStorage.open({ path: "./procedo.sqlite" });
 * ```
 */
export class SqliteStorage implements Storage {
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

  readonly #feed: ChangeFeed = createChangeFeed();
  readonly #writer: Writer;
  readonly #stopWatching: () => void;
  #opened: DatabaseSync | undefined;

  /**
   * Uses a connection that the caller opens and closes, and uses for nothing else. Sets its pragmas (WAL, `synchronous`
   * FULL, `foreign_keys`, no busy timeout) and migrates the schema.
   *
   * @throws ProcedoError `invalid_configuration` when the database is not Procedo's, is newer than this program, or
   * cannot run in WAL mode; `storage_unavailable` when the database cannot be used at the moment
   */
  constructor(options: SqliteStorageOptions & { readonly database: DatabaseSync }) {
    checkOptionNames("SqliteStorage", { ...optionNames, database: true }, options, "invalid_configuration");
    checkSettings(options);
    if (typeof (options.database as Partial<DatabaseSync> | undefined)?.prepare !== "function") {
      throw invalid(
        `The option database is ${kindOf(options.database)}. Give a DatabaseSync of node:sqlite, or write await SqliteStorage.open({ path }).`,
      );
    }
    const { database: db, now = Date.now, lockWaitMs = 4_000, pollMs = 250 } = options;
    try {
      prepareConnection(db);
      migrate(db, migrations, options.migrate ?? true);
      const files = watchOpenedFiles(db, options.onFileLost ?? (() => {}));
      const scopes = createScopes(db);
      const transactor = createTransactor(db, {
        committing: () => files.look(),
        rolledBack: () => scopes.forget(),
      });
      this.#writer = createWriter({ transactor, feed: this.#feed, lockWaitMs });

      const reader = createReader(db, files, lockWaitMs);
      const context: SqliteContext = { db, now, scopes, writer: this.#writer, reader };
      const queue = sqliteQueue(context);
      const firings = sqliteFirings(context);
      const events = sqliteEvents(context, firings);
      const gates = sqliteGates(context, firings);
      const runTriggers = sqliteRunTriggers(context);
      const commits = sqliteCommit(context, { events, firings }, runTriggers);
      this.runs = sqliteRuns(context, queue, commits, runTriggers);
      const wakeOrResume = sqliteResume(context, queue, commits);
      const posts = sqlitePosts(context, wakeOrResume);
      this.inbox = sqliteInbox(context, queue, posts);
      this.reviews = sqliteReviews(context, wakeOrResume);
      this.invocations = sqliteInvocations(context, posts);
      this.budgets = sqliteBudgets(context);
      this.workers = sqliteWorkers(context);
      this.deliveries = sqliteDeliveries(context);
      this.triggers = sqliteTriggers(context, { gates, events, firings });
      this.procedures = sqliteProcedures(context);
      this.records = sqliteRecords(context, gates);
      this.sessions = sqliteSessions(context);
      this.audit = sqliteAudit(context);
      this.retention = sqliteRetention(context);
      this.#stopWatching = watchExternalChanges(db, files, pollMs, () => this.#feed.emit({ type: "resync" }));
    } catch (error) {
      throw procedoErrorOf(error);
    }
  }

  /**
   * Opens the file, and creates it if it does not exist.
   *
   * @throws ProcedoError as the constructor does; `invalid_configuration` when the file is not a database;
   * `storage_unavailable`, with the path, when the file or its folder is not writable
   */
  static async open(options: SqliteStorageOptions & { readonly path: string }): Promise<SqliteStorage> {
    checkOptionNames("SqliteStorage.open", { ...optionNames, path: true }, options, "invalid_configuration");
    const path: unknown = options.path;
    if (typeof path !== "string" || path === "") {
      const message = `SqliteStorage.open was given ${path === "" ? "an empty string" : kindOf(path)} as path. Give the path of a file.`;
      throw invalid(message);
    }
    checkSettings(options);
    const waitsUntil = performance.now() + (options.lockWaitMs ?? 4_000);
    for (;;) {
      try {
        return SqliteStorage.#open(options);
      } catch (error) {
        // Another process is opening, migrating or closing the same file.
        if (failureOf(causeOf(error)) !== "busy" || performance.now() >= waitsUntil) throw error;
        await pause(10);
      }
    }
  }

  static #open({ path, ...options }: SqliteStorageOptions & { readonly path: string }): SqliteStorage {
    let database: DatabaseSync;
    try {
      database = new DatabaseSync(path, { timeout: 0 });
    } catch (error) {
      throw openingErrorOf(path, error);
    }
    try {
      const storage = new SqliteStorage({ ...options, database });
      storage.#opened = database;
      return storage;
    } catch (error) {
      database.close();
      throw openingErrorOf(path, error);
    }
  }

  watch(listener: (change: Change) => void): () => void {
    return this.#feed.watch(listener);
  }

  async close(): Promise<void> {
    this.#stopWatching();
    await this.#writer.close();
    this.#opened?.close();
    this.#opened = undefined;
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

/** The maximum delay of a timer; a longer one would fire immediately. */
const maxMs = 2 ** 31 - 1;

function checkSettings({ lockWaitMs, pollMs, now, onFileLost }: SqliteStorageOptions): void {
  for (const [name, value] of Object.entries({ lockWaitMs, pollMs })) {
    if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= maxMs)) continue;
    throw invalid(`The option ${name} is ${quotedValue(value)}. Give a whole number from 0 to ${maxMs}.`);
  }
  if (onFileLost !== undefined && typeof onFileLost !== "function") {
    throw invalid(`The option onFileLost is ${kindOf(onFileLost)}. Give a function that takes the message.`);
  }
  if (now !== undefined && typeof now !== "function") {
    throw invalid(`The option now is ${kindOf(now)}. Give a function, such as Date.now.`);
  }
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
