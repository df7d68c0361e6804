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
    throw new LedgerError(
      "unauthorized",
      "The bearer token is missing. Send the ledger's token as `Authorization: Bearer …`.",
    );
  // timingSafeEqual needs values of equal length. Comparing digests also hides the length of the token.
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new LedgerError("unauthorized", "The bearer token is not valid for this ledger.");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
