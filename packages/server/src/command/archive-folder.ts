import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProcedoError } from "@procedo/contract";
import type { RunArchive } from "@procedo/engine";

/**
 * An archive in a folder, which is created when missing. Each file becomes visible only when it is complete and
 * durable.
 */
export function archiveFolder(folder: string): RunArchive {
  return {
    write: async (name, lines) => {
      const path = join(folder, name);
      const draft = `${path}.tmp`;
      try {
        await makeDurable(folder);
        // File names are never reused. The file holds the inputs and outputs of runs, so only its owner may read it.
        const file = await open(draft, "wx", 0o600);
        try {
          // `write` reports a partial write without an error when the disk is full; `writeFile` fails.
          await file.writeFile(lines);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
        await syncFolder(folder);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {});
        throw writeError(error, path);
      }
    },
  };
}

/** Creates the folder and its missing parents. */
async function makeDurable(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** The name of a file or folder is durable only when its parent folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Errors of file operations carry a system code; other errors already have a message of their own. */
function writeError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const message = `"${path}" cannot be written (${String(error.code)}). Nothing outside the archive was deleted.`;
  return new ProcedoError("storage_unavailable", message, { cause: error });
}
