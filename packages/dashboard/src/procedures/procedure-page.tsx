import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowUpFromLine, GitCompare, Play } from "lucide-react";
import { useState, type ReactElement, type ReactNode } from "react";
import type { Environment, Procedure } from "../api/models.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Age, Moment } from "../values/moment.tsx";
import { PromoteDialog } from "./promote-dialog.tsx";
import { procedureById } from "./use-procedures.ts";

const route = getRouteApi("/signed-in/$environment/procedures/$procedureId");

/** One procedure: its draft, its defaults, and its versions. */
export function ProcedurePage(): ReactElement {
  const environment = useEnvironment();
  const { procedureId } = route.useParams();
  const found = useQuery(procedureById(environment, procedureId));
  const procedure = found.data;
  return (
    <Page
      heading={procedure?.name ?? procedureId}
      subtitle={<Identifier what="procedure id" id={procedureId} />}
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={procedure !== undefined && <Actions procedure={procedure} />}
    >
      {procedure !== undefined && (
        <>
          <Lanes procedure={procedure} />
          <Versions procedure={procedure} />
        </>
      )}
    </Page>
  );
}

function Actions({ procedure }: { readonly procedure: Procedure }): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const [isPromoting, setPromoting] = useState(false);
  const { procedureId, defaults, versions } = procedure;
  const newest = versions[0]?.version;
  const from = defaults.live ?? versions.at(-1)?.version;
  const canPromote = defaults.sandbox !== undefined && defaults.sandbox !== defaults.live;
  return (
    <>
      <CopyAsCurl request={{ path: `/api/v1/procedures/${procedureId}?environment=${environment}` }} />
      {newest !== undefined && from !== undefined && (
        <Link
          to="/$environment/procedures/$procedureId/compare"
          params={{ environment, procedureId }}
          search={{ from, to: defaults.sandbox ?? newest }}
          className={buttonClass()}
        >
          <GitCompare aria-hidden size={15} />
          Compare
        </Link>
      )}
      {canPromote && hasAbility(session, "live", "manage") && (
        <Button icon={ArrowUpFromLine} onClick={() => setPromoting(true)}>
          Promote to live
        </Button>
      )}
      {defaults[environment] !== undefined && hasAbility(session, environment, "run") && (
        <Link
          to="/$environment/runs/new"
          params={{ environment }}
          search={{ procedure: procedureId }}
          className={buttonClass("primary")}
        >
          <Play aria-hidden size={15} />
          Start run
        </Link>
      )}
      {isPromoting && <PromoteDialog procedure={procedure} onClose={() => setPromoting(false)} />}
    </>
  );
}

function Lanes({ procedure: { draft, defaults, versions } }: { readonly procedure: Procedure }): ReactElement {
  return (
    <dl className="grid gap-3 sm:grid-cols-3">
      <Lane name="Draft">
        {draft === undefined ? (
          <span className="text-text-3">None</span>
        ) : (
          <>
            Revision {draft.revision}
            <span className="block text-small font-normal text-text-2">
              <Age since={draft.updatedAt} />
            </span>
          </>
        )}
      </Lane>
      {(["sandbox", "live"] as const).map((environment) => (
        <DefaultLane key={environment} environment={environment} version={defaults[environment]} versions={versions} />
      ))}
    </dl>
  );
}

function DefaultLane({
  environment,
  version,
  versions,
}: {
  readonly environment: Environment;
  readonly version: string | undefined;
  readonly versions: Procedure["versions"];
}): ReactElement {
  const published = versions.find((one) => one.version === version);
  return (
    <Lane name={`${environmentNames[environment]} default`}>
      {version === undefined ? <span className="text-text-3">None</span> : `Version ${version}`}
      {published !== undefined && (
        <span className="block text-small font-normal text-text-2">
          published by {published.publishedBy}, <Age since={published.publishedAt} />
        </span>
      )}
    </Lane>
  );
}

function Lane({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="rounded-panel border border-hairline bg-surface px-4 py-3">
      <dt className="text-small text-text-3">{name}</dt>
      <dd className="text-section font-semibold">{children}</dd>
    </div>
  );
}

function Versions({ procedure }: { readonly procedure: Procedure }): ReactElement {
  const environment = useEnvironment();
  const { procedureId, defaults, versions } = procedure;
  return (
    <section aria-label="Versions" className="flex flex-col gap-2">
      <h2 className="text-section font-semibold">Versions</h2>
      {versions.length === 0 ? (
        <p className="text-text-2">No version has been published.</p>
      ) : (
        <Table
          caption="Versions"
          columns={[
            { name: "Version" },
            { name: "Default in" },
            { name: "Published" },
            { name: "By", isSecondary: true },
          ]}
        >
          {versions.map(({ version, publishedAt, publishedBy }) => (
            <Row key={version}>
              <HeadCell>
                <Link
                  to="/$environment/procedures/$procedureId/versions/$version"
                  params={{ environment, procedureId, version }}
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
    </section>
  );
}
