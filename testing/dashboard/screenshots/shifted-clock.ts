/** A wall clock that the script moves: pages show the same times each time the screenshots are taken. */
export interface ShiftedClock {
  /** Sets the time. It runs on from there. */
  set(time: string): void;
}

/** Replaces `Date.now` in this process, in which the service runs too. */
export function shiftClock(): ShiftedClock {
  const real = Date.now;
  let shiftMs = 0;
  Date.now = () => real() + shiftMs;
  return {
    set: (time) => {
      shiftMs = Date.parse(time) - real();
    },
  };
}
