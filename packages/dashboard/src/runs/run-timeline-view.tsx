import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState, type ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { CheckboxField } from "../ui/field.tsx";
import { Empty } from "../ui/empty.tsx";
import { useNow } from "../values/now.ts";
import { StepInspector } from "./step-inspector.tsx";
import { StepTree } from "./step-tree.tsx";
import { timeScale } from "./time-scale.ts";
import { rangeOf, timelineRows } from "./timeline.ts";
import { runWithTimeline } from "./use-runs.ts";
import { useNodeTitles } from "./use-node-titles.ts";
import { useOpenReview } from "./use-open-review.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId/");

/** The steps of a run on a time axis, and the step that is selected. */
export function RunTimelineView(): ReactElement | null {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const { step: selectedKey } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: run } = useQuery(runWithTimeline(environment, runId));
  const review = useOpenReview(environment, run);
  const titles = useNodeTitles(environment, run);
  const nowMs = useNow();
  const [isWhole, setWhole] = useState(false);
  const steps = run?.timeline;
  const unknownNodeId = review?.kind === "outcome_unknown" ? review.nodeId : undefined;
  const rows = useMemo(
    () => timelineRows(steps ?? [], nowMs, titles, unknownNodeId),
    [steps, nowMs, titles, unknownNodeId],
  );
  const scale = useMemo(() => {
    const work = rows.filter(({ bar }) => bar === "work");
    return run === undefined ? undefined : timeScale(rangeOf(run, nowMs), work, !isWhole);
  }, [run, rows, nowMs, isWhole]);
  if (run === undefined || scale === undefined) return null;
  if (steps === undefined) {
    return (
      <Empty title="The steps of this run were archived.">
        <p>They are in the archive that the service's operator keeps. The run's data and its record remain here.</p>
      </Empty>
    );
  }
  const selected =
    rows.find(({ key }) => key === selectedKey) ?? rows.findLast(({ status }) => status !== "completed") ?? rows.at(-1);
  const hasCollapsed = isWhole || scale.stretches.some(({ isCollapsed }) => isCollapsed);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="flex flex-col gap-2">
        {hasCollapsed && (
          <CheckboxField
            label="Show waiting times at full length"
            checked={isWhole}
            onChange={(event) => setWhole(event.target.checked)}
          />
        )}
        <StepTree
          rows={rows}
          scale={scale}
          selectedKey={selected?.key}
          onSelect={(step) => void navigate({ search: { step }, replace: true, resetScroll: false })}
        />
      </div>
      {selected !== undefined && (
        <StepInspector key={selected.key} runId={runId} step={selected.step} title={selected.title} />
      )}
    </div>
  );
}
