import type { ReactElement } from "react";
import { hasAbility, useSession } from "../shell/session.ts";
import { useEnvironment } from "../shell/environment.ts";
import { mayOnlyLook } from "../shell/why-not.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ReviewListItem } from "./review-list-item.tsx";
import type { ReviewsSearch } from "./reviews-shown.ts";
import type { ReviewRows } from "./use-review-rows.ts";

/** The entries of a list of reviews. */
export function ReviewList({
  list: { rows, left, pages, removeLeft },
  search,
  presentId,
}: {
  readonly list: ReviewRows;
  readonly search: ReviewsSearch;
  /** The review that is open beside the list. */
  readonly presentId: string | undefined;
}): ReactElement {
  const { show = "mine" } = search;
  const gone = rows.filter(({ hasLeft }) => hasLeft).length;
  return (
    <div className="flex min-h-0 flex-col gap-3 lg:-mx-0.5 lg:overflow-y-auto lg:p-0.5">
      {pages.error !== null && <Problem error={pages.error} onRetry={pages.readAgain} />}
      {pages.isPending && <Skeleton />}
      {rows.length === 0 && pages.isSuccess && !pages.hasNextPage && <NoReviews show={show} />}
      {rows.length > 0 && (
        <ul aria-label="Reviews" className="divide-y divide-hairline rounded-panel border border-hairline bg-surface">
          {rows.map(({ review, hasLeft }) => (
            <ReviewListItem
              key={review.reviewId}
              review={review}
              hasLeft={hasLeft}
              left={left.get(review.reviewId)}
              search={search}
              isPresent={review.reviewId === presentId}
            />
          ))}
        </ul>
      )}
      {pages.hasNextPage && (
        <Button
          className="self-start"
          busyLabel={pages.isFetchingNextPage ? "Loading …" : undefined}
          onClick={pages.readMore}
        >
          Load more
        </Button>
      )}
      {gone > 0 && (
        <Button variant="quiet" className="self-start" onClick={removeLeft}>
          Hide {gone} {gone === 1 ? "review that needs" : "reviews that need"} nothing more
        </Button>
      )}
    </div>
  );
}

const nothing = {
  mine: "No reviews wait for you.",
  open: "No reviews are open.",
  decided: "No reviews were decided in the last 30 days.",
} as const;

function NoReviews({ show }: { readonly show: keyof typeof nothing }): ReactElement {
  const environment = useEnvironment();
  const mayReview = hasAbility(useSession(), environment, "review");
  return (
    <Empty title={nothing[show]}>
      {!mayReview && show === "mine" ? (
        <p className="text-text-2">{mayOnlyLook(environment)}</p>
      ) : (
        <p className="text-text-2">
          {show === "decided"
            ? "Decided reviews stay in the record of their run."
            : "A review waits when a procedure asks a person, a limit is reached, or the outcome of a call is unknown. New ones appear here at once."}
        </p>
      )}
    </Empty>
  );
}
