/*
 * Verifies the record of a run in the reader's browser, with the public key alone. The statement that was signed lists
 * the digest of each row, so that a change of any row shows.
 */
import type { components } from "../api/schema.d.ts";
import { base64url, digestOf } from "../values/digest.ts";
import { isSame } from "../values/is-same.ts";
import { entryReader, type ReadEntries } from "./record-entries.ts";

export type RunRecord = components["schemas"]["AuditExport"];
type AuditPublicKey = components["schemas"]["AuditPublicKey"];
type RecordRow = RunRecord["rows"][number];

export type RecordVerdict =
  | { readonly isValid: true; readonly rows: number; readonly exportedAt: string }
  /** `seq`: the first row that does not fit. */
  | { readonly isValid: false; readonly message: string; readonly seq?: number };

interface Statement {
  readonly type: string;
  readonly runId: string;
  readonly environment: string;
  readonly exportedAt: string;
  readonly documentDigest: string;
  readonly rows: readonly Pick<RecordRow, "seq" | "hash" | "digest">[];
}

/** What the record has to be a record of. */
interface Expected {
  readonly runId: string;
  readonly environment: string;
}

export async function verifyRecord(record: RunRecord, key: AuditPublicKey, expected: Expected): Promise<RecordVerdict> {
  if (record.keyId !== (await thumbprint(key.x))) return invalid("The record was signed with another key.");
  const statement = read<Statement>(record.statement);
  const wrongRow = statement && (await firstWrongRow(statement, record.rows));
  if (!(await isSigned(record, key))) return invalid("The statement is not the one that was signed.", wrongRow);
  if (statement?.type !== "run") return invalid("The signed statement is not that of a run.");
  if (statement.runId !== expected.runId || statement.environment !== expected.environment) {
    return invalid("The record is that of another run.");
  }
  if ((await digestOf(record.document)) !== statement.documentDigest) {
    return invalid("The document is not the version that the run executed.");
  }
  if (wrongRow !== undefined) return invalid(`Row ${wrongRow} does not fit`, wrongRow);
  return { isValid: true, rows: statement.rows.length, exportedAt: statement.exportedAt };
}

function invalid(message: string, seq?: number): RecordVerdict {
  return { isValid: false, message, ...(seq !== undefined && { seq }) };
}

async function firstWrongRow({ runId, rows }: Statement, given: readonly RecordRow[]): Promise<number | undefined> {
  const readEntries = entryReader(runId);
  for (const [index, stated] of rows.entries()) {
    const row = given[index];
    const isStated = row?.seq === stated.seq && row.hash === stated.hash && row.digest === stated.digest;
    if (!isStated || (await digestOf(row.body)) !== stated.digest) return stated.seq;
    // The page shows the entries, and the signature covers the bodies.
    if (!isSame(row.entries, await entriesOf(row, readEntries))) return stated.seq;
  }
  return given.length > rows.length ? rows.length + 1 : undefined;
}

/** `undefined` for a body that cannot be read. */
async function entriesOf(row: RecordRow, readEntries: ReadEntries): Promise<readonly unknown[] | undefined> {
  try {
    return await readEntries(row);
  } catch {
    return undefined;
  }
}

async function isSigned({ statement, signature }: RunRecord, { kty, crv, x }: AuditPublicKey): Promise<boolean> {
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  const bytes = bytesOf(signature);
  return (
    bytes !== undefined && (await crypto.subtle.verify("Ed25519", key, bytes, new TextEncoder().encode(statement)))
  );
}

function read<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** RFC 7638: SHA-256 over the required members in the order of their names. */
function thumbprint(x: string): Promise<string> {
  return digestOf(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }));
}

/** `undefined` for a text that is not the one spelling of its bytes. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return base64url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
