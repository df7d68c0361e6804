import type { Review } from "../api/models.ts";
import { formatMoment, type TimeZone } from "../values/time.ts";

/** Why the reader may not decide a review at present, as a sentence; `undefined` when they may. */
export function whyNot(
  { mayDecide, notBefore, status }: Pick<Review, "mayDecide" | "notBefore" | "status">,
  nowMs: number,
  zone: TimeZone,
): string | undefined {
  if (mayDecide.allowed) return undefined;
  if (status === "open" && notBefore !== undefined && Date.parse(notBefore) > nowMs) {
    return `The call may still be under way. Decide after ${formatMoment(notBefore, zone)}.`;
  }
  const permission = /^The request needs the permission "(\w+)" in (\w+)\.$/.exec(mayDecide.reason);
  if (permission === null) return mayDecide.reason;
  return `You may look at reviews in ${permission[2]}, and not decide them. An owner can give you the role reviewer.`;
}
