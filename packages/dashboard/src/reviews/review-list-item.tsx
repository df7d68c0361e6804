import { Link } from "@tanstack/react-router";
import { CircleHelp } from "lucide-react";
import type { ReactElement } from "react";
import type { Review, ReviewSummary } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { useSession } from "../shell/session.ts";
import { whyNot } from "../shell/why-not.ts";
import { cx } from "../ui/cx.ts";
import { Age, Until } from "../values/moment.tsx";
import { useNow } from "../values/now.ts";
import { useTimeZone } from "../values/preferences.ts";
import { endWords, kindWords, statusWords } from "./review-words.ts";
import type { ReviewsSearch } from "./reviews-shown.ts";

interface ReviewListItemProps {
  readonly review: ReviewSummary;
  /** Whether the review has left the list since it was shown. */
  readonly hasLeft: boolean;
  /** Its present state then. */
  readonly left: Review | undefined;
  readonly search: ReviewsSearch;
  readonly isPresent: boolean;
}

/** A review in the list. One that was decided elsewhere stays, struck through, with its end in words. */
export function ReviewListItem({ review, hasLeft, left, search, isPresent }: ReviewListItemProps): ReactElement {
  const environment = useEnvironment();
  const { person } = useSession();
  const { reviewId, title, reference, status, mayDecide } = review;
  const isEnded = hasLeft && left !== undefined && left.status !== "open";
  const isOpen = status === "open" && !hasLeft;
  const isMine = isOpen && mayDecide.allowed;
  return (
    <li
      className={cx(
        "relative flex flex-col gap-0.5 py-2 pr-3 pl-3.5 first:rounded-t-panel last:rounded-b-panel hover:bg-sunken",
        isPresent && "bg-running-bg hover:bg-running-bg",
      )}
    >
      {isPresent && <span aria-hidden className="absolute inset-y-0 left-0 w-0.75 bg-accent" />}
      <Link
        to="/$environment/reviews/$reviewId"
        params={{ environment, reviewId }}
        search={search}
        aria-current={isPresent ? "true" : undefined}
        className={cx(
          "font-medium wrap-anywhere after:absolute after:inset-0",
          isEnded ? "line-through" : "no-underline",
          !isMine && "text-text-2",
        )}
      >
        {title}
      </Link>
      <p className="flex flex-wrap gap-x-2.5 text-small text-text-2">
        <Kind kind={review.kind} />
        <span className="wrap-anywhere">{reference ?? review.procedureId}</span>
        <Age since={review.requestedAt} />
        {isOpen && <OpenFacts review={review} />}
      </p>
      {isOpen && !isMine && <NotYours review={review} />}
      {(hasLeft || !isOpen) && (
        <p role={hasLeft ? "status" : undefined} className="text-small font-medium text-text-2">
          {hasLeft ? left !== undefined && endWords(left, person.email) : statusWords[status]}
        </p>
      )}
    </li>
  );
}

function NotYours({ review }: { readonly review: ReviewSummary }): ReactElement {
  const reason = whyNot(review, useNow(), useTimeZone());
  return <p className="text-small text-text-3">Not yours: {reason}</p>;
}

function Kind({ kind }: Pick<ReviewSummary, "kind">): ReactElement | null {
  if (kind === "human_review") return null;
  const isUnknown = kind === "outcome_unknown";
  return (
    <span className={cx("inline-flex items-center gap-1 font-medium", isUnknown ? "text-unknown" : "text-review")}>
      {isUnknown && <CircleHelp aria-hidden size={12} />}
      {kindWords[kind]}
    </span>
  );
}

function OpenFacts({ review }: { readonly review: ReviewSummary }): ReactElement {
  const { expiresAt, approvalsGiven, approvalsNeeded } = review;
  return (
    <>
      {expiresAt !== undefined && (
        <span>
          expires <Until at={expiresAt} />
        </span>
      )}
      {approvalsNeeded > 1 && (
        <span className="tabular-nums">
          {approvalsGiven} of {approvalsNeeded} approvals
        </span>
      )}
    </>
  );
}
