import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import { OctagonX, RotateCcw } from "lucide-react";
import { useState, type ReactElement, type ReactNode } from "react";
import type { Run } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Elapsed, Moment, Until } from "../values/moment.tsx";
import { CancelRunDialog } from "./cancel-run-dialog.tsx";
import { useOpenReview } from "./use-open-review.ts";
import { runWithTimeline } from "./use-runs.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId");

/** One run: its state, and its views. */
export function RunPage(): ReactElement {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const found = useQuery(runWithTimeline(environment, runId));
  const run = found.data;
  return (
    <Page
      heading={run?.procedureId ?? "Run"}
      subtitle={<Identifier what="run id" id={runId} />}
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={run !== undefined && <RunActions run={run} />}
    >
      {run !== undefined && (
        <>
          <RunFacts run={run} />
          <RunBanner run={run} />
          <RunViews runId={runId} />
          <Outlet />
        </>
      )}
    </Page>
  );
}

function RunActions({ run }: { readonly run: Run }): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const [isCancelling, setCancelling] = useState(false);
  const isOpen = run.status === "running" || run.status === "awaiting_review";
  const mayRun = hasAbility(session, environment, "run");
  return (
    <>
      <CopyAsCurl request={{ path: `/api/v1/runs/${run.runId}?environment=${environment}&include=timeline` }} />
      {mayRun && isOpen && (
        <Button variant="danger" icon={OctagonX} onClick={() => setCancelling(true)}>
          {writeLabel("Cancel run", environment)}
        </Button>
      )}
      {mayRun && !isOpen && (
        <Link
          to="/$environment/runs/new"
          params={{ environment }}
          search={{ procedure: run.procedureId, from: run.runId }}
          className={buttonClass()}
        >
          <RotateCcw aria-hidden size={15} />
          Run again
        </Link>
      )}
      {isCancelling && <CancelRunDialog run={run} onClose={() => setCancelling(false)} />}
    </>
  );
}

function RunFacts({ run }: { readonly run: Run }): ReactElement {
  const environment = useEnvironment();
  const review = useOpenReview(environment, run);
  const status = review?.kind === "outcome_unknown" ? "outcome_unknown" : run.status;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      <Fact name="Status">
        <StatusBadge status={status} />
      </Fact>
      <Fact name="Version">{run.procedureVersion}</Fact>
      <Fact name="Started">
        <Moment at={run.createdAt} />
      </Fact>
      <Fact name="Started by">{run.startedBy}</Fact>
      <Fact name="Duration">
        <Elapsed from={run.createdAt} to={"completedAt" in run ? run.completedAt : undefined} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt className="text-small text-text-3">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

/** Why the run waits or failed. */
function RunBanner({ run }: { readonly run: Run }): ReactElement | null {
  const environment = useEnvironment();
  const review = useOpenReview(environment, run);
  if (run.status === "failed") {
    return (
      <p className="rounded-panel bg-failed-bg px-4 py-3 font-medium text-failed wrap-anywhere whitespace-pre-wrap">
        {run.error}
      </p>
    );
  }
  if (run.status !== "awaiting_review" || run.review === undefined) return null;
  const { reviewId, title } = run.review;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-panel bg-review-bg px-4 py-3 text-review">
      <p className="font-medium wrap-anywhere">
        {title}
        {review?.expiresAt !== undefined && (
          <span className="font-normal">
            {" "}
            · expires <Until at={review.expiresAt} />
          </span>
        )}
      </p>
      <Link to="/$environment/reviews/$reviewId" params={{ environment, reviewId }} className={buttonClass("primary")}>
        Open review
      </Link>
    </div>
  );
}

const viewClass =
  "border-b-2 border-transparent px-1 py-1.5 font-medium text-text-2 no-underline hover:text-text " +
  "aria-[current=page]:border-accent aria-[current=page]:text-text";

function RunViews({ runId }: { readonly runId: string }): ReactElement {
  const environment = useEnvironment();
  const params = { environment, runId };
  const current = { "aria-current": "page" } as const;
  return (
    <nav aria-label="Run views" className="flex gap-4 border-b border-hairline">
      <Link
        to="/$environment/runs/$runId"
        params={params}
        className={viewClass}
        activeProps={current}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        Timeline
      </Link>
      <Link to="/$environment/runs/$runId/flowchart" params={params} className={viewClass} activeProps={current}>
        Flowchart
      </Link>
      <Link to="/$environment/runs/$runId/data" params={params} className={viewClass} activeProps={current}>
        Data
      </Link>
      <Link to="/$environment/runs/$runId/record" params={params} className={viewClass} activeProps={current}>
        Record
      </Link>
    </nav>
  );
}
