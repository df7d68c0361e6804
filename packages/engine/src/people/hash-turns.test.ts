import { expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import { createHashTurns } from "./hash-turns.ts";

test("two pieces of work run at once, and others in order of their arrival", async () => {
  const turns = createHashTurns(manualClock());
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>());
  const all = ends.map(({ promise }, number) =>
    turns(async () => {
      begun.push(number);
      await promise;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve(undefined);
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve(undefined);
  await Promise.all(all);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test("work that waits for 5 seconds is refused, and never begins", async () => {
  const clock = manualClock();
  const turns = createHashTurns(clock);
  const end = Promise.withResolvers<undefined>();
  const first = [turns(() => end.promise), turns(() => end.promise)];
  let hasBegun = false;
  const late = turns(async () => {
    hasBegun = true;
  });
  const refused = expect(late).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 5_000 });
  await clock.advance(5_000);
  await refused;
  end.resolve(undefined);
  await Promise.all(first);
  expect(hasBegun).toBe(false);
  await expect(turns(async () => "free again")).resolves.toBe("free again");
});

test("work that fails makes room", async () => {
  const turns = createHashTurns(manualClock());
  const failing = async () => {
    throw new Error("It failed.");
  };
  for (let n = 0; n < 5; n++) await expect(turns(failing)).rejects.toThrow("It failed.");
});
