import type { JsonObject } from "@procedo/contract";
import type { Entry, OpenReview } from "@procedo/procedure";
import type { NewReview, RunPlace } from "@procedo/storage";

/**
 * Up to this size, reading a journal is as quick as reading a row. For a longer journal, the data that answers polls is
 * stored a second time: the run's output and the content of its open review.
 */
export const shortJournalBytes = 8 * 1024;

/** The content of a review that is shown beside its title, as stored. */
export type ShownText = Pick<OpenReview, "data" | "call">;

/** The end of a run with a long journal, with the output from its entries. */
export function withOutput(then: RunPlace, entries: readonly Entry[]): RunPlace {
  const ended = entries.at(-1);
  if (then.kind !== "ended" || ended?.type !== "ended" || ended.result.status !== "completed") return then;
  return { ...then, output: JSON.stringify(ended.result.output) };
}

/** A review of a run with a long journal, with its content from these entries. */
export function withShown(review: NewReview, entries: readonly Entry[]): NewReview {
  const opened = entries.findLast((entry) => entry.type === "review_opened");
  if (opened?.review.reviewId !== review.reviewId) return review;
  const { data, call } = opened.review;
  const shown: ShownText = { data, ...(call !== undefined && { call }) };
  return { ...review, shown: JSON.stringify(shown) };
}

/** The output in the last of these entries; `undefined` if that entry is not the end of a completed run. */
export function outputOf(entries: readonly Entry[]): JsonObject | undefined {
  const ended = entries.at(-1);
  return ended?.type === "ended" && ended.result.status === "completed" ? ended.result.output : undefined;
}
