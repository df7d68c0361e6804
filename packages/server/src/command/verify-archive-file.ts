import { open } from "node:fs/promises";
import { ProcedoError } from "@procedo/contract";
import { verifyExport, type AuditPublicKey, type ExportVerdict } from "@procedo/engine";

/** Result of the verification of an archive file. */
export interface ArchiveVerdict {
  readonly valid: boolean;
  /** Number of runs with a valid record. */
  readonly runs: number;
  /** The first 1,000 problems, each with its line number from 1. */
  readonly invalid: readonly (Extract<ExportVerdict, { readonly valid: false }> & { readonly line: number })[];
}

const maxInvalid = 1_000;

/** Whether a file is an archive, with one export per line, and not a single export. */
export function isArchiveFile(path: string): boolean {
  return path.endsWith(".jsonl");
}

/**
 * Verifies a file line by line with the public key alone. The file may be larger than memory.
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

/** `undefined` for a line that is not JSON; the verdict reports it as invalid. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
