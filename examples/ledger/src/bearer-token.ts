import { createHash, timingSafeEqual } from "node:crypto";
import { LedgerError } from "./ledger-error.ts";

/**
 * Checks an `Authorization` header against the ledger's token.
 *
 * @throws {LedgerError} `unauthorized`.
 */
export function checkBearerToken(token: string, authorization: string | undefined): void {
  const given = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1];
  if (given === undefined)
    throw new LedgerError("unauthorized", "Send the ledger's token as `Authorization: Bearer …`.");
  // Digests have one length, which timingSafeEqual wants, and comparing them tells nothing about the token's.
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new LedgerError("unauthorized", "The bearer token is not this ledger's.");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
