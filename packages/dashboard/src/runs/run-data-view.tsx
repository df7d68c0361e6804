import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { Problem } from "../ui/problem.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { runStep, runWithTimeline } from "./use-runs.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId/data");

/** The input with which a run started, and its output. */
export function RunDataView(): ReactElement {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const { data: run } = useQuery(runWithTimeline(environment, runId));
  const start = run?.timeline?.find(({ kind }) => kind === "start");
  const started = useQuery({
    ...runStep(environment, runId, start ?? { nodeId: "start", visit: 1 }),
    enabled: start !== undefined,
  });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <section className="flex min-w-0 flex-col gap-1.5">
        <h2 className="text-section font-semibold">Input</h2>
        {started.error !== null && <Problem error={started.error} onRetry={() => void started.refetch()} />}
        {started.data?.output !== undefined && <JsonView what="Input" value={started.data.output as JsonValue} />}
        {run !== undefined && start === undefined && <p>The input was archived with the steps of the run.</p>}
      </section>
      <section className="flex min-w-0 flex-col gap-1.5">
        <h2 className="text-section font-semibold">Output</h2>
        {run?.status === "completed" ? (
          <JsonView what="Output" value={run.output as JsonValue} />
        ) : (
          <p className="text-text-2">{run?.status === "failed" ? run.error : "The run has not ended yet."}</p>
        )}
      </section>
    </div>
  );
}
