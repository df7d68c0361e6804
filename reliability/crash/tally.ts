import type { ProofResult } from "../proof-group.ts";

/** Counts and failures of a group over all its lanes. */
export interface Tally {
  add(name: string, count?: number): void;
  fail(text: string): void;
  result(more?: Readonly<Record<string, number>>): ProofResult;
}

export function tally(): Tally {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  return {
    add: (name, count = 1) => {
      counts[name] = (counts[name] ?? 0) + count;
    },
    fail: (text) => void failures.push(text),
    result: (more = {}) => ({ counts: { ...counts, ...more }, failures }),
  };
}
