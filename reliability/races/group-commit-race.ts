import assert from "node:assert/strict";
import fc from "fast-check";
import { groupCommit } from "@procedo/storage";
import { race } from "./race.ts";

const fates = ["committed", "fenced", "refused"] as const;
const environments = ["sandbox", "live", undefined] as const;

const arbitrary = fc.record({
  scheduler: fc.scheduler(),
  rows: fc.array(
    fc.record({
      fate: fc.constantFrom(...fates),
      environment: fc.constantFrom(...environments),
      key: fc.constantFrom("a", "b", "c", "d"),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  failingFlushes: fc.array(fc.boolean(), { maxLength: 6 }),
  concurrency: fc.integer({ min: 1, max: 3 }),
});

export const groupCommitRace = race(
  "group commit: each row gets its own answer, and none is lost, overtaken or answered before it is durable",
  arbitrary,
  async ({ scheduler, rows, failingFlushes, concurrency }) => {
    const failures = [...failingFlushes];
    const durable: number[] = [];
    const locked = new Set<string>();
    let underWay = 0;
    const soon = (callback: () => void): void => void scheduler.schedule(Promise.resolve(), "soon").then(callback);

    const group = groupCommit({
      clock: { soon, monotonic: () => 0, after: () => () => undefined },
      concurrency,
      fairBy: ({ environment }: (typeof rows)[number] & { readonly number: number }) => environment,
      keysOf: ({ key }) => [key],
      flush: async (items) => {
        underWay += 1;
        assert.ok(underWay <= concurrency);
        for (const { key } of items) {
          assert.ok(!locked.has(key), "Two rows of one key are under way.");
          locked.add(key);
        }
        await scheduler.schedule(Promise.resolve(), "flush");
        const isFailing = failures.shift() === true;
        if (!isFailing) durable.push(...items.map(({ number }) => number));
        await scheduler.schedule(Promise.resolve(), "flushed");
        underWay -= 1;
        for (const { key } of items) locked.delete(key);
        if (isFailing) throw new Error("Storage failed.");
        return items.map(({ fate }) => ({ status: fate }));
      },
    });

    const added = new Map<string, number[]>();
    const answers = rows.map(async (row, number) => {
      await scheduler.schedule(Promise.resolve(), `row ${number} is ready`);
      added.set(row.key, [...(added.get(row.key) ?? []), number]);
      try {
        const { status } = await group.add({ ...row, number });
        assert.equal(status, row.fate);
        assert.ok(durable.includes(number));
      } catch (error) {
        assert.ok(error instanceof Error && error.message === "Storage failed.", String(error));
      }
    });
    await scheduler.waitFor(Promise.all(answers));
    for (const [key, numbers] of added) {
      const stored = durable.filter((number) => rows[number]?.key === key);
      assert.deepEqual(
        stored,
        numbers.filter((number) => stored.includes(number)),
      );
    }
  },
);
