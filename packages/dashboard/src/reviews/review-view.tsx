import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState, type ReactElement, type ReactNode } from "react";
import type { Review } from "../api/models.ts";
import { reviewById } from "../api/reviews.ts";
import { useEnvironment } from "../shell/environment.ts";
import { usePageTitle } from "../shell/page.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { Identifier, shortId } from "../values/identifier.tsx";
import { Moment, Until } from "../values/moment.tsx";
import { DecisionPanel } from "./decision-panel.tsx";
import { effectWords, kindWords, statusWords } from "./review-words.ts";
import { StaleReview } from "./stale-review.tsx";
import { ValueList } from "./value-list.tsx";

const route = getRouteApi("/signed-in/$environment/reviews/$reviewId");

/** One review: the call that is sent, what was shown, who decides, and the decision. */
export function ReviewView(): ReactElement {
  const environment = useEnvironment();
  const { reviewId } = route.useParams();
  const found = useQuery(reviewById(environment, reviewId));
  usePageTitle(found.data?.title ?? "Review");
  return (
    <article className="flex flex-col gap-5 rounded-panel border border-hairline bg-surface p-5 max-lg:border-0 max-lg:bg-transparent max-lg:p-0">
      <Link
        to="/$environment/reviews"
        params={{ environment }}
        className="flex items-center gap-1 self-start text-text-2 lg:hidden"
      >
        <ArrowLeft aria-hidden size={14} /> All reviews
      </Link>
      {found.error !== null && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton />}
      {found.data !== undefined && <ReviewContent key={reviewId} latest={found.data} />}
    </article>
  );
}

/**
 * Shows the review as it was when the person began to read. A newer state of an open review is shown beside it, and
 * is decided only after the person has seen it.
 */
function ReviewContent({ latest }: { readonly latest: Review }): ReactElement {
  const [read, setRead] = useState(latest);
  const isStale = latest.digest !== read.digest && latest.status === "open";
  const shown = latest.digest === read.digest ? latest : read;
  return (
    <>
      <ReviewHeader review={shown} />
      {isStale && <StaleReview before={read} after={latest} onRead={() => setRead(latest)} />}
      {shown.call !== undefined && <CallToSend call={shown.call} />}
      <Section title="What was shown">
        <ValueList value={shown.data as JsonValue} />
      </Section>
      <WhoDecides review={shown} />
      <DecisionPanel review={shown} isStale={isStale} />
    </>
  );
}

function ReviewHeader({ review }: { readonly review: Review }): ReactElement {
  const environment = useEnvironment();
  const { title, kind, status, runId, procedureId, procedureVersion, startedBy, requestedAt, expiresAt } = review;
  return (
    <header className="flex flex-col gap-2">
      <p className="text-small font-semibold text-review">
        {kindWords[kind]}
        {status !== "open" && ` · ${statusWords[status]}`}
      </p>
      <h2 className="text-heading font-semibold wrap-anywhere">{title}</h2>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-text-2">
        <span>
          {procedureId} {procedureVersion}
        </span>
        <Link to="/$environment/runs/$runId" params={{ environment, runId }} className="font-mono text-code">
          {shortId(runId)}
        </Link>
        <span>started by {startedBy}</span>
        <span>
          asked <Moment at={requestedAt} />
        </span>
        {status === "open" && expiresAt !== undefined && (
          <span>
            expires <Until at={expiresAt} />
          </span>
        )}
      </p>
    </header>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-section font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function CallToSend({ call }: { readonly call: NonNullable<Review["call"]> }): ReactElement {
  const { connection, action, effect, method, path, origin } = call;
  return (
    <Section title="What will be sent">
      <div className="flex flex-col gap-3 rounded-panel border border-control p-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-section font-semibold">
            {connection} · {action}
          </span>
          <span className="rounded-full bg-review-bg px-2 py-0.5 text-small font-medium text-review">
            {effectWords[effect]}
          </span>
        </p>
        {origin !== undefined && (
          <code className="font-mono text-code wrap-anywhere text-text-2">
            {method} {origin}
            {path}
          </code>
        )}
        <ValueList value={call.arguments as JsonValue} isProminent />
      </div>
    </Section>
  );
}

function WhoDecides({ review }: { readonly review: Review }): ReactElement {
  const {
    reviewers,
    excludesStarter,
    startedBy,
    excludesApproversOf,
    approvalsNeeded,
    approvalsGiven,
    decisions,
    digest,
  } = review;
  const who = [...reviewers.roles.map((role) => `people with the role ${role}`), ...reviewers.people];
  return (
    <Section title="Who decides">
      <p>
        {who.length === 0 ? "Everyone who may review" : `${who.join(", ")}`}; {approvalsGiven} of {approvalsNeeded}{" "}
        {approvalsNeeded === 1 ? "approval" : "approvals"} given.
        {excludesStarter && ` Not ${startedBy}, who started the run.`}
        {excludesApproversOf.length > 0 && ` Not people who approved ${excludesApproversOf.join(", ")}.`}
      </p>
      {decisions.length > 0 && (
        <ul className="flex flex-col gap-1">
          {decisions.map((decision) => (
            <li key={decision.decisionId}>
              <span className="font-medium">{decision.person}</span> {decision.approved ? "approved" : "rejected"}{" "}
              <Moment at={decision.decidedAt} />
              {decision.rejectionReason !== undefined && (
                <span className="wrap-anywhere">: {decision.rejectionReason}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="text-small text-text-3">
        Digest of what is shown: <Identifier what="digest" id={digest} />
      </p>
    </Section>
  );
}
