import { open } from "node:fs/promises";
import { ProcedoError } from "@procedo/contract";
import { verifyExport, type AuditPublicKey, type ExportVerdict } from "@procedo/engine";

/** What verifying a file of an archive finds. */
export interface ArchiveVerdict {
  readonly valid: boolean;
  /** Runs whose records hold. */
  readonly runs: number;
  /** What does not, by its line from 1; the first 1,000. */
  readonly invalid: readonly (Extract<ExportVerdict, { readonly valid: false }> & { readonly line: number })[];
}

const maxInvalid = 1_000;

/** Whether a file is one of an archive, with one export in each line, rather than one export. */
export function isArchiveFile(path: string): boolean {
  return path.endsWith(".jsonl");
}

/**
 * Verifies every line with nothing but the public key, one at a time: the file may be long.
 *
 * @throws ProcedoError `invalid_input` when the file cannot be read
 */
export async function verifyArchiveFile(path: string, publicKey: AuditPublicKey): Promise<ArchiveVerdict> {
  const file = await open(path).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ProcedoError("invalid_input", `"${path}" cannot be read: ${reason}.`, { cause });
  });
  const invalid: ArchiveVerdict["invalid"][number][] = [];
  let line = 0;
  let runs = 0;
  let wrong = 0;
  try {
    for await (const text of file.readLines()) {
      line += 1;
      const verdict = verifyExport(parsed(text), publicKey);
      if (verdict.valid) runs += 1;
      else if (wrong++ < maxInvalid) invalid.push({ line, ...verdict });
    }
  } finally {
    await file.close();
  }
  return { valid: wrong === 0 && runs > 0, runs, invalid };
}

/** What cannot be read is no export, which the verdict says. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
