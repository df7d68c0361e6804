import type { ReadyCall } from "@procedo/procedure";
import type { FoundAction } from "./find-action.ts";

/**
 * Why a call of unknown outcome is not repeated automatically: its connection may belong to another account by now, whose
 * service would not recognize the idempotency key and make the call a second time. `undefined` when it may be repeated.
 */
export function accountMayDiffer(
  { frozen, firstSentAtMs, uncertainReason }: ReadyCall,
  found: FoundAction,
): string | undefined {
  if (!found.ok || frozen.effect === "read" || firstSentAtMs === undefined || uncertainReason === undefined) {
    return undefined;
  }
  const { name, accountSinceMs = 0, authorization } = found.connection;
  const sinceMs = Math.max(accountSinceMs, authorization?.accountSinceMs ?? 0);
  if (sinceMs <= firstSentAtMs) return undefined;
  const at = new Date(sinceMs).toISOString();
  return (
    `The call is not repeated automatically: the credentials of connection "${name}" were changed at ${at}, and may belong to ` +
    "another account."
  );
}
