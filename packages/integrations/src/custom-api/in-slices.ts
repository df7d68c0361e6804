import { setImmediate } from "node:timers/promises";

/** Number of operations between yields to the event loop. A slice takes a few milliseconds. */
const operationsAtOnce = 2_000;

/** Maps the items in order, and yields between slices. */
export async function inSlices<From, To>(from: readonly From[], make: (one: From, index: number) => To): Promise<To[]> {
  const made: To[] = [];
  for (const [index, one] of from.entries()) {
    made.push(make(one, index));
    if (made.length % operationsAtOnce === 0) await setImmediate();
  }
  return made;
}
