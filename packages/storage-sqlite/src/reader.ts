import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenedFiles } from "./opened-files.ts";
import { failureOf, procedoErrorOf } from "./sqlite-error.ts";

/** Reads committed data. */
export interface Reader {
  /** Runs one statement. */
  read<T>(query: () => T): Promise<T>;

  /** Runs several statements on the same state of the database. */
  snapshot<T>(query: () => T): Promise<T>;
}

const pauseMs = 5;

/**
 * @param files the state of the database's files; reads fail once a file is lost
 * @param lockWaitMs how long a read waits while another process recovers or closes the database
 */
export function createReader(db: DatabaseSync, files: Pick<OpenedFiles, "recall">, lockWaitMs: number): Reader {
  const begin = db.prepare("BEGIN");
  const rollback = db.prepare("ROLLBACK");

  async function read<T>(query: () => T): Promise<T> {
    const waitsUntil = performance.now() + lockWaitMs;
    for (;;) {
      try {
        files.recall();
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
