import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { ReactElement } from "react";
import type { RunSummary } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { shortId } from "../values/identifier.tsx";
import { Age, Elapsed, Moment } from "../values/moment.tsx";
import { hasFilters, type RunFilters } from "./run-filters.ts";
import { RunFilterBar } from "./run-filter-bar.tsx";
import { runsPages, runsQuery } from "./use-runs.ts";

const route = getRouteApi("/signed-in/$environment/runs");

const columns: readonly Column[] = [
  { name: "Run" },
  { name: "Status" },
  { name: "Procedure" },
  { name: "Started" },
  { name: "Duration", isNumeric: true },
  { name: "Started by", isSecondary: true },
  { name: "Waiting for", isSecondary: true },
];

export function RunsPage(): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const runs = useInfiniteQuery(runsPages(environment, filters));
  const rows = runs.data?.pages.flatMap(({ data }) => data) ?? [];
  const setFilters = (next: RunFilters): void => void navigate({ search: next });
  const query = new URLSearchParams(
    Object.entries(runsQuery(environment, filters)).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return (
    <Page
      heading="Runs"
      isLoading={runs.isPending}
      error={runs.error}
      onRetry={() => void runs.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: `/api/v1/runs?${query.toString()}` }} />
          {hasAbility(session, environment, "run") && (
            <Link to="/$environment/runs/new" params={{ environment }} className={buttonClass("primary")}>
              <Play aria-hidden size={15} />
              Start run
            </Link>
          )}
        </>
      }
    >
      <RunFilterBar filters={filters} onChange={setFilters} />
      {rows.length > 0 && (
        <Table caption="Runs" columns={columns}>
          {rows.map((run) => (
            <RunRow key={run.runId} run={run} />
          ))}
        </Table>
      )}
      {rows.length === 0 && runs.isSuccess && (
        <NoRuns isFiltered={hasFilters(filters)} onClear={() => setFilters({})} />
      )}
      {runs.hasNextPage && (
        <Button
          className="self-center"
          busyLabel={runs.isFetchingNextPage ? "Loading …" : undefined}
          onClick={() => void runs.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </Page>
  );
}

function RunRow({ run }: { readonly run: RunSummary }): ReactElement {
  const environment = useEnvironment();
  const { runId, status, procedureId, procedureVersion, createdAt, completedAt, startedBy, waitingFor } = run;
  return (
    <Row>
      <HeadCell>
        <Link to="/$environment/runs/$runId" params={{ environment, runId }} className="font-mono text-code">
          {shortId(runId)}
        </Link>
      </HeadCell>
      <Cell>
        <StatusBadge status={status} isPlain />
      </Cell>
      <Cell>
        {procedureId} <span className="text-text-3">{procedureVersion}</span>
      </Cell>
      <Cell>
        <Moment at={createdAt} />
      </Cell>
      <Cell isNumeric>
        <Elapsed from={createdAt} to={completedAt} />
      </Cell>
      <Cell isSecondary>{startedBy}</Cell>
      <Cell isSecondary>
        {waitingFor !== undefined && (
          <>
            Review, <Age since={waitingFor.since} />
          </>
        )}
      </Cell>
    </Row>
  );
}

function NoRuns({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }): ReactElement {
  if (isFiltered) {
    return (
      <Empty title="No runs fit these filters.">
        <Button onClick={onClear}>Clear filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No runs yet">
      <p>A run executes one version of a procedure. It starts by hand, by a request, or by a trigger.</p>
    </Empty>
  );
}
