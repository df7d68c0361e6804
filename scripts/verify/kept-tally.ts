import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../workspace.ts";
import type { Tally } from "./steps.ts";

const path = join(root, "reports/verify.json");

/** Stores the counts and failures of `pnpm verify` in `reports/verify.json`. */
export function keepTally(tally: Tally): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(tally)}\n`);
}

/** Removes the counts of an earlier run, so that they cannot be mistaken for those of an aborted run. */
export function forgetTally(): void {
  rmSync(path, { force: true });
}

const unfinished: Tally = { passed: 0, failed: 1, failures: ["verify did not finish"] };

/** Returns the counts of the last `pnpm verify`; one failure if that run did not finish. */
export function keptTally(): Tally {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Tally) : unfinished;
}

/** Returns the sum of two tallies. */
export function addTallies(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    failures: [...a.failures, ...b.failures],
  };
}
