import { hash } from "node:crypto";
import type { JsonObject } from "@procedo/contract";
import type { Asked, FrozenCall, OpenReview, ReviewedCall, ReviewRules } from "@procedo/procedure";
import type { NewReview } from "@procedo/storage";

/** What storage keeps of a review beside its columns; what was shown stands in the journal, once. */
export interface ReviewRowBody {
  readonly rules: ReviewRules;
}

/** The review's record as storage keeps it. */
export function reviewRowOf(entry: Asked): NewReview {
  const { review } = entry;
  const body: ReviewRowBody = { rules: review.rules };
  return {
    reviewId: review.reviewId,
    nodeId: entry.nodeId,
    kind: review.kind,
    title: review.title,
    body: JSON.stringify(body),
    digest: review.digest,
    effectKey: review.effectKey,
    openedAtMs: entry.atMs,
  };
}

/** SHA-256, base64url, over exactly what the reviewer sees and what an approval sends. */
export function reviewDigest(shown: {
  readonly kind: OpenReview["kind"];
  readonly title: string;
  readonly data: JsonObject;
  readonly call: ReviewedCall | undefined;
}): string {
  return hash("sha256", JSON.stringify([shown.kind, shown.title, shown.data, shown.call ?? null]), "base64url");
}

/** SHA-256, base64url, over a call as frozen; checked again when it is sent. */
export function callDigest(call: FrozenCall): string {
  const { connection, connectionId, action, revision, effect, handedOut, idempotencyKeyTtlMs, args } = call;
  const parts = [connection, connectionId, action, revision, effect, args];
  // Digests of calls that are made here are those of before there were others.
  if (handedOut === true) parts.push("handed out");
  if (idempotencyKeyTtlMs !== undefined) parts.push(`key kept for ${idempotencyKeyTtlMs} ms`);
  return hash("sha256", JSON.stringify(parts), "base64url");
}
