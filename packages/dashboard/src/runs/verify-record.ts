/*
 * Verifies the record of a run in the reader's browser, with the public key alone. The statement that was signed lists
 * the digest of each row, so that a change of any row shows.
 */
import type { components } from "../api/schema.d.ts";

type AuditExport = components["schemas"]["AuditExport"];
type AuditPublicKey = components["schemas"]["AuditPublicKey"];

export type RecordVerdict =
  | { readonly isValid: true; readonly rows: number; readonly exportedAt: string; readonly headHash: string }
  | { readonly isValid: false; readonly message: string };

interface Statement {
  readonly exportedAt: string;
  readonly documentDigest: string;
  readonly head: { readonly hash: string };
  readonly rows: readonly { readonly seq: number; readonly hash: string; readonly digest: string }[];
}

export async function verifyRecord(record: AuditExport, key: AuditPublicKey): Promise<RecordVerdict> {
  if (record.keyId !== (await thumbprint(key.x))) return invalid("The record was signed with another key.");
  const publicKey = await crypto.subtle.importKey("jwk", { ...key, kid: undefined } as JsonWebKey, "Ed25519", false, [
    "verify",
  ]);
  const signature = bytesOf(record.signature);
  const text = new TextEncoder().encode(record.statement);
  const isSigned = signature !== undefined && (await crypto.subtle.verify("Ed25519", publicKey, signature, text));
  const statement = JSON.parse(record.statement) as Statement;
  if (!isSigned) return invalid("The statement is not the one that was signed.");
  if ((await digest(record.document)) !== statement.documentDigest) {
    return invalid("The document is not the version that the run executed.");
  }
  for (const [index, stated] of statement.rows.entries()) {
    const given = record.rows[index];
    const fits =
      given?.seq === stated.seq &&
      given.hash === stated.hash &&
      given.digest === stated.digest &&
      (await digest(given.body)) === stated.digest;
    if (!fits) return invalid(`Row ${stated.seq} does not fit`);
  }
  if (record.rows.length > statement.rows.length) return invalid(`Row ${statement.rows.length + 1} does not fit`);
  return {
    isValid: true,
    rows: statement.rows.length,
    exportedAt: statement.exportedAt,
    headHash: statement.head.hash,
  };
}

function invalid(message: string): RecordVerdict {
  return { isValid: false, message };
}

/** RFC 7638: SHA-256 over the required members in the order of their names. */
function thumbprint(x: string): Promise<string> {
  return digest(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }));
}

async function digest(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return base64url(hash);
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
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
