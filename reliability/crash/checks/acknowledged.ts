import type { Check } from "./check.ts";

/** Every acknowledged start, decision and cancellation is stored, and no start created two runs. */
export const acknowledged: Check = ({ database, runs, starts, decisions }) => {
  const faults: string[] = [];
  const storedRuns = new Map(runs.map(({ stored }) => [stored.runId, stored]));
  for (const { key, runId, cancel } of starts) {
    if (runId === undefined) continue;
    const run = storedRuns.get(runId);
    if (cancel === "acknowledged" && run?.cancelled === false) faults.push(`The cancel of ${runId} is not there.`);
    if (run === undefined) faults.push(`Start ${key} was acknowledged as ${runId}, which is not there.`);
    if (database.keys.get(key) !== runId)
      faults.push(`Key ${key} was acknowledged as ${runId}, and is not held by it.`);
  }
  const runsOfNumber = Map.groupBy(runs, ({ state }) => (state?.input as { readonly n?: number } | undefined)?.n);
  for (const [n, same] of runsOfNumber) {
    if (same.length > 1) faults.push(`Start ${n} made ${same.length} runs.`);
  }
  const stored = new Map(database.decisions.map((decision) => [decision.idempotencyKey, decision]));
  for (const { idempotencyKey, reviewId, approved, acknowledged: known } of decisions) {
    const kept = stored.get(idempotencyKey);
    if (known && kept === undefined) faults.push(`A decision on ${reviewId} was acknowledged and is not there.`);
    if (kept !== undefined && (kept.approved !== approved || kept.reviewId !== reviewId)) {
      faults.push(`The decision on ${reviewId} is stored as another one.`);
    }
  }
  return faults;
};
