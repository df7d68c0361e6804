import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo, useState, type ReactElement } from "react";
import type { ProcedureSummary } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Age } from "../values/moment.tsx";
import { NewProcedureDialog } from "./new-procedure-dialog.tsx";
import { SearchField } from "./search-field.tsx";
import { useRowShortcuts } from "../shell/use-row-shortcuts.ts";
import { proceduresPages } from "./use-procedures.ts";

const route = getRouteApi("/signed-in/$environment/procedures");

const columns: readonly Column[] = [
  { name: "Name" },
  { name: "Draft", isSecondary: true },
  { name: "Sandbox" },
  { name: "Live" },
  { name: "Last 7 days", isSecondary: true },
];

export function ProceduresPage(): ReactElement {
  const environment = useEnvironment();
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const procedures = useInfiniteQuery(proceduresPages(environment, q));
  const rows = procedures.data?.pages.flatMap(({ data }) => data) ?? [];
  const mayManage = hasAbility(useSession(), environment, "manage");
  const [isNew, setNew] = useState(false);
  useRowShortcuts("Procedures", "procedure");
  useShortcuts(
    useMemo(
      (): readonly Shortcut[] => (mayManage ? [{ keys: "n", does: "New procedure", run: () => setNew(true) }] : []),
      [mayManage],
    ),
  );
  const search = (text: string): void => void navigate({ search: text === "" ? {} : { q: text }, replace: true });
  const query = new URLSearchParams({ environment, ...(q !== "" && { search: q }) });
  return (
    <Page
      heading="Procedures"
      isLoading={procedures.isPending}
      error={procedures.error}
      onRetry={() => void procedures.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: `/api/v1/procedures?${query.toString()}` }} />
          {mayManage && (
            <Button variant="primary" icon={Plus} aria-keyshortcuts="n" onClick={() => setNew(true)}>
              {writeLabel("New procedure", environment)}
            </Button>
          )}
        </>
      }
    >
      {isNew && <NewProcedureDialog onClose={() => setNew(false)} />}
      {(rows.length > 0 || q !== "") && <SearchField key={environment} text={q} onSearch={search} />}
      {rows.length > 0 && (
        <Table caption="Procedures" columns={columns}>
          {rows.map((procedure) => (
            <ProcedureRow key={procedure.procedureId} procedure={procedure} />
          ))}
        </Table>
      )}
      {rows.length === 0 && procedures.isSuccess && !procedures.hasNextPage && (
        <NoProcedures search={q} onClear={() => search("")} />
      )}
      {procedures.hasNextPage && (
        <Button
          className="self-center"
          busyLabel={procedures.isFetchingNextPage ? "Loading …" : undefined}
          onClick={() => void procedures.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </Page>
  );
}

function ProcedureRow({ procedure }: { readonly procedure: ProcedureSummary }): ReactElement {
  const environment = useEnvironment();
  const { procedureId, name, draft, defaults, openReviews } = procedure;
  return (
    <Row>
      <HeadCell>
        <Link
          to="/$environment/procedures/$procedureId"
          params={{ environment, procedureId }}
          className="wrap-anywhere"
        >
          {name}
        </Link>{" "}
        <code className="block font-mono text-small font-normal wrap-anywhere text-text-3">{procedureId}</code>
      </HeadCell>
      <Cell isSecondary>
        {draft === undefined ? (
          <None />
        ) : (
          <>
            Revision {draft.revision}
            <span className="block text-small text-text-3">
              {draft.by}, <Age since={draft.updatedAt} />
            </span>
          </>
        )}
      </Cell>
      <Cell>{defaults.sandbox ?? <None />}</Cell>
      <Cell>{defaults.live ?? <None />}</Cell>
      <Cell isSecondary>
        <Week procedure={procedure} />
        {openReviews > 0 && (
          <Link
            to="/$environment/reviews"
            params={{ environment }}
            search={{ show: "open" }}
            className="block text-small font-medium text-review"
          >
            {openReviews} open {openReviews === 1 ? "review" : "reviews"}
          </Link>
        )}
      </Cell>
    </Row>
  );
}

function Week({ procedure: { last7Days, lastRunAt } }: { readonly procedure: ProcedureSummary }): ReactElement {
  const { completed, failed } = last7Days;
  if (lastRunAt === undefined) return <span className="text-text-3">Never run</span>;
  if (completed + failed === 0) {
    return (
      <span className="text-text-3">
        None ended; last run <Age since={lastRunAt} />
      </span>
    );
  }
  return (
    <span className="whitespace-nowrap">
      {completed.toLocaleString("en-GB")} completed
      {failed > 0 && <span className="font-medium text-failed">, {failed.toLocaleString("en-GB")} failed</span>}
    </span>
  );
}

function NoProcedures({ search, onClear }: { readonly search: string; readonly onClear: () => void }): ReactElement {
  if (search !== "") {
    return (
      <Empty title="No procedures fit this search.">
        <Button onClick={onClear}>Clear search</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No procedures yet">
      <p className="max-w-prose">
        A procedure is a flowchart of calls, conditions and reviews. Its versions are published in sandbox, tried there,
        and promoted to live. Draw the first one with <strong>New procedure</strong>, or publish it from a file:
      </p>
      <code className="font-mono text-code wrap-anywhere">procedo procedures publish payment.json --version 1</code>
    </Empty>
  );
}

function None(): ReactElement {
  return <span className="text-text-3">None</span>;
}
