import type { Client, Decision, Review, Run } from "@procedo/client";

/** A person's answer to a review. */
export type Answer = (review: Review) => Promise<Decision>;

/** Decides the review that the person read. If the review has changed since then, the decision is refused. */
export async function decideReview(person: Client, runId: string, answer: Answer): Promise<void> {
  const { review: open } = (await person.runs.get(runId)) as Extract<Run, { readonly status: "awaiting_review" }>;
  if (open === undefined) throw new Error(`Run "${runId}" waits for a review, but the run shows none.`);
  const review = await person.reviews.get(open.reviewId);
  await person.reviews.decide(review, await answer(review));
}

/** The answer where the story has no review. */
export async function unexpectedReview(review: Review): Promise<Decision> {
  throw new Error(`An unexpected review was opened: ${review.title}`);
}
