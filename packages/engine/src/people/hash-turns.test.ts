import { describe, expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import { createHashTurns } from "./hash-turns.ts";

const unknown = { source: undefined };

test("two pieces of work run at once, and others in order of their arrival", async () => {
  const turns = createHashTurns(manualClock());
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>());
  const all = ends.map(({ promise }, number) =>
    turns(unknown, async () => {
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
  const first = [turns(unknown, () => end.promise), turns(unknown, () => end.promise)];
  let hasBegun = false;
  const late = turns(unknown, async () => {
    hasBegun = true;
  });
  const refused = expect(late).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 5_000 });
  await clock.advance(5_000);
  await refused;
  end.resolve(undefined);
  await Promise.all(first);
  expect(hasBegun).toBe(false);
  await expect(turns(unknown, async () => "free again")).resolves.toBe("free again");
});

test("work that fails makes room", async () => {
  const turns = createHashTurns(manualClock());
  const failing = async () => {
    throw new Error("It failed.");
  };
  for (let n = 0; n < 5; n++) await expect(turns(unknown, failing)).rejects.toThrow("It failed.");
});

describe("the work of several sources", () => {
  /** Both turns are taken. `free` ends a piece of work, and returns the work that began after it. */
  function taken() {
    const clock = manualClock();
    const turns = createHashTurns(clock);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (source: string, isAwaited = () => true) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const asked = turns({ source, isAwaited }, async () => {
        begun.push(source);
        ends.push(() => resolve(undefined));
        await promise;
      });
      return asked.then(
        () => "done",
        (error: unknown) => (error as { readonly code: string }).code,
      );
    };
    const free = async (): Promise<string | undefined> => {
      const before = begun.length;
      ends.shift()?.();
      await clock.settle();
      return begun[before];
    };
    for (const source of ["first", "second"]) void ask(source);
    return { clock, ask, free };
  }

  test("takes turns: 30 pieces of one source delay another one by a single piece", async () => {
    const { ask, free } = taken();
    for (let n = 0; n < 30; n++) void ask("192.0.2.1");
    for (let n = 0; n < 2; n++) void ask("192.0.2.2");
    const order: unknown[] = [];
    for (let n = 0; n < 6; n++) order.push(await free());
    expect(order).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1"]);
  });

  test("waits up to 32 pieces of a source, and refuses further ones at once", async () => {
    const { ask, free } = taken();
    for (let n = 0; n < 32; n++) void ask("192.0.2.1");
    expect(await ask("192.0.2.1")).toBe("rate_limited");
    void ask("192.0.2.2");
    expect([await free(), await free()]).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  test("does not begin for callers who disconnected, who keep no place either", async () => {
    const { ask, free } = taken();
    let isGone = false;
    const gone = Array.from({ length: 32 }, () => ask("192.0.2.1", () => !isGone));
    isGone = true;
    const awaited = ask("192.0.2.1");
    expect(new Set(await Promise.all(gone))).toEqual(new Set(["overloaded"]));
    const late = ask("192.0.2.2", () => false);
    expect([await free(), await free()]).toEqual(["192.0.2.1", undefined]);
    expect(await late).toBe("overloaded");
    await free();
    expect(await awaited).toBe("done");
    void ask("192.0.2.3");
    void ask("192.0.2.4");
    void ask("192.0.2.5");
    expect(await free()).toBe("192.0.2.5");
  });
});
