import { readFile, stat } from "node:fs/promises";

/** The parsed value of a text file, read again after a change. A missing or unreadable file counts as empty. */
export function keptFile<T>(path: string, read: (text: string) => T): () => Promise<T> {
  let kept: { readonly version: string; readonly value: T } | undefined;
  return async () => {
    const version = await versionOf(path);
    if (kept !== undefined && kept.version === version) return kept.value;
    const value = read(version === undefined ? "" : await readFile(path, "utf8").catch(() => ""));
    kept = version === undefined ? undefined : { version, value };
    return value;
  };
}

async function versionOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs}`;
}
