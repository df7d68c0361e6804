import { cases } from "@procedo-testing/tiers";
import { expect, it } from "vitest";
import { flipDatabaseBits, flipWalBits } from "./bit-flips.ts";
import { temporaryDirectory } from "./temporary-files.ts";
import { tearWal } from "./torn-wal.ts";

const flips = { commit: 200, nightly: 2_000, release: 2_000 };

it("a torn WAL leaves a prefix of the acknowledged history (a sample)", async () => {
  const report = await tearWal({ directory: temporaryDirectory(), every: 41 });
  expect(report).toEqual({ variants: 201, failures: [] });
});

it("a flipped bit in the WAL leaves a prefix of the acknowledged history", async () => {
  const count = cases(flips);
  const report = await flipWalBits({ directory: temporaryDirectory(), count });
  expect(report).toEqual({ variants: count, failures: [] });
});

it("a flipped bit in the database file never shows another journal unnoticed", async () => {
  const report = await flipDatabaseBits({ directory: temporaryDirectory(), count: cases(flips) });
  expect(report.failures).toEqual([]);
  expect(report.noticed).toBeGreaterThan(0);
});
