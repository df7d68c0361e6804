import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { Run, RunStep, RunTimelineStep } from "../api/models.ts";
import { versionOf } from "../api/versions.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { ShownStatus } from "../ui/status-word.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { AgentTurns, agentSummary } from "./agent-turns.tsx";
import { Attempts } from "./attempts.tsx";
import { reviewOfStep } from "./reviewed-call.ts";
import { StepFacts } from "./step-facts.tsx";
import { StepReview } from "./step-review.tsx";
import { StepSection } from "./step-section.tsx";
import { runStep } from "./use-runs.ts";
import { whileRunning } from "./while-running.ts";

interface StepInspectorProps {
  readonly run: Run;
  readonly step: RunTimelineStep;
  readonly title: string;
  readonly status: ShownStatus;
}

/** Everything that is recorded about one step. */
export function StepInspector({ run, step, title, status }: StepInspectorProps): ReactElement {
  const environment = useEnvironment();
  const whole = useQuery({ ...runStep(environment, run.runId, step), refetchInterval: whileRunning });
  const version = useQuery(versionOf(environment, run.procedureId, run.procedureVersion));
  const reviewId = reviewOfStep(step, run.timeline ?? [], version.data?.document.nodes ?? []);
  return (
    <section
      aria-label="Step"
      aria-busy={whole.isPending}
      className="flex min-w-0 flex-col gap-5 rounded-panel border border-hairline bg-surface p-4"
    >
      <div className="flex flex-col gap-3">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-section font-semibold wrap-anywhere">{title}</h2>
          <StatusBadge status={status} />
        </header>
        <StepFacts step={step} />
      </div>
      {whole.error !== null && <Problem error={whole.error} onRetry={() => void whole.refetch()} />}
      {whole.isPending && <Skeleton rows={4} />}
      {whole.data !== undefined && <Recorded step={whole.data} />}
      {reviewId !== undefined && <StepReview run={run} step={step} reviewId={reviewId} />}
    </section>
  );
}

function Recorded({ step }: { readonly step: RunStep }): ReactElement {
  const { input, output, turns = [], callAttempts = [], exchanges = [] } = step;
  const hasValue = input !== undefined || output !== undefined;
  return (
    <>
      {input !== undefined && (
        <StepSection part="input">
          <JsonView what="Input" value={input as JsonValue} />
        </StepSection>
      )}
      {output !== undefined && (
        <StepSection part="output">
          <JsonView what="Output" value={output as JsonValue} />
        </StepSection>
      )}
      {callAttempts.length > 0 && (
        <StepSection part="attempts">
          <Attempts attempts={callAttempts} exchanges={exchanges} />
        </StepSection>
      )}
      {turns.length > 0 && (
        <StepSection part="agent" aside={agentSummary(turns)}>
          <AgentTurns turns={turns} />
        </StepSection>
      )}
      {!hasValue && callAttempts.length === 0 && turns.length === 0 && (
        <p className="text-text-2">This step has no input and no output.</p>
      )}
    </>
  );
}
