import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Review } from "../api/models.ts";
import { reviewById } from "../api/reviews.ts";
import { useEnvironment } from "../shell/environment.ts";
import { buttonClass } from "../ui/button.tsx";
import { ClosedReview } from "./closed-review.tsx";
import { Changed } from "./stale-review.tsx";
import { openReviewOfRun } from "./use-reviews.ts";

/** The run went on and waits for another review than the one that was read. */
export function NextQuestion({ read }: { readonly read: Review }): ReactElement {
  const environment = useEnvironment();
  const open = useQuery(openReviewOfRun(environment, read.runId));
  const reviewId = open.data?.reviewId;
  const next = useQuery({ ...reviewById(environment, reviewId ?? ""), enabled: reviewId !== undefined });
  if (reviewId === undefined || next.data === undefined) return <ClosedReview review={read} />;
  return (
    <Changed
      before={read}
      after={next.data}
      action={
        <Link
          to="/$environment/reviews/$reviewId"
          params={{ environment, reviewId }}
          className={buttonClass("primary", "self-start")}
        >
          Read the present review
        </Link>
      }
    >
      Another reviewer decided the one that you read, and the run went on. Your decision was not recorded.
    </Changed>
  );
}
