import type { Checker } from "./checker.ts";

export const oneOwner: Checker = {
  invariant: "owner",
  promise: "epochs never decrease along a journal, and each has one writer",
  always: true,
  check: ({ runs }) =>
    runs.flatMap(({ run, entries }) => {
      const faults: string[] = [];
      let recovered = 0;
      for (const { entry, row } of entries) {
        if (entry.type !== "recovered") continue;
        if (entry.epoch <= recovered) faults.push(`Run ${run.runId} was recovered twice under epoch ${entry.epoch}.`);
        if (entry.epoch !== row.epoch)
          faults.push(`Run ${run.runId}: row ${row.seq} names another epoch than its own.`);
        recovered = entry.epoch;
      }
      const writers = new Map<number, string>();
      for (const { epoch, commit, seq } of run.rows) {
        if (commit.then.kind !== "hot") continue;
        const { workerId } = commit.then;
        const writer = writers.get(epoch) ?? workerId;
        if (writer !== workerId) faults.push(`Run ${run.runId}: row ${seq} has another writer in epoch ${epoch}.`);
        writers.set(epoch, writer);
      }
      return faults;
    }),
};
