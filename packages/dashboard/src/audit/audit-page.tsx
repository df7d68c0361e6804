import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { environmentNames, lastEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { environmentsOf, isAdministrator, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { AuditFilterBar } from "./audit-filter-bar.tsx";
import { auditQuery, hasFilters, readAuditFilters, type AuditFilters } from "./audit-filters.ts";
import { AuditTable } from "./audit-table.tsx";
import { ExportChanges } from "./export-changes.tsx";
import { auditPages } from "./use-audit.ts";

const route = getRouteApi("/signed-in/workspace/audit");

/** Who changed what in the workspace, and when. */
export function AuditPage(): ReactElement {
  const session = useSession();
  // The router adds what its address says beside the filters.
  const filters = readAuditFilters(route.useSearch());
  const navigate = route.useNavigate();
  const timeZone = useTimeZone();
  const environments = environmentsOf(session);
  const last = environments.find((one) => one === lastEnvironment()) ?? environments[0] ?? "sandbox";
  const environment = filters.environment ?? last;
  const changes = useInfiniteQuery(auditPages(environment, filters, timeZone));
  const entries = changes.data?.pages.flatMap(({ data }) => data) ?? [];
  const setFilters = (search: AuditFilters): void => void navigate({ search, replace: true });
  const query = new URLSearchParams({ environment, ...auditQuery(filters, timeZone) });
  const showsPeople = isAdministrator(session);
  return (
    <Page
      heading="Audit"
      subtitle={`Changes of the workspace and of ${environmentNames[environment]}, newest first`}
      isLoading={changes.isPending}
      error={changes.error}
      onRetry={() => void changes.refetch()}
      actions={
        <>
          <ExportChanges key={query.toString()} environment={environment} filters={filters} timeZone={timeZone} />
          <CopyAsCurl request={{ path: `/api/v1/audit?${query.toString()}` }} />
        </>
      }
    >
      <AuditFilterBar
        environment={environment}
        environments={environments}
        filters={filters}
        withPeople={showsPeople}
        onChange={setFilters}
      />
      {changes.isSuccess &&
        (entries.length === 0 && !changes.hasNextPage ? (
          <None filters={filters} onClear={() => setFilters({ environment })} />
        ) : (
          <AuditTable entries={entries} environment={environment} showsPeople={showsPeople} />
        ))}
      {changes.hasNextPage && (
        <Button
          className="self-center"
          busyLabel={changes.isFetchingNextPage ? "Loading …" : undefined}
          onClick={() => void changes.fetchNextPage()}
        >
          Load more
        </Button>
      )}
      <p className="max-w-prose text-small text-text-3">
        Each entry is chained to the one before, and checkpoints are signed. The key of the chain never leaves the
        service, so the operator verifies it there: <code className="font-mono">procedo audit verify</code>.
        {!showsPeople && " Changes of people are shown to owners of both environments."}
      </p>
    </Page>
  );
}

function None({ filters, onClear }: { readonly filters: AuditFilters; readonly onClear: () => void }): ReactElement {
  if (!hasFilters(filters)) {
    return (
      <Empty title="Nothing was changed yet.">
        <p>Published versions and changes of connections, webhooks, API keys and people are listed here.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No changes fit these filters.">
      <Button onClick={onClear}>Clear filters</Button>
    </Empty>
  );
}
