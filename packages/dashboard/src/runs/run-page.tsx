import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Outlet } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { versionOf } from "../api/versions.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Identifier } from "../values/identifier.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunBanner } from "./run-banner.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunViews } from "./run-views.tsx";
import { runWithTimeline } from "./use-runs.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId");

/** One run: its state, and its views. */
export function RunPage(): ReactElement {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const found = useQuery(runWithTimeline(environment, runId));
  const run = found.data;
  const version = useQuery({
    ...versionOf(environment, run?.procedureId ?? "", run?.procedureVersion ?? ""),
    enabled: run !== undefined,
  });
  return (
    <Page
      heading={version.data?.document.name ?? run?.procedureId ?? "Run"}
      subtitle={<Identifier what="run id" id={runId} />}
      isLoading={found.isPending || (run !== undefined && version.isPending)}
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
