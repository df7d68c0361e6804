import type { Review } from "../api/models.ts";

/** Timers of a browser count to about 24 days. */
const longestMs = 86_400_000;

/** How long until the answer about an open review changes by the time alone; `false` when it does not. */
export function nextChangeMs(
  { status, notBefore, expiresAt }: Pick<Review, "status" | "notBefore" | "expiresAt">,
  nowMs: number,
): number | false {
  if (status !== "open") return false;
  const times = [notBefore, expiresAt].flatMap((at) => (at === undefined ? [] : [Date.parse(at) - nowMs]));
  const next = Math.min(...times.filter((ms) => ms > 0));
  return Number.isFinite(next) && next < longestMs && next + 500;
}
