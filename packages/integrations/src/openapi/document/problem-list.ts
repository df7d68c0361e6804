import type { ImportProblem } from "../imported-api.ts";

/** A text with more faults than this is listed in part: nobody reads on. */
export const maxListedProblems = 500;

/** Gathers problems, keeps the first 500, and counts the rest. */
export interface ProblemList {
  /** `make` runs only for a problem that is kept. */
  add(make: () => ImportProblem): void;
  /** In the order in which they were added; the last one says how many are not listed. */
  listed(): readonly ImportProblem[];
}

export function createProblemList(): ProblemList {
  const kept: ImportProblem[] = [];
  let dropped = 0;
  return {
    add(make) {
      if (kept.length < maxListedProblems) kept.push(make());
      else dropped += 1;
    },
    listed() {
      if (dropped === 0) return kept;
      const message = `There are ${dropped} more problems, which are not listed; correct these first.`;
      return [...kept, { severity: "error", pointer: "", message }];
    },
  };
}
