import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Review } from "../api/models.ts";
import { reviewById } from "../api/reviews.ts";
import { useEnvironment } from "../shell/environment.ts";
import { PageHeading } from "../shell/page.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import type { Decision } from "./decide.ts";
import { DecisionPanel } from "./decision-panel.tsx";
import { nextChangeMs } from "./next-change.ts";
import { ReviewContent } from "./review-content.tsx";
import { ReviewHeader } from "./review-header.tsx";
import type { ReviewsSearch } from "./reviews-shown.ts";
import { isStaleReview } from "./is-stale-review.ts";
import { StaleReview } from "./stale-review.tsx";

interface ReviewViewProps {
  readonly reviewId: string;
  readonly search: ReviewsSearch;
  /** Whether it opened by itself, after the decision about another review. */
  readonly isAfterDecision: boolean;
  /** Whether the reader has just decided it. */
  readonly isJustDecided: boolean;
  readonly onDecided: (review: Review, decision: Decision) => void;
}

/** One review: the call that is sent, what was shown, who decides, and the decision. */
export function ReviewView({ reviewId, search, ...decision }: ReviewViewProps): ReactElement {
  const environment = useEnvironment();
  const found = useQuery({
    ...reviewById(environment, reviewId),
    refetchInterval: ({ state: { data } }) => data !== undefined && nextChangeMs(data, Date.now()),
  });
  return (
    <article className="relative flex max-w-[54rem] flex-col gap-5 rounded-panel border border-hairline bg-surface p-5 max-lg:border-0 max-lg:bg-transparent max-lg:p-0 print:border-0 print:p-0">
      <div
        className="flex items-center justify-between gap-2 max-lg:-mb-3 lg:absolute lg:top-3 lg:right-3"
        data-print="hide"
      >
        <Link
          to="/$environment/reviews"
          params={{ environment }}
          search={search}
          className="flex min-h-8 items-center gap-1 text-text-2 lg:hidden pointer-coarse:min-h-11"
        >
          <ArrowLeft aria-hidden size={14} /> All reviews
        </Link>
        <span className="ml-auto">
          <CopyAsCurl request={{ path: `/api/v1/reviews/${reviewId}?environment=${environment}` }} />
        </span>
      </div>
      {found.data === undefined && <PageHeading>Review</PageHeading>}
      {found.error !== null && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton />}
      {found.data !== undefined && (
        <ReadReview latest={found.data} readAgain={() => void found.refetch()} {...decision} />
      )}
    </article>
  );
}

/**
 * Shows the review as it was when the person began to read. A newer state of an open review is shown beside it, and
 * is decided only after the person has seen it.
 */
function ReadReview({
  latest,
  readAgain,
  ...decision
}: Omit<ReviewViewProps, "reviewId" | "search"> & {
  readonly latest: Review;
  readonly readAgain: () => void;
}): ReactElement {
  const [read, setRead] = useState(latest);
  const isStale = isStaleReview(read, latest);
  // A closed review is shown as it was decided.
  const shown = isStale ? read : latest;
  return (
    <>
      <ReviewHeader review={shown} />
      {isStale && <StaleReview before={read} after={latest} onRead={() => setRead(latest)} />}
      <ReviewContent review={shown} />
      {/* A decision that failed about another content says nothing about this one. */}
      <DecisionPanel key={shown.digest} review={shown} isStale={isStale} readAgain={readAgain} {...decision} />
    </>
  );
}
