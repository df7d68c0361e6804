import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, type ReactElement } from "react";
import { versionOf } from "../api/versions.ts";
import { Flowchart } from "../flowchart/flowchart.tsx";
import { shownChart } from "../flowchart/shown-chart.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { stepKey } from "./timeline.ts";
import { useOpenReview } from "./use-open-review.ts";
import { runWithTimeline } from "./use-runs.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId/flowchart");

/** The path of a run through its procedure. */
export function RunFlowchartView(): ReactElement {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const navigate = route.useNavigate();
  const { data: run } = useQuery(runWithTimeline(environment, runId));
  const version = useQuery({
    ...versionOf(environment, run?.procedureId ?? "", run?.procedureVersion ?? ""),
    enabled: run !== undefined,
  });
  const steps = run?.timeline;
  const document = version.data?.document;
  const review = useOpenReview(environment, run);
  const unknownNodeId = review?.kind === "outcome_unknown" ? review.nodeId : undefined;
  const chart = useMemo(() => {
    if (document === undefined) return undefined;
    const { nodes, edges } = shownChart(document, steps ?? []);
    const shown = nodes.map((node) =>
      node.id === unknownNodeId ? { ...node, status: "outcome_unknown" as const } : node,
    );
    return { nodes: shown, edges };
  }, [document, steps, unknownNodeId]);
  if (version.error !== null) return <Problem error={version.error} onRetry={() => void version.refetch()} />;
  if (chart === undefined) return <Skeleton />;
  const open = (nodeId: string): void => {
    const step = steps?.findLast((one) => one.nodeId === nodeId);
    if (step === undefined) return;
    void navigate({ to: "/$environment/runs/$runId", params: { environment, runId }, search: { step: stepKey(step) } });
  };
  return <Flowchart {...chart} hasRun={steps !== undefined} onOpen={open} />;
}
