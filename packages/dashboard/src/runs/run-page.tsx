import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { versionOf } from "../api/versions.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { environmentsOf, useSession } from "../shell/session.ts";
import { Page } from "../shell/page.tsx";
import { buttonClass } from "../ui/button.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Identifier } from "../values/identifier.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunBanner } from "./run-banner.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunViews } from "./run-views.tsx";
import { runWithTimeline } from "./use-runs.ts";
import { whileRunning } from "./while-running.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId");

/** One run: its state, and its views. */
export function RunPage(): ReactElement {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const found = useQuery({ ...runWithTimeline(environment, runId), refetchInterval: whileRunning });
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
      actions={
        run === undefined ? (
          <CopyAsCurl
            request={{ path: `/api/v1/runs/${encodeURIComponent(runId)}?environment=${environment}&include=timeline` }}
          />
        ) : (
          <RunActions run={run} />
        )
      }
    >
      {hasCode(found.error, "run_not_found") && <OtherEnvironments runId={runId} />}
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

/** A run belongs to one environment, and a copied id does not say to which. */
function OtherEnvironments({ runId }: { readonly runId: string }): ReactElement {
  const present = useEnvironment();
  const others = environmentsOf(useSession()).filter((environment) => environment !== present);
  return (
    <p className="flex gap-2">
      {others.map((environment) => (
        <Link
          key={environment}
          to="/$environment/runs/$runId"
          params={{ environment, runId }}
          className={buttonClass()}
        >
          Look for it in {environmentNames[environment]}
        </Link>
      ))}
    </p>
  );
}
