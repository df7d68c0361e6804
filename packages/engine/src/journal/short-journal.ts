import type { JsonObject } from "@procedo/contract";
import type { Entry, OpenReview } from "@procedo/procedure";
import type { NewReview, RunPlace } from "@procedo/storage";

/**
 * A journal of so many bytes is as quickly read as a row. What a poll answers of a longer one is stored once more: the
 * output of the run and what its open review shows.
 */
export const shortJournalBytes = 8 * 1024;

/** What of a review is shown beside its title, as storage keeps it. */
export type ShownText = Pick<OpenReview, "data" | "call">;

/** The end of a run with a long journal, with the output that one of these entries tells. */
export function withOutput(then: RunPlace, entries: readonly Entry[]): RunPlace {
  const ended = entries.at(-1);
  if (then.kind !== "ended" || ended?.type !== "ended" || ended.result.status !== "completed") return then;
  return { ...then, output: JSON.stringify(ended.result.output) };
}

/** A review of a run with a long journal, with what it shows, as one of these entries tells. */
export function withShown(review: NewReview, entries: readonly Entry[]): NewReview {
  const asked = entries.findLast((entry) => entry.type === "review_opened");
  if (asked?.review.reviewId !== review.reviewId) return review;
  const { data, call } = asked.review;
  const shown: ShownText = { data, ...(call !== undefined && { call }) };
  return { ...review, shown: JSON.stringify(shown) };
}

/** The output that the last of these entries tells; `undefined` where it is not the end of a completed run. */
export function outputOf(entries: readonly Entry[]): JsonObject | undefined {
  const ended = entries.at(-1);
  return ended?.type === "ended" && ended.result.status === "completed" ? ended.result.output : undefined;
}
