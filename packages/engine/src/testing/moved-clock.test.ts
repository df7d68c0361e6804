import { expect, test } from "vitest";
import { movedClock, type MovedClock } from "./moved-clock.ts";

/** Advances time as a test's time does. */
async function advance(clock: MovedClock, ms: number): Promise<void> {
  const untilMs = clock.monotonic() + ms;
  do await clock.settle();
  while (clock.moveTo(untilMs));
}

test("timers fire at their times and in order, each after the effects of the one before it", async () => {
  const clock = movedClock(1_000);
  const fired: [string, number][] = [];
  const fire = (name: string) => () => void fired.push([name, clock.now()]);
  clock.after(30, fire("last"));
  clock.after(10, () => {
    fire("first")();
    clock.soon(() => clock.after(5, fire("second")));
  });
  clock.after(20, fire("never"))();
  clock.after(Infinity, fire("infinite"));
  await advance(clock, 25);
  expect(fired).toEqual([
    ["first", 1_010],
    ["second", 1_015],
  ]);
  expect([clock.now(), clock.monotonic(), clock.nextTimerAtMs()]).toEqual([1_025, 25, 30]);
  await advance(clock, 5);
  expect(fired.at(-1)).toEqual(["last", 1_030]);
  expect(clock.nextTimerAtMs()).toBeUndefined();
});

/** Polls every 4 s. */
function lookAround(clock: MovedClock): { looks: number } {
  const seen = { looks: 0 };
  const look = (): void => {
    seen.looks += 1;
    clock.after(4_000, look);
  };
  clock.after(4_000, look);
  return seen;
}

test("a polling loop without changes is slowed down, so that a month takes a few thousand firings", async () => {
  const clock = movedClock(0);
  const seen = lookAround(clock);
  await advance(clock, 30 * 86_400_000);
  expect(seen.looks).toBeGreaterThan(30 * 24 * 6);
  expect(seen.looks).toBeLessThan(30 * 24 * 6 + 10);
});

test("a timer beside polling loops fires at its time", async () => {
  const clock = movedClock(0);
  lookAround(clock);
  const tries: number[] = [];
  /** Growing pauses; something happens after each. */
  const retry = (delayMs: number): void => {
    clock.after(delayMs, () => {
      tries.push(clock.monotonic());
      clock.stir();
      if (tries.length < 6) retry(delayMs);
    });
  };
  await advance(clock, 3_600_000);
  retry(1_500);
  await advance(clock, 3_600_000);
  expect(tries).toEqual([1, 2, 3, 4, 5, 6].map((number) => 3_600_000 + number * 1_500));
});
