import { useQuery } from "@tanstack/react-query";
import type { Environment, Review, Run } from "../api/models.ts";
import { reviewById } from "../api/reviews.ts";

/** The review that a run waits for. */
export function useOpenReview(environment: Environment, run: Run | undefined): Review | undefined {
  const reviewId = run?.status === "awaiting_review" ? run.review?.reviewId : undefined;
  const { data } = useQuery({ ...reviewById(environment, reviewId ?? ""), enabled: reviewId !== undefined });
  return reviewId === undefined ? undefined : data;
}
