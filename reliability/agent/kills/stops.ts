import type { LoopPoint, PointName, Side } from "./loop-points.ts";

/** The places at which work can be held forever. */
export interface Stops {
  /** Sets the next place; `undefined` disarms. */
  arm(point: LoopPoint | undefined): void;
  /** Called when work reaches a point. Never resolves at the armed one, so the work ends there. */
  reach(name: PointName, side: Side): Promise<void>;
}

/** `held` is called when work is held. */
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
