import type { TracedRun } from "../evidence.ts";
import type { Check } from "./check.ts";

/**
 * Each journal has rows 1 to n, verifies and folds; each attempt has one result; the folded state is the
 * stored one; epochs only grow.
 */
export const journals: Check = ({ runs, database }) => [
  ...(database.integrity === "ok" ? [] : [`The file is damaged: ${database.integrity}`]),
  ...runs.flatMap((run) => {
    const faults = run.broken === undefined ? judge(run) : [`its journal is broken: ${run.broken}`];
    return faults.map((fault) => `Run ${run.stored.runId}: ${fault}.`);
  }),
];

function judge({ stored, state, entries }: TracedRun): readonly string[] {
  const faults: string[] = [];
  const cursor = state?.cursor;
  if (cursor === undefined) return ["it has no row"];
  if (stored.ended !== (cursor.at === "ended"))
    faults.push(`stored as ${stored.status}, its journal is at ${cursor.at}`);
  if (cursor.at === "ended" && cursor.result.status !== stored.status) {
    faults.push(`stored as ${stored.status}, ended as ${cursor.result.status}`);
  }
  if (stored.status === "awaiting_review" && cursor.at !== "review") {
    faults.push(`stored as ${stored.status}, its journal is at ${cursor.at}`);
  }
  const results = new Set<string>();
  let epoch = 1;
  for (const { entry } of entries) {
    if (entry.type === "outcome" && entry.late !== true) {
      const attempt = `${entry.nodeId}, visit ${entry.visit}, call ${entry.call}, attempt ${entry.attempt}`;
      if (results.has(attempt)) faults.push(`two results of ${attempt}`);
      results.add(attempt);
    }
    if (entry.type === "recovered") {
      if (entry.epoch <= epoch) faults.push(`epoch ${entry.epoch} follows epoch ${epoch}`);
      epoch = entry.epoch;
    }
  }
  if (epoch > stored.epoch) faults.push(`epoch ${epoch} in the journal, ${stored.epoch} in the queue`);
  return faults;
}
