import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useMemo, type ReactElement } from "react";
import type { Version } from "../api/models.ts";
import { versionOf } from "../api/versions.ts";
import { Flowchart } from "../flowchart/flowchart.tsx";
import { shownChart } from "../flowchart/shown-chart.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { Moment } from "../values/moment.tsx";
import { saveFile } from "../values/save-file.ts";

const route = getRouteApi("/signed-in/$environment/procedures/$procedureId/versions/$version");

/** One published version, as it is executed. */
export function VersionPage(): ReactElement {
  const environment = useEnvironment();
  const { procedureId, version } = route.useParams();
  const found = useQuery(versionOf(environment, procedureId, version));
  return (
    <Page
      heading={found.data === undefined ? `Version ${version}` : `${found.data.name}, version ${version}`}
      subtitle={
        found.data !== undefined && (
          <>
            <Link to="/$environment/procedures/$procedureId" params={{ environment, procedureId }}>
              {procedureId}
            </Link>
            , published by {found.data.publishedBy}, <Moment at={found.data.publishedAt} />
          </>
        )
      }
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={
        <>
          <CopyAsCurl
            request={{
              path: `/api/v1/procedures/${encodeURIComponent(procedureId)}/versions/${encodeURIComponent(version)}?environment=${environment}`,
            }}
          />
          {found.data !== undefined && (
            <Button
              icon={Download}
              onClick={() =>
                saveFile(`${procedureId}-${version}.json`, JSON.stringify(found.data.document, undefined, 2))
              }
            >
              Download
            </Button>
          )}
        </>
      }
    >
      {found.data !== undefined && (
        <>
          {found.data.document.description !== undefined && (
            <p className="max-w-prose wrap-anywhere whitespace-pre-wrap">{found.data.document.description}</p>
          )}
          <VersionChart document={found.data.document} />
          <section aria-label="Document as JSON" className="flex min-w-0 flex-col gap-2">
            <h2 className="text-section font-semibold">Document</h2>
            <JsonView what="Document" value={found.data.document as unknown as JsonValue} />
          </section>
        </>
      )}
    </Page>
  );
}

function VersionChart({ document }: { readonly document: Version["document"] }): ReactElement {
  const chart = useMemo(() => shownChart(document), [document]);
  return <Flowchart {...chart} hasRun={false} />;
}
