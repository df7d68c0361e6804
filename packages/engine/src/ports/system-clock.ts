import type { Clock } from "./clock.ts";

/** `setTimeout` fires at once when it is given more. */
const longestTimerMs = 2 ** 31 - 1;

/** The machine's own clock. Its timers keep the process alive, so a waiting engine does not exit by accident. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => {
    if (!(delayMs > longestTimerMs)) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    }
    // `Infinity` stays what it is, however often it is armed again.
    let cancel = (): void => {};
    const timer = setTimeout(() => {
      cancel = systemClock.after(delayMs - longestTimerMs, callback);
    }, longestTimerMs);
    cancel = () => clearTimeout(timer);
    return () => cancel();
  },
  soon: (callback) => {
    setImmediate(callback);
  },
};
