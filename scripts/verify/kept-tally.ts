import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../workspace.ts";
import type { Tally } from "./steps.ts";

const path = join(root, "reports/verify.json");

/** Leaves what `pnpm verify` counted, and what failed, in `reports/verify.json`. */
export function keepTally(tally: Tally): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(tally)}\n`);
}

/** Removes the counts of an earlier run, so that nobody takes them for those of one that broke. */
export function forgetTally(): void {
  rmSync(path, { force: true });
}

const unfinished: Tally = { passed: 0, failed: 1, failures: ["verify did not come to its end"] };

/** What the last `pnpm verify` counted; one failure when it did not come to its end. */
export function keptTally(): Tally {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Tally) : unfinished;
}

/** The sum of both. */
export function addTallies(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    failures: [...a.failures, ...b.failures],
  };
}
