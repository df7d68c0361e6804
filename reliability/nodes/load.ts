import type { SeededRandom } from "@procedo-testing/faults";
import type { RunShape } from "../crash/crash-procedure.ts";
import type { Look } from "../crash/protocol.ts";
import type { World } from "../crash/world.ts";

export interface LoadOptions {
  /** How many runs may have been planned by now. */
  allowed(): number;
  /** How many may be open at once. */
  readonly open: number;
  /** Whether more will be allowed later. */
  more(): boolean;
}

/** Plans runs as they are allowed; for the driver, which asks with each look. */
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

/** Half ask nobody; the others ask a person, sleep, are cancelled, or ask somebody who never answers. */
function shapeOf(random: SeededRandom): RunShape {
  const drawn = random.below(100);
  if (drawn < 25) return "review";
  if (drawn < 40) return "sleep";
  if (drawn < 44) return "expire";
  return drawn < 50 ? "cancel" : "plain";
}
