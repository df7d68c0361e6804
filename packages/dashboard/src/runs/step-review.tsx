import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleX } from "lucide-react";
import type { ReactElement } from "react";
import type { Review, Run, RunTimelineStep } from "../api/models.ts";
import { reviewById } from "../api/reviews.ts";
import { useEnvironment } from "../shell/environment.ts";
import { buttonClass } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Moment } from "../values/moment.tsx";
import { SentCall } from "./sent-call.tsx";
import { StepSection } from "./step-section.tsx";

const statusWords: Readonly<Record<Review["status"], string>> = {
  open: "Waiting for a decision",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired before it was decided",
  settled: "Settled by a late answer",
  cancelled: "Cancelled with the run",
};

interface StepReviewProps {
  readonly run: Run;
  readonly step: RunTimelineStep;
  readonly reviewId: string;
}

/** Who decided about a step, when, and on what they decided. */
export function StepReview({ run, step, reviewId }: StepReviewProps): ReactElement {
  const environment = useEnvironment();
  const { data: review, error, refetch } = useQuery(reviewById(environment, reviewId));
  return (
    <StepSection part="review" aside={review && statusWords[review.status]}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {review === undefined && error === null && <Skeleton rows={2} />}
      {review !== undefined && (
        <div className="flex flex-col gap-3 rounded-panel border border-hairline px-3 py-2">
          {step.reviewId !== reviewId && (
            <p className="text-text-2">This call was approved before, in “{review.title}”.</p>
          )}
          <Decisions review={review} />
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4">
            <dt className="text-text-3">Digest</dt>
            <dd>
              <Identifier what="review digest" id={review.digest} />
            </dd>
          </dl>
          <SentCall run={run} review={review} />
          <Link
            to="/$environment/reviews/$reviewId"
            params={{ environment, reviewId }}
            className={buttonClass("secondary", "self-start print:hidden")}
          >
            View review
          </Link>
        </div>
      )}
    </StepSection>
  );
}

function Decisions({ review }: { readonly review: Review }): ReactElement {
  const { decisions, approvalsGiven, approvalsNeeded, digest } = review;
  return (
    <div className="flex flex-col gap-1.5">
      {approvalsNeeded > 1 && (
        <p>
          {approvalsGiven} of {approvalsNeeded} approvals.
        </p>
      )}
      {decisions.length === 0 && <p className="text-text-2">No one has decided yet.</p>}
      <ul className="flex flex-col gap-1.5">
        {decisions.map((decision) => {
          const { decisionId, person, approved, decidedAt, rejectionReason } = decision;
          const Icon = approved ? CircleCheck : CircleX;
          return (
            <li key={decisionId} className="flex gap-1.5">
              <Icon
                aria-hidden
                size={14}
                className={`mt-[3px] shrink-0 ${approved ? "text-completed" : "text-failed"}`}
              />
              <div className="min-w-0 wrap-anywhere">
                <span className="font-medium">
                  {approved ? "Approved" : "Rejected"} by {person}
                </span>
                , <Moment at={decidedAt} />
                {rejectionReason !== undefined && <p className="whitespace-pre-wrap">{rejectionReason}</p>}
                {decision.digest !== digest && (
                  <p className="text-failed">Decided on other content, with the digest {decision.digest}.</p>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
