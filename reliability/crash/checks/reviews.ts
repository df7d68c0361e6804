import type { Check } from "./check.ts";

/**
 * A review has one outcome, the stored one, and one decision per person. The run receives the outcome exactly once,
 * even if it changes nothing any more.
 */
export const reviews: Check = ({ database, runs, decisions }) => {
  const faults: string[] = [];
  const storedOf = new Map(database.reviews.map((review) => [review.reviewId, review]));
  const answers = new Map<string, string[]>();
  const overtaken = new Set<string>();
  for (const { entries, stored } of runs) {
    for (const { entry } of entries) {
      if (entry.type === "review_opened" && !storedOf.has(entry.review.reviewId)) {
        faults.push(`Run ${stored.runId} opened review ${entry.review.reviewId}, which is not stored.`);
      }
      if (entry.type === "superseded") overtaken.add(entry.effectKey);
      if (entry.type !== "review_closed") continue;
      answers.set(entry.reviewId, [...(answers.get(entry.reviewId) ?? []), entry.answer.status]);
    }
  }
  const endedRuns = new Set(runs.filter(({ stored }) => stored.ended).map(({ stored }) => stored.runId));
  for (const { reviewId, runId, status, effectKey } of database.reviews) {
    const told = answers.get(reviewId) ?? [];
    const heard = told.length > 0 || overtaken.has(effectKey);
    if (told.length > 1) faults.push(`Review ${reviewId} was closed ${told.length} times.`);
    if (told.some((answer) => answer !== status))
      faults.push(`Review ${reviewId} is ${status}, folded as ${told.join()}.`);
    if (!endedRuns.has(runId)) continue;
    if (status === "open") faults.push(`Review ${reviewId} of an ended run is open.`);
    if (status !== "cancelled" && !heard)
      faults.push(`Review ${reviewId} is ${status}; its run never received the outcome.`);
  }
  const people = database.decisions.map(({ reviewId, person }) => `${person} on ${reviewId}`);
  if (new Set(people).size < people.length) faults.push("One person decided twice on one review.");
  for (const { reviewId, approved, acknowledged } of decisions) {
    const wanted = approved ? "approved" : "rejected";
    const status = storedOf.get(reviewId)?.status;
    if (acknowledged && status !== wanted) faults.push(`Review ${reviewId} was ${wanted}, and is ${status}.`);
  }
  return faults;
};
