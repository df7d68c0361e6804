import { openTestDatabase } from "@procedo-testing/postgres";
import type { TestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { PostgresStorage, type PostgresStorageOptions } from "../src/index.ts";

export interface Interleaving {
  readonly storage: PostgresStorage;
  /** A session of another node, in the storage's schema. */
  readonly other: pg.Client;
  /**
   * Makes the call while another node's transaction with this change is open, and commits the change when the call
   * waits for it.
   */
  interleaved<T>(change: string, call: () => Promise<T>): Promise<T>;
  /** Resolves when a session waits for a lock. */
  waiting(): Promise<void>;
}

/** A storage in a separate schema for each test, and a faster node beside it. */
export function useInterleaving(options: Pick<PostgresStorageOptions, "now" | "timeoutMs"> = {}): () => Interleaving {
  let database: TestDatabase;
  let other: pg.Client;
  let watcher: pg.Client;
  let storage: PostgresStorage | undefined;
  let schemas = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
    [other, watcher] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([other.connect(), watcher.connect()]);
  });
  beforeEach(async () => {
    await storage?.close();
    const schema = `interleaved_${++schemas}`;
    storage = await PostgresStorage.connect(database.url, { ...options, schema, poolSize: 2, notify: false });
    await other.query(`SET search_path = ${schema}`);
  });
  afterAll(async () => {
    await storage?.close();
    await Promise.all([other.end(), watcher.end()]);
    await database.close();
  });

  const waiting = async (): Promise<void> => {
    const those = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while ((await watcher.query(those)).rowCount === 0);
  };

  const interleaved = async <T>(change: string, call: () => Promise<T>): Promise<T> => {
    await other.query(`BEGIN; ${change}`);
    const answer = call();
    await waiting();
    await other.query("COMMIT");
    return await answer;
  };

  return () => {
    if (storage === undefined) throw new Error("The test has not begun.");
    return { storage, other, interleaved, waiting };
  };
}
