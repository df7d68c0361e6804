import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState, type ReactElement } from "react";
import type { ReviewSummary } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Empty } from "../ui/empty.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Age, Until } from "../values/moment.tsx";
import { kindWords, statusWords } from "./review-words.ts";
import type { ReviewsShown } from "./reviews-shown.ts";
import { reviewsPages, reviewsQuery } from "./use-reviews.ts";

const route = getRouteApi("/signed-in/$environment/reviews");

const lists: readonly { readonly show: ReviewsShown; readonly name: string; readonly none: string }[] = [
  { show: "mine", name: "Mine", none: "No reviews wait for you." },
  { show: "open", name: "All open", none: "No reviews are open." },
  { show: "decided", name: "Decided", none: "No reviews were decided in the last 30 days." },
];

/** The queue of reviews, and the one that is open beside it. */
export function ReviewsPage(): ReactElement {
  const environment = useEnvironment();
  const { show = "mine" } = route.useSearch();
  const { reviewId } = useParams({ strict: false });
  const reviews = useInfiniteQuery(reviewsPages(environment, show));
  const items = useMemo(() => reviews.data?.pages.flatMap(({ data }) => data) ?? [], [reviews.data]);
  useQueueShortcuts(items, reviewId, show);
  const [openedAtMs] = useState(() => Date.now());
  const query = new URLSearchParams(
    Object.entries(reviewsQuery(environment, show, openedAtMs)).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  );
  const isOpen = reviewId !== undefined;
  return (
    <Page
      heading="Pending Reviews"
      isLoading={reviews.isPending}
      error={reviews.error}
      onRetry={() => void reviews.refetch()}
      actions={<CopyAsCurl request={{ path: `/api/v1/reviews?${query.toString()}` }} />}
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(18rem,2fr)_minmax(0,3fr)]">
        <div className={cx("flex min-w-0 flex-col gap-3", isOpen && "max-lg:hidden")}>
          <Lists show={show} />
          {items.length === 0 && reviews.isSuccess ? (
            <Empty title={lists.find((list) => list.show === show)?.none ?? ""}>
              <p>
                A review waits when a procedure asks a person, a limit is reached, or the outcome of a call is not
                known.
              </p>
            </Empty>
          ) : (
            <ul
              aria-label="Reviews"
              className="divide-y divide-hairline rounded-panel border border-hairline bg-surface"
            >
              {items.map((review) => (
                <Item key={review.reviewId} review={review} show={show} isPresent={review.reviewId === reviewId} />
              ))}
            </ul>
          )}
          {reviews.hasNextPage && <Button onClick={() => void reviews.fetchNextPage()}>Load more</Button>}
        </div>
        <div className="min-w-0">
          <Outlet />
        </div>
      </div>
    </Page>
  );
}

function Lists({ show }: { readonly show: ReviewsShown }): ReactElement {
  const environment = useEnvironment();
  return (
    <nav aria-label="Reviews" className="flex gap-4 border-b border-hairline">
      {lists.map((list) => (
        <Link
          key={list.show}
          to="/$environment/reviews"
          params={{ environment }}
          search={{ show: list.show }}
          aria-current={list.show === show ? "page" : undefined}
          className="border-b-2 border-transparent px-1 py-1.5 font-medium text-text-2 no-underline hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {list.name}
        </Link>
      ))}
    </nav>
  );
}

function Item({
  review,
  show,
  isPresent,
}: {
  readonly review: ReviewSummary;
  readonly show: ReviewsShown;
  readonly isPresent: boolean;
}): ReactElement {
  const environment = useEnvironment();
  const {
    reviewId,
    title,
    kind,
    status,
    procedureId,
    requestedAt,
    expiresAt,
    mayDecide,
    approvalsGiven,
    approvalsNeeded,
  } = review;
  const isOpen = status === "open";
  return (
    <li className={cx("flex flex-col gap-1 px-3 py-2.5", isPresent && "bg-running-bg", !isOpen && "text-text-2")}>
      <Link
        to="/$environment/reviews/$reviewId"
        params={{ environment, reviewId }}
        search={{ show }}
        aria-current={isPresent ? "true" : undefined}
        className="font-semibold wrap-anywhere no-underline hover:underline"
      >
        {title}
      </Link>
      <p className="flex flex-wrap gap-x-3 text-small text-text-2">
        {kind !== "human_review" && <span className="font-medium text-review">{kindWords[kind]}</span>}
        <span>{procedureId}</span>
        <Age since={requestedAt} />
        {isOpen && expiresAt !== undefined && (
          <span>
            expires <Until at={expiresAt} />
          </span>
        )}
        {approvalsNeeded > 1 && (
          <span>
            {approvalsGiven} of {approvalsNeeded} approvals
          </span>
        )}
        {!isOpen && <span className="font-medium">{statusWords[status]}</span>}
      </p>
      {isOpen && !mayDecide.allowed && show !== "mine" && (
        <p className="text-small text-text-3">Not yours: {mayDecide.reason}</p>
      )}
    </li>
  );
}

/** `j` and `k` open the next and the previous review. */
function useQueueShortcuts(items: readonly ReviewSummary[], present: string | undefined, show: ReviewsShown): void {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const open = (step: 1 | -1) => () => {
      const at = items.findIndex(({ reviewId }) => reviewId === present);
      const next = at < 0 ? items[0] : items[at + step];
      if (next === undefined) return;
      const params = { environment, reviewId: next.reviewId };
      void navigate({ to: "/$environment/reviews/$reviewId", params, search: { show } });
    };
    return [
      { keys: "j", does: "Open the next review", run: open(1) },
      { keys: "k", does: "Open the previous review", run: open(-1) },
    ];
  }, [items, present, show, environment, navigate]);
  useShortcuts(shortcuts);
}
