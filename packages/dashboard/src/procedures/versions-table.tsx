import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Procedure } from "../api/models.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { Moment } from "../values/moment.tsx";
import { versionsPages } from "./use-procedures.ts";

const columns: readonly Column[] = [
  { name: "Version" },
  { name: "Default in" },
  { name: "Published" },
  { name: "By", isSecondary: true },
];

/** The versions of a procedure, newest first. */
export function VersionsTable({ procedure }: { readonly procedure: Procedure }): ReactElement {
  const environment = useEnvironment();
  const { procedureId, defaults } = procedure;
  const pages = useInfiniteQuery(versionsPages(environment, procedureId));
  const versions = pages.data?.pages.flatMap(({ data }) => data) ?? procedure.versions;
  return (
    <section aria-label="Versions" className="flex flex-col gap-2">
      <h2 className="text-section font-semibold">Versions</h2>
      {versions.length === 0 ? (
        <p className="text-text-2">No version is published. Only published versions run.</p>
      ) : (
        <Table caption="Versions" columns={columns}>
          {versions.map(({ version, publishedAt, publishedBy }) => (
            <Row key={version}>
              <HeadCell>
                <Link
                  to="/$environment/procedures/$procedureId/versions/$version"
                  params={{ environment, procedureId, version }}
                  className="wrap-anywhere"
                >
                  {version}
                </Link>
              </HeadCell>
              <Cell>
                {(["sandbox", "live"] as const)
                  .filter((one) => defaults[one] === version)
                  .map((one) => environmentNames[one])
                  .join(", ")}
              </Cell>
              <Cell>
                <Moment at={publishedAt} />
              </Cell>
              <Cell isSecondary>{publishedBy}</Cell>
            </Row>
          ))}
        </Table>
      )}
      {pages.hasNextPage && (
        <Button className="self-center" onClick={() => void pages.fetchNextPage()}>
          Load more
        </Button>
      )}
    </section>
  );
}
