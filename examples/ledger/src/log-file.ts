import { closeSync, fdatasync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

const fdatasyncOf = promisify(fdatasync);
const newline = 0x0a;

/** An append-only file of lines. */
export interface LogFile {
  /**
   * Hands one line to the operating system. The line then survives the death of this process, but not yet a crash of
   * the machine. An append that throws leaves no partial line.
   */
  append(line: string): void;
  /**
   * Resolves when every line appended so far is on disk. Calls during a flush share the next flush. After a failed
   * flush, all later calls reject: the state of the disk is then unknown, and a second fsync would not reveal it.
   */
  durable(): Promise<void>;
  /** Flushes and closes. */
  close(): Promise<void>;
}

/**
 * Opens or creates the file and returns its lines. A last line without a newline was never acknowledged and is removed.
 */
export function openLogFile(
  path: string,
  flush: (fd: number) => Promise<void> = fdatasyncOf,
): { file: LogFile; lines: string[] } {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const fd = openSync(path, "a+");
  const content = readFileSync(fd);
  let size = content.lastIndexOf(newline) + 1;
  if (size < content.length) ftruncateSync(fd, size);
  const lines = content.toString("utf8", 0, size).split("\n").slice(0, -1);
  syncFolder(folder);

  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const durable = (): Promise<void> =>
    (next ??= running.then(() => {
      next = undefined;
      running = flush(fd);
      return running;
    }));

  return {
    lines,
    file: {
      append(line) {
        const bytes = Buffer.from(`${line}\n`);
        try {
          let written = 0;
          while (written < bytes.length) written += writeSync(fd, bytes, written);
        } catch (error) {
          ftruncateSync(fd, size);
          throw error;
        }
        size += bytes.length;
      },
      durable,
      async close() {
        await durable().finally(() => {
          closeSync(fd);
        });
      },
    },
  };
}

/** Flushes the folder, because the name of a new file is durable only with its folder. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  fsyncSync(fd);
  closeSync(fd);
}
