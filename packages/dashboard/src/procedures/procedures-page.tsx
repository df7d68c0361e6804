import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Age } from "../values/moment.tsx";
import { proceduresPages } from "./use-procedures.ts";

const columns: readonly Column[] = [
  { name: "Name" },
  { name: "Draft", isSecondary: true },
  { name: "Sandbox" },
  { name: "Live" },
];

export function ProceduresPage(): ReactElement {
  const environment = useEnvironment();
  const procedures = useInfiniteQuery(proceduresPages(environment));
  const rows = procedures.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page
      heading="Procedures"
      isLoading={procedures.isPending}
      error={procedures.error}
      onRetry={() => void procedures.refetch()}
      actions={<CopyAsCurl request={{ path: `/api/v1/procedures?environment=${environment}` }} />}
    >
      {rows.length > 0 && (
        <Table caption="Procedures" columns={columns}>
          {rows.map(({ procedureId, name, draft, defaults }) => (
            <Row key={procedureId}>
              <HeadCell>
                <Link to="/$environment/procedures/$procedureId" params={{ environment, procedureId }}>
                  {name}
                </Link>{" "}
                <code className="font-mono text-code font-normal text-text-3">{procedureId}</code>
              </HeadCell>
              <Cell isSecondary>
                {draft !== undefined && (
                  <>
                    Revision {draft.revision}, <Age since={draft.updatedAt} />
                  </>
                )}
              </Cell>
              <Cell>{defaults.sandbox ?? <None />}</Cell>
              <Cell>{defaults.live ?? <None />}</Cell>
            </Row>
          ))}
        </Table>
      )}
      {rows.length === 0 && procedures.isSuccess && (
        <Empty title="No procedures yet">
          <p>A procedure is a flowchart of calls, conditions and reviews. Publish one from a file:</p>
          <code className="font-mono text-code">procedo procedures publish payment.json --version 1</code>
        </Empty>
      )}
      {procedures.hasNextPage && (
        <Button className="self-center" onClick={() => void procedures.fetchNextPage()}>
          Load more
        </Button>
      )}
    </Page>
  );
}

function None(): ReactElement {
  return <span className="text-text-3">None</span>;
}
