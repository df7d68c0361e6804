import type { FrozenAccount, FrozenCall } from "@procedo/procedure";
import type { ResolvedConnection } from "../connections/resolved-connection.ts";

/** The account that a person authorized for a connection; `undefined` for a connection that no person authorizes. */
export function callAccount({ authorization }: Pick<ResolvedConnection, "authorization">): FrozenAccount | undefined {
  if (authorization?.grant !== "authorization_code") return undefined;
  const { account, accountSinceMs: sinceMs } = authorization;
  return account === undefined ? { sinceMs } : { sinceMs, id: account.id, name: account.name };
}

/**
 * Why a call is not made by the account that is authorized now: it was decided on for another one. `undefined` when it may be
 * made, and while no account is authorized: then it waits.
 *
 * @param isApproved - a call that people approved is not made either where the service names no accounts, and a person has
 *   authorized one since
 */
export function otherAccount(
  { account: decided, connection }: Pick<FrozenCall, "account" | "connection">,
  resolved: Pick<ResolvedConnection, "authorization">,
  isApproved: boolean,
): string | undefined {
  const present = callAccount(resolved);
  if (decided === undefined || present === undefined || present.sinceMs === 0) return undefined;
  const areNamed = decided.id !== undefined && present.id !== undefined;
  const isSame = areNamed ? decided.id === present.id : !isApproved || decided.sinceMs === present.sinceMs;
  if (isSame) return undefined;
  const whose = areNamed
    ? `for ${present.name ?? ""} and not for ${decided.name ?? ""}`
    : "perhaps for another account";
  return `Connection "${connection}" is authorized ${whose}, for which the call was decided on. Nothing was sent.`;
}
