import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useRef, useState, type ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { CheckboxField } from "../ui/field.tsx";
import { Empty } from "../ui/empty.tsx";
import { useNow } from "../values/now.ts";
import { useIsPrinting } from "../values/printing.ts";
import { BarLegend } from "./step-bar.tsx";
import { StepInspector } from "./step-inspector.tsx";
import { StepTree } from "./step-tree.tsx";
import { StepsOnPaper } from "./steps-on-paper.tsx";
import { timeScale } from "./time-scale.ts";
import { endOf, rangeOf, stepOfInterest, timelineRows } from "./timeline.ts";
import { runWithTimeline } from "./use-runs.ts";
import { useNodeTitles } from "./use-node-titles.ts";
import { useOpenReview } from "./use-open-review.ts";
import { useStepShortcuts } from "./use-step-shortcuts.ts";

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
  const isPrinting = useIsPrinting();
  const presentMs = useNow();
  // The rows of a run that has ended are made once.
  const nowMs = (run && endOf(run)) ?? presentMs;
  const [isWhole, setWhole] = useState(false);
  const steps = run?.timeline;
  const unknownNodeId = review?.kind === "outcome_unknown" ? review.nodeId : undefined;
  const rows = useMemo(
    () => timelineRows({ steps: steps ?? [], nowMs, titles, unknownNodeId }),
    [steps, nowMs, titles, unknownNodeId],
  );
  const scale = useMemo(() => {
    const work = rows.filter(({ bar }) => bar === "work");
    return run === undefined ? undefined : timeScale(rangeOf(run, nowMs), work, !isWhole);
  }, [run, rows, nowMs, isWhole]);
  const selected = rows.find(({ key }) => key === selectedKey) ?? stepOfInterest(rows);
  const inspector = useRef<HTMLDivElement>(null);
  // On narrow screens the step is below the timeline.
  const showStep = (): void => {
    if (matchMedia("(width < 64rem)").matches) inspector.current?.scrollIntoView({ block: "start" });
  };
  const select = (step: string): void => void navigate({ search: { step }, replace: true, resetScroll: false });
  useStepShortcuts({ environment, runId, rows, selected, onSelect: select });
  if (run === undefined || scale === undefined) return null;
  if (steps === undefined) return <ArchivedSteps />;
  if (steps.length === 0) return <Empty title="No step has begun yet." />;
  const hasCollapsed = isWhole || scale.stretches.some(({ isCollapsed }) => isCollapsed);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] print:grid-cols-1">
      <div className="flex flex-col gap-2 lg:sticky lg:top-11">
        {isPrinting ? (
          <StepsOnPaper rows={rows} />
        ) : (
          <StepTree rows={rows} scale={scale} selectedKey={selected?.key} onSelect={select} onOpen={showStep} />
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1" data-print="hide">
          <BarLegend rows={rows} />
          {hasCollapsed && (
            <CheckboxField
              label="Show waiting times at full length"
              checked={isWhole}
              onChange={(event) => setWhole(event.target.checked)}
            />
          )}
        </div>
      </div>
      <div ref={inspector} className="min-w-0 scroll-mt-10">
        {selected !== undefined && (
          <StepInspector
            key={selected.key}
            run={run}
            step={selected.step}
            title={selected.title}
            status={selected.status}
          />
        )}
      </div>
    </div>
  );
}

function ArchivedSteps(): ReactElement {
  return (
    <Empty title="The steps of this run were archived.">
      <p className="max-w-prose">
        They left this database after their time of retention. The operator of this service keeps the archive, in which
        they can be read and verified. The run’s outcome stays here.
      </p>
    </Empty>
  );
}
