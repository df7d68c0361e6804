import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowUp, Play } from "lucide-react";
import { useMemo, useState, type ReactElement } from "react";
import type { RunSummary } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { writeSearch } from "../values/search-params.ts";
import { ExportRuns } from "./export-runs.tsx";
import { NoRuns } from "./no-runs.tsx";
import { hasFilters, type RunFilters } from "./run-filters.ts";
import { RunFilterBar } from "./run-filter-bar.tsx";
import { RunsTable } from "./runs-table.tsx";
import { newRuns, runsPages, runsQuery, type RunList } from "./use-run-list.ts";

const route = getRouteApi("/signed-in/$environment/runs");

export function RunsPage(): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const filters = route.useSearch();
  const zone = useTimeZone();
  const navigate = route.useNavigate();
  const mayRun = hasAbility(session, environment, "run");
  const list: RunList = { environment, filters, zone };
  const { runs, rows, newCount, showNew } = useSteadyRuns(list);
  const setFilters = (next: RunFilters, isTyped = false): void => void navigate({ search: next, replace: isTyped });
  useStartShortcut(mayRun);
  const isShown = rows.length > 0;
  const isEmpty = !isShown && runs.isSuccess && !runs.hasNextPage;
  return (
    <Page
      heading="Runs"
      isLoading={runs.isPending}
      error={runs.error}
      onRetry={() => void runs.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: `/api/v1/runs${writeSearch(runsQuery(list))}` }} />
          {isShown && <ExportRuns key={JSON.stringify(list)} list={list} />}
          {mayRun && (
            <Link
              to="/$environment/runs/new"
              params={{ environment }}
              search={filters.procedure === undefined ? {} : { procedure: filters.procedure }}
              aria-keyshortcuts="s"
              className={buttonClass("primary")}
            >
              <Play aria-hidden size={15} />
              Start run
            </Link>
          )}
        </>
      }
    >
      <RunFilterBar
        filters={filters}
        starters={startersOf(rows, session.person.email)}
        hasClear={!isEmpty}
        onChange={setFilters}
      />
      <div role="status" className="contents">
        {newCount > 0 && (
          <Button icon={ArrowUp} className="self-center" onClick={showNew}>
            {newCount >= 100 ? "100 or more new runs" : newCount === 1 ? "1 new run" : `${newCount} new runs`}
          </Button>
        )}
      </div>
      {isShown && <RunsTable runs={rows} isOutdated={runs.isPlaceholderData} />}
      {isEmpty && <NoRuns isFiltered={hasFilters(filters)} mayRun={mayRun} onClear={() => setFilters({})} />}
      {!isShown && runs.hasNextPage && <p className="text-text-2">None of the newest runs fits. Older ones may.</p>}
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

/** The rows of the list. They stay in place while newer runs begin, which are counted, and shown when asked for. */
function useSteadyRuns(list: RunList) {
  const [turn, setTurn] = useState(0);
  const [opened, setOpened] = useState<{ readonly of: string; readonly before: string }>();
  const of = JSON.stringify([list, turn]);
  const before = opened?.of === of ? opened.before : undefined;
  const runs = useInfiniteQuery(runsPages(list, turn, before));
  const rows = useMemo(() => runs.data?.pages.flatMap(({ data }) => data) ?? [], [runs.data]);
  if (before === undefined && !runs.isFetching && runs.isSuccess && rows.length > 0) {
    setOpened({ of, before: afterNewest(rows) });
  }
  const { data: newCount = 0 } = useQuery(newRuns(list, before));
  return { runs, rows, newCount, showNew: () => setTurn(turn + 1) };
}

/** The first moment after the newest run was created. */
function afterNewest(runs: readonly RunSummary[]): string {
  return new Date(Math.max(...runs.map(({ createdAt }) => Date.parse(createdAt))) + 1).toISOString();
}

function startersOf(runs: readonly RunSummary[], own: string): readonly string[] {
  return [...new Set([own, ...runs.map(({ startedBy }) => startedBy)])];
}

function useStartShortcut(mayRun: boolean): void {
  const navigate = route.useNavigate();
  const environment = useEnvironment();
  const shortcuts = useMemo(
    (): readonly Shortcut[] =>
      mayRun
        ? [
            {
              keys: "s",
              does: "Start a run",
              run: () => void navigate({ to: "/$environment/runs/new", params: { environment } }),
            },
          ]
        : [],
    [environment, mayRun, navigate],
  );
  useShortcuts(shortcuts);
}
