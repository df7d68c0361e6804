import type { ProofResult } from "../proof-group.ts";

/**
 * Distributes the items over lanes, which work concurrently. A killed node's successor mostly waits for a lease, so a
 * database per lane costs little.
 */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (items: readonly T[], lane: number) => Promise<void>,
): Promise<void> {
  const dealt = Array.from({ length: lanes }, (_, lane) => items.filter((_item, index) => index % lanes === lane));
  await Promise.all(dealt.filter((lane) => lane.length > 0).map(work));
}

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
