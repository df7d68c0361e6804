import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import type { Run } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { runStep, runWithTimeline } from "./use-runs.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId/data");

/** The input with which a run started, and its output. */
export function RunDataView(): ReactElement | null {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const { data: run } = useQuery(runWithTimeline(environment, runId));
  if (run === undefined) return null;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 print:grid-cols-1">
      <Part heading="Input">
        <Input run={run} />
      </Part>
      <Part heading="Output">
        <Output run={run} />
      </Part>
    </div>
  );
}

function Part({ heading, children }: { readonly heading: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={heading} className="flex min-w-0 flex-col gap-1.5">
      <h2 className="text-section font-semibold">{heading}</h2>
      {children}
    </section>
  );
}

function Input({ run }: { readonly run: Run }): ReactElement {
  const environment = useEnvironment();
  const start = run.timeline?.find(({ kind }) => kind === "start");
  const started = useQuery({
    ...runStep(environment, run.runId, start ?? { nodeId: "start", visit: 1 }),
    enabled: start !== undefined,
  });
  if (start === undefined) return <p className="text-text-2">The input was archived together with the steps.</p>;
  if (started.error !== null) return <Problem error={started.error} onRetry={() => void started.refetch()} />;
  if (started.data === undefined) return <Skeleton rows={4} />;
  return <JsonView what="Input" value={(started.data.output ?? null) as JsonValue} />;
}

function Output({ run }: { readonly run: Run }): ReactElement {
  switch (run.status) {
    case "completed":
      return <JsonView what="Output" value={run.output as JsonValue} />;
    case "failed":
      return (
        <p>
          None: the run failed. <span className="text-failed wrap-anywhere whitespace-pre-wrap">{run.error}</span>
        </p>
      );
    case "running":
    case "awaiting_review":
      return <p className="text-text-2">None yet: the run has not ended.</p>;
  }
}
