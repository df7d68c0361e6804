import { hash } from "node:crypto";
import type { JsonObject } from "@procedo/contract";
import type { FrozenCall, OpenReview, ReviewedCall } from "@procedo/procedure";

/** SHA-256, base64url, over exactly the content that a reviewer sees and the call that an approval sends. */
export function reviewDigest(shown: {
  readonly kind: OpenReview["kind"];
  readonly title: string;
  readonly data: JsonObject;
  readonly call: ReviewedCall | undefined;
}): string {
  return hash("sha256", JSON.stringify([shown.kind, shown.title, shown.data, shown.call ?? null]), "base64url");
}

/** SHA-256, base64url, over a frozen call. It is verified again before the call is sent. */
export function callDigest(call: FrozenCall): string {
  const { connection, connectionId, action, revision, effect, dispatched, idempotencyKeyTtlMs, args } = call;
  const { onUnknownOutcome, account } = call;
  const parts = [connection, connectionId, action, revision, effect, args];
  if (dispatched === true) parts.push("dispatched");
  if (idempotencyKeyTtlMs !== undefined) parts.push(`key kept for ${idempotencyKeyTtlMs} ms`);
  if (onUnknownOutcome !== undefined) parts.push(`on unknown outcome: ${onUnknownOutcome}`);
  if (account !== undefined) parts.push(`account: ${account.id ?? account.sinceMs}`);
  return hash("sha256", JSON.stringify(parts), "base64url");
}
