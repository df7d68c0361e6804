import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";

/**
 * The files of an open database, compared with what their paths lead to now. SQLite goes on with files that were removed or
 * replaced, and all that it commits to them is lost when the process ends.
 */
export interface OpenedFiles {
  /**
   * Looks at the paths: three calls of the file system, about ten microseconds.
   *
   * @throws ProcedoError `storage_unavailable` while a file is missing, is another one or is empty
   */
  look(): void;
  /**
   * Says what the latest look found, without another.
   *
   * @throws ProcedoError as `look` does
   */
  recall(): void;
}

/** The database, the log that holds its latest commits, and the index of that log, which all processes share. */
const ends = ["", "-wal", "-shm"] as const;

/** @param onLost told once, with what to do, when a file is not there any more; again only after it was back */
export function watchOpenedFiles(db: DatabaseSync, onLost: (message: string) => void): OpenedFiles {
  const path = db.location();
  // A database in memory has no file.
  if (path === null) return { look: () => {}, recall: () => {} };
  const opened = new Map<string, string>();
  let lost: Loss | undefined;

  /** What has become of a file; `undefined`: nothing. */
  const fateOf = (file: string): string | undefined => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    const known = opened.get(file);
    if (stats === undefined) return known === undefined ? undefined : "was removed";
    const identity = `${stats.dev} ${stats.ino}`;
    // SQLite makes the log when it needs it for the first time.
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
        return { file, what: `cannot be looked at (${error instanceof Error ? error.message : "unknown"})` };
      }
    }
    return undefined;
  };

  const recall = (): void => {
    if (lost === undefined) return;
    // Where it lies is for the operator, who is told by onLost; this goes to the caller.
    const message = `The database's file ${lost.what} while it is in use. Its operator has to put it back.`;
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
  /** What became of it: `was removed`. */
  readonly what: string;
}

function lostMessage(path: string, { file, what }: Loss): string {
  return (
    `The database file "${file}" ${what} while it is in use; nothing is read or written any more. If it was moved, move it back. ` +
    `Else stop this process, put the database or a backup of it at "${path}" (procedo restore), and start again. ` +
    "Until the process ends, its open files still hold the data: on Linux they can be copied from /proc."
  );
}
