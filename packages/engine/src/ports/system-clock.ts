import type { Clock } from "./clock.ts";

/** With a larger delay, `setTimeout` fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The system's clock. Its timers keep the process alive, so that a waiting engine does not exit. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => {
    if (!(delayMs > longestTimerMs)) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    }
    // `Infinity` minus a number is `Infinity`: the timer is set again for ever.
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
