import { expect, test } from "vitest";
import { movedClock, type MovedClock } from "./moved-clock.ts";

/** Lets so much time pass, as a test's time does. */
async function advance(clock: MovedClock, ms: number): Promise<void> {
  const untilMs = clock.monotonic() + ms;
  do await clock.settle();
  while (clock.moveTo(untilMs));
}

test("timers fire at their times and in their order, each after what the one before it set off", async () => {
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

/** Looks around every 4 s. */
function lookAround(clock: MovedClock): { looks: number } {
  const seen = { looks: 0 };
  const look = (): void => {
    seen.looks += 1;
    clock.after(4_000, look);
  };
  clock.after(4_000, look);
  return seen;
}

test("whoever only looks around looks less often, and a month costs a few thousand looks", async () => {
  const clock = movedClock(0);
  const seen = lookAround(clock);
  await advance(clock, 30 * 86_400_000);
  expect(seen.looks).toBeGreaterThan(30 * 24 * 6);
  expect(seen.looks).toBeLessThan(30 * 24 * 6 + 10);
});

test("whoever waits for something is told at its time, also beside those who look around", async () => {
  const clock = movedClock(0);
  lookAround(clock);
  const tries: number[] = [];
  /** Pauses that grow, after each of which something happens. */
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
