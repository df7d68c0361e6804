import type { DatabaseSync } from "node:sqlite";
import type { OpenedFiles } from "./opened-files.ts";
import { failureOf } from "./sqlite-error.ts";
import { prepare } from "./statement.ts";

/**
 * Notices commits of other connections by polling `PRAGMA data_version`: a command beside a running server wakes it. Notices
 * at the same time that the database's files are lost.
 *
 * @param intervalMs 0 switches it off
 * @returns what ends the polling
 */
export function watchElsewhere(
  db: DatabaseSync,
  files: Pick<OpenedFiles, "look">,
  intervalMs: number,
  onChange: () => void,
): () => void {
  if (intervalMs === 0) return () => {};
  const select = prepare<{ data_version: number }>(db, "PRAGMA data_version");
  let last = select.get()?.data_version;

  const timer = setInterval(() => {
    const version = poll();
    if (version === undefined || version === last) return;
    last = version;
    onChange();
  }, intervalMs);
  timer.unref();

  /** A lock or a disk error now is no news; the next poll finds what this one missed. */
  function poll(): number | undefined {
    try {
      files.look();
      return select.get()?.data_version;
    } catch (error) {
      if (failureOf(error) === "statement") throw error;
      return undefined;
    }
  }

  return () => clearInterval(timer);
}
