import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";

/**
 * Compares the files of an open database with the files at their paths. SQLite continues to use files that were
 * removed or replaced; all data that it commits to them is lost when the process ends.
 */
export interface OpenedFiles {
  /**
   * Checks the paths with three file system calls, which take about ten microseconds.
   *
   * @throws ProcedoError `storage_unavailable` while a file is missing, replaced or empty
   */
  look(): void;
  /**
   * Throws if the latest check found a loss. Does not check again.
   *
   * @throws ProcedoError as `look` does
   */
  recall(): void;
}

/** The suffixes of the database, of the log with its latest commits, and of the index that processes share. */
const ends = ["", "-wal", "-shm"] as const;

/** @param onLost called once, with instructions, when a file is lost; again only after the file was back in between */
export function watchOpenedFiles(db: DatabaseSync, onLost: (message: string) => void): OpenedFiles {
  const path = db.location();
  // A database in memory has no file.
  if (path === null) return { look: () => {}, recall: () => {} };
  const opened = new Map<string, string>();
  let lost: Loss | undefined;

  /** The kind of loss of a file; `undefined` while the file is in place. */
  const fateOf = (file: string): string | undefined => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    const known = opened.get(file);
    if (stats === undefined) return known === undefined ? undefined : "was removed";
    const identity = `${stats.dev} ${stats.ino}`;
    // SQLite creates the log when it first needs it.
    if (known === undefined) opened.set(file, identity);
    else if (identity !== known) return "was replaced by another file";
    return file === path && stats.size === 0n ? "was emptied" : undefined;
  };

  const fate = (): Loss | undefined => {
    for (const end of ends) {
      const file = path + end;
      try {
        const what = fateOf(file);
        if (what !== undefined) return { file, what };
      } catch (error) {
        return { file, what: `cannot be checked (${error instanceof Error ? error.message : "unknown"})` };
      }
    }
    return undefined;
  };

  const recall = (): void => {
    if (lost === undefined) return;
    // The caller's error omits the path; onLost reports it to the operator.
    const message = `The database file ${lost.what} while it is in use. The operator must restore it.`;
    throw new ProcedoError("storage_unavailable", message);
  };

  const look = (): void => {
    const before = lost;
    lost = fate();
    if (lost !== undefined && before === undefined) onLost(lostMessage(path, lost));
    recall();
  };

  look();
  return { look, recall };
}

interface Loss {
  readonly file: string;
  /** The kind of loss, for example `was removed`. */
  readonly what: string;
}

function lostMessage(path: string, { file, what }: Loss): string {
  return (
    `The database file "${file}" ${what} while it is in use. Reads and writes now fail. If it was moved, move it back. ` +
    `Otherwise stop this process, put the database or a backup of it at "${path}" (procedo restore), and start again. ` +
    "Until the process ends, its open files still hold the data: on Linux they can be copied from /proc."
  );
}
