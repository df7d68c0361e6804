import type { Checker } from "./checker.ts";

export const wholeJournal: Checker = {
  invariant: "chain",
  promise: "each journal has the rows 1 to n that storage accepted, and its chain verifies",
  always: false,
  check: async ({ runs, storage }) => {
    const faults: string[] = [];
    for (const { run } of runs) {
      const rows = await storage.runs.journal({ scope: run.scope, runId: run.runId });
      const same = rows.length === run.rows.length && rows.every((row, at) => row.hash === run.rows[at]?.hash);
      if (!same) faults.push(`The journal of ${run.runId} is not what storage accepted.`);
    }
    return faults;
  },
};
