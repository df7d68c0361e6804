import { expect, test } from "vitest";
import { createSlices } from "./slices.ts";

test("each turn of the event loop does one piece of all long work, in the order of the calls", async () => {
  const turns: (() => void)[] = [];
  const slices = createSlices({ soon: (callback) => turns.push(callback) });
  const done: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let piece = 1; piece <= 2; piece++) {
      await slices.next();
      done.push(`${name}${piece}`);
    }
  };
  void work("a");
  void work("b");
  const counts: number[] = [];
  while (turns.length > 0) {
    expect(turns).toHaveLength(1);
    turns.shift()?.();
    for (let microtasks = 0; microtasks < 9; microtasks++) await Promise.resolve();
    counts.push(done.length);
  }
  expect(done).toEqual(["a1", "b1", "a2", "b2"]);
  expect(counts).toEqual([1, 2, 3, 4]);
});
