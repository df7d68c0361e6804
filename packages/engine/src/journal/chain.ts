import { createHmac, hash } from "node:crypto";

/** The hash that the first row of a chain follows. */
export const chainStart = "";

/**
 * Hash of a journal row: HMAC-SHA256 over the hash of the row before, the row's place, and the SHA-256 digest of its
 * body, as base64url. It covers the digest rather than the body, so that a redacted body still verifies.
 */
export function chainHash(key: Uint8Array, previous: string, subject: string, seq: number, body: string): string {
  return chainHashOfDigest(key, previous, subject, seq, bodyDigest(body));
}

export function chainHashOfDigest(
  key: Uint8Array,
  previous: string,
  subject: string,
  seq: number,
  digest: string,
): string {
  return createHmac("sha256", key).update(`${previous}\n${subject}\n${seq}\n${digest}`).digest("base64url");
}

/** SHA-256 of a row's body, base64url. */
export function bodyDigest(body: string): string {
  return hash("sha256", body, "base64url");
}

interface ChainRow {
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

/** Returns a predicate for the rows of a chain, in order: whether the row follows from the row before. */
export function chainFollower(key: Uint8Array, subject: string): (row: ChainRow) => boolean {
  let previous = chainStart;
  let seq = 0;
  return (row) => {
    seq += 1;
    if (row.seq !== seq || row.hash !== chainHash(key, previous, subject, seq, row.body)) return false;
    previous = row.hash;
    return true;
  };
}

/** The first row that does not follow from the one before; `undefined` when the chain is whole. */
export function firstBrokenRow(key: Uint8Array, subject: string, rows: readonly ChainRow[]): number | undefined {
  const follows = chainFollower(key, subject);
  const at = rows.findIndex((row) => !follows(row));
  return at === -1 ? undefined : at + 1;
}
