import { expect, test } from "vitest";
import { createFairTurns } from "./fair-turns.ts";

function ordered() {
  const turns = createFairTurns();
  const order: string[] = [];
  return {
    order,
    take: (environment: "sandbox" | "live", via: string, name: string) =>
      turns({ environment, via }, async () => void order.push(name)),
  };
}

test("environments take turns, regardless of their numbers of changes", async () => {
  const { order, take } = ordered();
  const flood = Array.from({ length: 5 }, (_, number) => take("sandbox", "s", `s${number}`));
  await Promise.all([...flood, take("live", "l", "l0"), take("live", "l", "l1")]);
  expect(order).toEqual(["s0", "s1", "l0", "s2", "l1", "s3", "s4"]);
});

test("keys of one environment take turns, regardless of their numbers of changes", async () => {
  const { order, take } = ordered();
  const flood = Array.from({ length: 4 }, (_, number) => take("live", "a", `a${number}`));
  await Promise.all([...flood, take("live", "b", "b0"), take("live", "c", "c0")]);
  expect(order).toEqual(["a0", "a1", "b0", "c0", "a2", "a3"]);
});

test("runs one piece of work at a time, and continues after a failed one", async () => {
  const turns = createFairTurns();
  let working = 0;
  const work = async (): Promise<void> => {
    working += 1;
    expect(working).toBe(1);
    await Promise.resolve();
    working -= 1;
    throw new Error("no");
  };
  const all = await Promise.allSettled(["a", "b", "a"].map((via) => turns({ via }, work)));
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await turns({}, async () => "free")).toBe("free");
});
