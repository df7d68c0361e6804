import type { ImportProblem } from "../imported-api.ts";

/** Maximum number of listed faults of a text. Readers stop earlier. */
export const maxListedProblems = 500;

/** Collects the first 500 problems and counts the others. */
export interface ProblemList {
  /** `make` is called only when the problem is kept. */
  add(make: () => ImportProblem): void;
  /** The problems in order of addition. The last one states the number of problems that are not listed. */
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
