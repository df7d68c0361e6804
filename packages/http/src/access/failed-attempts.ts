import type { Clock } from "@procedo/engine";
import { createRate } from "./rate.ts";

/** How often an address has tried keys that are nobody's. */
export interface FailedAttempts {
  /** Notes one more. Answers how long to wait, in milliseconds, when there were too many; else `undefined`. */
  note(address: string | undefined): number | undefined;
}

/** What a broken client needs to be noticed, not to be a burden. */
const limit = { perSecond: 1_000 / 60, burst: 3_000 };

/**
 * Counts per address. Only those who fail are refused: a right key from the same address passes, so that nobody can lock
 * somebody else out.
 */
export function createFailedAttempts(clock: Pick<Clock, "monotonic">): FailedAttempts {
  const rate = createRate(clock, limit);
  // An embedding app that tells no address limits by itself.
  return { note: (address) => (address === undefined ? undefined : rate.take(sourceOf(address))) };
}

/** Of an IPv6 address its /64: whoever has one address has all of them. */
function sourceOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [left = "", right] = address.split("%")[0]?.split("::") ?? [];
  const groups = left.split(":");
  if (right === undefined) return groups.slice(0, 4).join(":");
  const behind = right === "" ? [] : right.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - behind.length) }, () => "0");
  return [...groups, ...zeros, ...behind].slice(0, 4).join(":");
}
