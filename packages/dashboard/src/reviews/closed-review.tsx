import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Review } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Alert } from "../ui/problem.tsx";
import { Moment } from "../values/moment.tsx";
import { openReviewOfRun } from "./use-reviews.ts";

/** How a review was closed, and the review that its run waits for now. */
export function ClosedReview({ review }: { readonly review: Review }): ReactElement {
  const environment = useEnvironment();
  const next = useQuery(openReviewOfRun(environment, review.runId));
  return (
    <Alert tone="review">
      <p>{headline(review.status)}</p>
      <p className="font-normal text-text">
        <Sentence review={review} />
      </p>
      {next.data !== undefined && next.data !== null && (
        <p className="font-normal text-text">
          The run waits for another review now:{" "}
          <Link to="/$environment/reviews/$reviewId" params={{ environment, reviewId: next.data.reviewId }}>
            {next.data.title}
          </Link>
        </p>
      )}
    </Alert>
  );
}

function headline(status: Review["status"]): string {
  switch (status) {
    case "expired":
      return "This review has expired.";
    case "cancelled":
      return "The run was cancelled.";
    case "settled":
      return "The outcome is known now.";
    default:
      return "Already decided";
  }
}

function Sentence({ review: { status, decisions, closedAt } }: { readonly review: Review }): ReactElement {
  const last = decisions.at(-1);
  if (status === "expired") return <>No one decided in time, so the run failed. Start the run again if it is needed.</>;
  if (status === "cancelled") return <>No decision is needed.</>;
  if (status === "settled") return <>The other service answered late. No decision is needed.</>;
  return (
    <>
      {status === "approved" ? "Approved" : "Rejected"}
      {last !== undefined && ` by ${last.person}`}
      {closedAt !== undefined && (
        <>
          , <Moment at={closedAt} />
        </>
      )}
      .
    </>
  );
}
