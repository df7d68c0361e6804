import type { DatabaseSync } from "node:sqlite";
import type { OpenedFiles } from "./opened-files.ts";
import { failureOf } from "./sqlite-error.ts";
import { prepare } from "./statement.ts";

/**
 * Detects commits of other connections by polling `PRAGMA data_version`, so that a command can wake a running server.
 * The same poll detects the loss of the database's files.
 *
 * @param intervalMs 0 disables polling
 * @returns a function that stops polling
 */
export function watchExternalChanges(
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

  /** `undefined` during a lock or a disk error; the next poll finds the changes that this one missed. */
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
