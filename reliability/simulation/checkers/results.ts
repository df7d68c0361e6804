import type { Checker } from "./checker.ts";

export const oneResult: Checker = {
  invariant: "results",
  promise: "an attempt has one result, a visit has at most one that counts, and no run ends with an open call",
  always: true,
  check: ({ runs }) =>
    runs.flatMap(({ run, entries }) => {
      const faults: string[] = [];
      const results = new Set<string>();
      const effective = new Set<string>();
      let open: string | undefined;
      for (const { entry } of entries) {
        if (entry.type === "intent") {
          if (open !== undefined) faults.push(`Run ${run.runId}: ${open} was still open when another call began.`);
          open = `${entry.nodeId}/${entry.visit}/${entry.call}/${entry.attempt}`;
        }
        if (entry.type === "ended" && open !== undefined) {
          faults.push(`Run ${run.runId} ended without the outcome of ${open}.`);
        }
        if (entry.type !== "outcome") continue;
        const attempt = `${entry.nodeId}/${entry.visit}/${entry.call}/${entry.attempt}`;
        if (entry.late !== true && open !== attempt) {
          faults.push(`Run ${run.runId} has an outcome of ${attempt}, which is not open.`);
        }
        // A late answer may request a repetition of the same call.
        open = undefined;
        const result = `${attempt}/${entry.late ?? false}`;
        if (results.has(result)) faults.push(`Run ${run.runId} has two outcomes of ${attempt}.`);
        results.add(result);
        if (entry.retryAtMs !== undefined || entry.result.status === "unknown") continue;
        const visit = `${entry.nodeId}/${entry.visit}`;
        if (effective.has(visit)) faults.push(`Run ${run.runId} has two results of ${visit}.`);
        effective.add(visit);
      }
      return faults;
    }),
};
