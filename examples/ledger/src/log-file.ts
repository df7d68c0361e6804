import { closeSync, fdatasync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

const fdatasyncOf = promisify(fdatasync);
const newline = 0x0a;

/** An append-only file of lines. */
export interface LogFile {
  /**
   * Hands one line to the operating system: from here on it survives the death of this process, though not yet that of
   * the machine. Nothing is left behind when it throws.
   */
  append(line: string): void;
  /**
   * Resolves when every line appended so far is on disk. Calls made while a flush runs share the next one. After a
   * failed flush all later calls reject: what the disk holds is then unknown, and a second fsync would not tell.
   */
  durable(): Promise<void>;
  /** Flushes and closes. */
  close(): Promise<void>;
}

/** Opens or creates the file and returns the lines that it holds. A last line without its newline was never acknowledged and is cut off. */
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

/** A new file's name is durable only when its folder is. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  fsyncSync(fd);
  closeSync(fd);
}
