import type { SeededRandom } from "@procedo-testing/faults";
import type { RunShape } from "../crash/crash-procedure.ts";
import type { Look } from "../crash/protocol.ts";
import type { World } from "../crash/world.ts";

export interface LoadOptions {
  /** The number of runs that may be planned so far. */
  allowed(): number;
  /** Maximum number of open runs. */
  readonly open: number;
  /** Whether more runs will be allowed later. */
  more(): boolean;
}

/** Plans runs as they become allowed; the driver calls it with each poll. */
export function feeder(
  world: World,
  random: SeededRandom,
  { allowed, open, more }: LoadOptions,
): (look: Look) => boolean {
  return ({ running, reviews }) => {
    const unanswered = world.starts.filter(({ runId }) => runId === undefined).length;
    for (let left = open - running - reviews.length - unanswered; left > 0; left--) {
      if (world.starts.length >= allowed()) break;
      world.plan(shapeOf(random));
    }
    return more();
  };
}

/** Half of the runs are plain; the others have a review, wait, are cancelled, or have a review that expires. */
function shapeOf(random: SeededRandom): RunShape {
  const drawn = random.below(100);
  if (drawn < 25) return "review";
  if (drawn < 40) return "sleep";
  if (drawn < 44) return "expire";
  return drawn < 50 ? "cancel" : "plain";
}
