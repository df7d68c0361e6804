import { open, readFile } from "node:fs/promises";
import { ProcedoError } from "@procedo/contract";
import type { Random } from "../ports/random.ts";
import { systemRandom } from "../ports/system-random.ts";

const keyBytes = 32;

/**
 * Reads the master key from a file; the first call makes the key, readable by its owner only. Keep a copy of the file
 * apart from the database: without it neither secrets nor journals can be read or verified.
 *
 * @throws ProcedoError `invalid_configuration` when the file is not a master key
 */
export async function masterKeyFile(path: string, random: Random = systemRandom()): Promise<Uint8Array> {
  try {
    const file = await open(path, "wx", 0o600);
    try {
      const key = random.bytes(keyBytes);
      await file.writeFile(`${Buffer.from(key).toString("base64url")}\n`);
      await file.sync();
      return key;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
  }
  const key = Buffer.from((await readFile(path, "utf8")).trim(), "base64url");
  if (key.byteLength !== keyBytes) {
    throw new ProcedoError(
      "invalid_configuration",
      `"${path}" is not a master key: it holds ${key.byteLength} bytes, not ${keyBytes}. Restore the file from its copy.`,
    );
  }
  return new Uint8Array(key);
}
