import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate, useParams } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import type { Review } from "../api/models.ts";
import { reviewById } from "../api/reviews.ts";
import { useEnvironment } from "../shell/environment.ts";
import { PageHeading } from "../shell/page.tsx";
import { cx } from "../ui/cx.ts";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import type { Decision } from "./decide.ts";
import { DecisionNotice, type MadeDecision } from "./decision-notice.tsx";
import { nextToDecide } from "./kept-rows.ts";
import { ReviewList } from "./review-list.tsx";
import { ReviewLists } from "./review-lists.tsx";
import { ReviewView } from "./review-view.tsx";
import { useQueueShortcuts } from "./use-queue-shortcuts.ts";
import { useReviewRows } from "./use-review-rows.ts";
import { reviewsQuery } from "./use-reviews.ts";

const route = getRouteApi("/signed-in/$environment/reviews");

/** The queue of reviews, and beside it the one that is open. A narrow screen shows one of the two. */
export function ReviewsPage(): ReactElement {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const search = route.useSearch();
  const { reviewId } = useParams({ strict: false });
  const list = useReviewRows(environment, search);
  const review = useQuery({ ...reviewById(environment, reviewId ?? ""), enabled: reviewId !== undefined });
  const [made, setMade] = useState<MadeDecision>();
  const [openedAtMs] = useState(() => Date.now());
  useQueueShortcuts(list.rows, reviewId, search);

  const onDecided = (decided: Review, decision: Decision): void => {
    const next = nextToDecide(list.rows, decided.reviewId);
    setMade({ decided, decision, shownAt: next?.reviewId ?? decided.reviewId });
    if (next === undefined) return;
    void navigate({
      to: "/$environment/reviews/$reviewId",
      params: { environment, reviewId: next.reviewId },
      search,
      resetScroll: true,
    });
  };
  const isOpen = reviewId !== undefined;
  const notice = isOpen && made?.shownAt === reviewId ? made : undefined;
  return (
    <main
      id="content"
      aria-busy={isOpen ? review.isPending : list.pages.isPending}
      className="mx-auto grid w-full max-w-[1440px] items-start gap-x-6 gap-y-4 p-4 md:p-6 lg:grid-cols-[minmax(17rem,23rem)_minmax(0,1fr)] print:block"
    >
      <div
        data-print={isOpen ? "hide" : undefined}
        className={cx(
          "flex min-w-0 flex-col gap-3 lg:sticky lg:top-12 lg:max-h-[calc(100dvh-4.5rem)]",
          isOpen && "max-lg:hidden",
        )}
      >
        <header className="flex min-h-8 flex-wrap items-start justify-between gap-2 pointer-coarse:min-h-11">
          {isOpen ? (
            <p className="text-heading font-semibold">Pending Reviews</p>
          ) : (
            <PageHeading>Pending Reviews</PageHeading>
          )}
          {!isOpen && <CopyAsCurl request={{ path: listPath(reviewsQuery(environment, search, openedAtMs)) }} />}
        </header>
        <ReviewLists search={search} />
        <ReviewList list={list} search={search} presentId={reviewId} />
      </div>
      <div className={cx("flex min-w-0 flex-col gap-4", !isOpen && "max-lg:hidden")}>
        <DecisionNotice made={notice} />
        {isOpen ? (
          <ReviewView
            key={reviewId}
            reviewId={reviewId}
            search={search}
            isAfterDecision={notice !== undefined && notice.decided.reviewId !== reviewId}
            isJustDecided={notice?.decided.reviewId === reviewId}
            onDecided={onDecided}
          />
        ) : (
          list.rows.length > 0 && (
            <p className="rounded-panel border border-dashed border-control px-5 py-10 text-center text-text-2">
              Choose a review to see what it asks. <kbd className="font-mono text-code">j</kbd> opens the next one.
            </p>
          )
        )}
      </div>
    </main>
  );
}

function listPath(query: Readonly<Record<string, string | number>>): string {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `/api/v1/reviews?${new URLSearchParams(parameters).toString()}`;
}
