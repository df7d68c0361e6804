import { isDeepStrictEqual } from "node:util";
import { keysMayHaveExpired } from "../history.ts";
import type { Checker, Evidence } from "./checker.ts";

/**
 * The longest time for which a worker may be busy with a call, or storage unavailable, after a cancellation was
 * acknowledged.
 */
const cancelSlackMs = 30_000;

export const acknowledgedWrites: Checker = {
  invariant: "acknowledged",
  promise: "every acknowledged start, decision and cancellation is stored",
  always: false,
  check: async (evidence) => [
    ...(await lostStarts(evidence)),
    ...(await lostDecisions(evidence)),
    ...ignoredCancels(evidence),
  ],
};

async function lostStarts({ history, storage, workspace }: Evidence): Promise<readonly string[]> {
  const faults: string[] = [];
  const runOfKey = new Map<string, string>();
  for (const { runId, environment, idempotencyKey, data } of history.starts) {
    const row = await storage.runs.get({ scope: { workspace, environment }, runId });
    if (row === undefined) faults.push(`Run ${runId} was acknowledged and is not there.`);
    const started = history.runs.get(runId)?.rows[0]?.body;
    if (started !== undefined && !started.includes(JSON.stringify(data))) {
      faults.push(`Run ${runId} was started with other data than it has.`);
    }
    if (idempotencyKey === undefined || keysMayHaveExpired(history)) continue;
    const first = runOfKey.get(idempotencyKey);
    if (first !== undefined && first !== runId) faults.push(`Key ${idempotencyKey} started ${first} and ${runId}.`);
    runOfKey.set(idempotencyKey, runId);
  }
  return faults;
}

async function lostDecisions({ history, storage, workspace }: Evidence): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { reviewId, environment, person, approved, idempotencyKey, answer } of history.decisions) {
    if (answer === undefined || answer === "refused") continue;
    const row = await storage.reviews.get({ scope: { workspace, environment }, reviewId });
    const kept = row?.decisions.map((body) => JSON.parse(body) as Record<string, unknown>) ?? [];
    if (
      answer !== "replayed" &&
      !kept.some((decision) => isDeepStrictEqual(decision["idempotencyKey"], idempotencyKey))
    ) {
      faults.push(`The decision of ${person} on ${reviewId} was acknowledged and is not there.`);
    }
    if (answer === "approved" && row?.status !== "approved") {
      faults.push(`Review ${reviewId} was acknowledged as approved and is ${row?.status}.`);
    }
    if (answer === "rejected" && (row?.status !== "rejected" || approved)) {
      faults.push(`Review ${reviewId} was acknowledged as rejected and is ${row?.status}.`);
    }
  }
  return faults;
}

function ignoredCancels({ history, runs }: Evidence): readonly string[] {
  return history.cancels.flatMap(({ runId, atMs }) => {
    const run = runs.find((followed) => followed.run.runId === runId);
    if (run === undefined) return [`Run ${runId} was cancelled and is not there.`];
    if (run.entries.some(({ entry }) => entry.type === "cancel_requested")) return [];
    const later = run.entries.find(({ entry, row }) => entry.type === "intent" && row.atMs > atMs + cancelSlackMs);
    return later === undefined
      ? []
      : [`Run ${runId} was cancelled at ${atMs} and still made a call at ${later.row.atMs}.`];
  });
}
