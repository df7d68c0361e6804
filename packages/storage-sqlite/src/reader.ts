import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { failureOf, procedoErrorOf } from "./sqlite-error.ts";

/** Reads what is committed. */
export interface Reader {
  /** One statement. */
  read<T>(query: () => T): Promise<T>;

  /** Several statements that see the same state. */
  snapshot<T>(query: () => T): Promise<T>;
}

const pauseMs = 5;

/** @param lockWaitMs how long a read waits while another process recovers or closes the database */
export function createReader(db: DatabaseSync, lockWaitMs: number): Reader {
  const begin = db.prepare("BEGIN");
  const rollback = db.prepare("ROLLBACK");

  async function read<T>(query: () => T): Promise<T> {
    const waitsUntil = performance.now() + lockWaitMs;
    for (;;) {
      try {
        return query();
      } catch (error) {
        if (failureOf(error) !== "busy" || performance.now() >= waitsUntil) throw procedoErrorOf(error);
        await pause(pauseMs);
      }
    }
  }

  return {
    read,
    snapshot: (query) =>
      read(() => {
        begin.run();
        try {
          return query();
        } finally {
          if (db.isTransaction) rollback.run();
        }
      }),
  };
}
