import { setImmediate } from "node:timers/promises";

/** Between so many operations others have their turn: that takes a few milliseconds. */
const operationsAtOnce = 2_000;

/** Makes one of each, in order. */
export async function inSlices<From, To>(from: readonly From[], make: (one: From, index: number) => To): Promise<To[]> {
  const made: To[] = [];
  for (const [index, one] of from.entries()) {
    made.push(make(one, index));
    if (made.length % operationsAtOnce === 0) await setImmediate();
  }
  return made;
}
