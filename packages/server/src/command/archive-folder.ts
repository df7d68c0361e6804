import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProcedoError } from "@procedo/contract";
import type { RunArchive } from "@procedo/engine";

/** An archive in a folder, made when it is not there: a file appears whole, and on disk, or not at all. */
export function archiveFolder(folder: string): RunArchive {
  return {
    write: async (name, lines) => {
      const path = join(folder, name);
      const draft = `${path}.tmp`;
      try {
        await makeDurable(folder);
        // Names are never used twice. It holds what runs were given and answered, of which the owner alone is to read.
        const file = await open(draft, "wx", 0o600);
        try {
          // Not `write`, which a disk that fills up answers with a part and no error.
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

/** Makes the folder with those above it that are missing. */
async function makeDurable(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** The name of a file or folder is durable when the folder that it is in is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

/** File operations fail with a code of the system's own; what else failed says so itself. */
function writeError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const message = `"${path}" cannot be written (${String(error.code)}). Nothing was deleted that is not in the archive.`;
  return new ProcedoError("storage_unavailable", message, { cause: error });
}
