import { link, open, readFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { ProcedoError } from "@procedo/contract";
import type { Random } from "../ports/random.ts";
import { systemRandom } from "../ports/system-random.ts";

const keyBytes = 32;

/**
 * Reads the master key from a file. The first call creates the file with a new key, readable by its owner only. Keep a
 * copy of the file apart from the database: without the key, secrets cannot be decrypted and journals cannot be
 * verified.
 *
 * @throws ProcedoError `invalid_configuration` when the file is not a master key
 * @example
 * ```ts
 * import { masterKeyFile } from "@procedo/engine";
 *
 * const masterKey = await masterKeyFile("procedo.key");
 * ```
 */
export async function masterKeyFile(path: string, random: Random = systemRandom()): Promise<Uint8Array> {
  const known = await readIfThere(path);
  if (known === undefined) await makeKeyFile(path, random);
  const key = Buffer.from((known ?? (await readFile(path, "utf8"))).trim(), "base64url");
  if (key.byteLength !== keyBytes) {
    throw new ProcedoError(
      "invalid_configuration",
      `"${path}" is not a master key: it holds ${key.byteLength} bytes, not ${keyBytes}. Restore the file from its copy.`,
    );
  }
  return new Uint8Array(key);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Creates the file atomically. If several processes create it at the same time, one of them wins. */
async function makeKeyFile(path: string, random: Random): Promise<void> {
  const draft = `${path}.${Buffer.from(random.bytes(6)).toString("hex")}.tmp`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${Buffer.from(random.bytes(keyBytes)).toString("base64url")}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await unlink(draft);
  }
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}
