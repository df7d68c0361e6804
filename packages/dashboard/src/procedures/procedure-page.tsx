import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { versionOf } from "../api/versions.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { DefaultLanes } from "./default-lanes.tsx";
import { InputTable } from "./input-table.tsx";
import { ProcedureActions } from "./procedure-actions.tsx";
import { ProcedureRuns } from "./procedure-runs.tsx";
import { procedureById } from "./use-procedures.ts";
import { VersionsTable } from "./versions-table.tsx";

const route = getRouteApi("/signed-in/$environment/procedures/$procedureId");

/** One procedure: its draft and defaults, its versions, its newest runs, and the input that it takes. */
export function ProcedurePage(): ReactElement {
  const environment = useEnvironment();
  const { procedureId } = route.useParams();
  const found = useQuery(procedureById(environment, procedureId));
  const procedure = found.data;
  const version = procedure?.defaults[environment] ?? procedure?.versions[0]?.version;
  const shown = useQuery({ ...versionOf(environment, procedureId, version ?? ""), enabled: version !== undefined });
  const document = shown.data?.document;
  return (
    <Page
      heading={procedure?.name ?? procedureId}
      subtitle={<Identifier what="procedure id" id={procedureId} />}
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={
        procedure === undefined ? (
          <CopyAsCurl
            request={{ path: `/api/v1/procedures/${encodeURIComponent(procedureId)}?environment=${environment}` }}
          />
        ) : (
          <ProcedureActions procedure={procedure} />
        )
      }
    >
      {procedure !== undefined && (
        <>
          {document?.description !== undefined && (
            <p className="max-w-prose wrap-anywhere whitespace-pre-wrap">{document.description}</p>
          )}
          <DefaultLanes procedure={procedure} />
          <VersionsTable procedure={procedure} />
          <ProcedureRuns procedureId={procedureId} />
          {document !== undefined && version !== undefined && <InputTable schema={document.input} version={version} />}
        </>
      )}
    </Page>
  );
}
