import type { GroupCommitClock } from "@procedo/storage";

/** Process timers for group commit. */
export const groupClock: GroupCommitClock = {
  monotonic: () => performance.now(),
  soon: (callback) => void setImmediate(callback),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
