import type { Review } from "../api/models.ts";

type Read = Pick<Review, "digest" | "status">;

/** Whether an open review has changed since it was read. One that was closed meanwhile has no decision to protect. */
export function isStaleReview(read: Read, latest: Read): boolean {
  return latest.digest !== read.digest && latest.status === "open";
}
