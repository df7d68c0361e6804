import { manualClock } from "@procedo-testing/faults";
import { createSlices } from "@procedo/engine";
import { expect, test } from "vitest";
import { createHeavyAnswerLimiter, heavyOfKey } from "../access/heavy-answer-limiter.ts";
import { heavyBody, HeavyPlace } from "./heavy-body.ts";

const piece = "x".repeat(64 * 1024);
const broken = {
  toJSON: () => {
    throw new Error("broken");
  },
};

test.each([
  ["first", [broken]],
  ["third", [piece, piece, piece, broken]],
])("releases the place of a value when its %s piece cannot be encoded", async (_which, lines) => {
  const clock = manualClock();
  const limiter = createHeavyAnswerLimiter(clock);
  // Deeper than the levels that are split into pieces: JSON.stringify encodes this part at once.
  const deep = (value: unknown): unknown => Array.from({ length: 9 }).reduce<unknown>((inner) => [inner], value);
  for (let time = 0; time <= heavyOfKey; time++) {
    const place = new HeavyPlace(limiter, "key", "live");
    await place.take();
    const read = async (): Promise<void> => {
      const body = heavyBody({ clock, slices: createSlices({ soon: setImmediate }) }, lines.map(deep), place);
      if (typeof body !== "string")
        for await (const _piece of { [Symbol.asyncIterator]: () => ({ next: () => body.next() }) });
    };
    await expect(read()).rejects.toThrow("broken");
  }
});
