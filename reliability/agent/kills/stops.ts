import type { LoopPoint, PointName, Side } from "./loop-points.ts";

/** The places at which work can be held for ever. */
export interface Stops {
  /** The next place; `undefined` disarms. */
  arm(point: LoopPoint | undefined): void;
  /** Work is here. Never resolves when it is the armed point's turn: what comes after it does not happen. */
  reach(name: PointName, side: Side): Promise<void>;
}

/** `held` is told when something is. */
export function createStops(held: () => void): Stops {
  let armed: LoopPoint | undefined;
  let passes = 0;
  return {
    arm: (point) => {
      armed = point;
      passes = 0;
    },
    reach: (name, side) => {
      if (armed?.name !== name || armed.side !== side) return Promise.resolve();
      if (passes++ < armed.passes) return Promise.resolve();
      armed = undefined;
      held();
      return new Promise(() => {});
    },
  };
}
