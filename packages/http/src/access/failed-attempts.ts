import type { Clock } from "@procedo/engine";

/** How often an address has tried keys that are nobody's. */
export interface FailedAttempts {
  /** Notes one more. Answers how long to wait, in milliseconds, when there were too many; else `undefined`. */
  note(address: string | undefined): number | undefined;
}

/** So many at once, and afterwards so many a minute: what a broken client needs to be noticed, not to be a burden. */
const burst = 3_000;
const perMinute = 1_000;
const msPerAttempt = 60_000 / perMinute;
/** Beyond so many addresses the one that failed first is forgotten. */
const maxAddresses = 10_000;

/**
 * Counts per address. Only those who fail are refused: a right key from the same address passes, so that nobody can lock
 * somebody else out.
 */
export function createFailedAttempts(clock: Pick<Clock, "monotonic">): FailedAttempts {
  /** Until when the attempts so far weigh, in the clock's milliseconds. */
  const busyUntil = new Map<string, number>();
  return {
    note: (address) => {
      // An embedding app that tells no address limits by itself.
      if (address === undefined) return undefined;
      const nowMs = clock.monotonic();
      const source = sourceOf(address);
      const until = Math.max(busyUntil.get(source) ?? nowMs, nowMs) + msPerAttempt;
      const tooMuchMs = until - nowMs - burst * msPerAttempt;
      if (tooMuchMs > 0) return tooMuchMs;
      const [oldest] = busyUntil.keys();
      if (busyUntil.size >= maxAddresses && oldest !== undefined && !busyUntil.has(source)) busyUntil.delete(oldest);
      busyUntil.set(source, until);
      return undefined;
    },
  };
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
