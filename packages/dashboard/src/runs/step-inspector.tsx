import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, type ReactNode } from "react";
import type { RunStep, RunTimelineStep } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { buttonClass } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { Moment, Until } from "../values/moment.tsx";
import { AgentTurns } from "./agent-turns.tsx";
import { Attempts } from "./attempts.tsx";
import { runStep } from "./use-runs.ts";

/** Everything that is recorded about one step. */
export function StepInspector({
  runId,
  step,
  title,
}: {
  readonly runId: string;
  readonly step: RunTimelineStep;
  readonly title: string;
}): ReactElement {
  const environment = useEnvironment();
  const whole = useQuery(runStep(environment, runId, step));
  return (
    <section
      aria-label="Step"
      className="flex min-w-0 flex-col gap-4 rounded-panel border border-hairline bg-surface p-4"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-section font-semibold wrap-anywhere">{title}</h2>
        <StatusBadge status={step.status} />
        <code className="font-mono text-code text-text-3">{step.nodeId}</code>
      </header>
      <Facts step={step} />
      {whole.error !== null && <Problem error={whole.error} onRetry={() => void whole.refetch()} />}
      {whole.isPending && <Skeleton rows={4} />}
      {whole.data !== undefined && <Recorded step={whole.data} />}
    </section>
  );
}

function Facts({ step }: { readonly step: RunTimelineStep }): ReactElement {
  const environment = useEnvironment();
  const { startedAt, completedAt, branch, reason, confidence, retryAt, retryReason, reviewId } = step;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <Fact name="Started">
          <Moment at={startedAt} />
        </Fact>
        {completedAt !== undefined && (
          <Fact name="Completed">
            <Moment at={completedAt} />
          </Fact>
        )}
        {branch !== undefined && (
          <Fact name="Branch taken">
            {branch}
            {reason !== undefined && <span className="text-text-2">: {reason}</span>}
          </Fact>
        )}
        {confidence !== undefined && <Fact name="Confidence">{Math.round(confidence * 100)} %</Fact>}
        {retryAt !== undefined && (
          <Fact name="Next attempt">
            <Until at={retryAt} />
            {retryReason !== undefined && <span className="text-text-2">: {retryReason}</span>}
          </Fact>
        )}
      </dl>
      {reviewId !== undefined && (
        <div className="flex flex-col gap-2">
          <h3 className="font-semibold">Review</h3>
          <Link
            to="/$environment/reviews/$reviewId"
            params={{ environment, reviewId }}
            className={buttonClass("secondary", "self-start")}
          >
            Open review
          </Link>
        </div>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="contents">
      <dt className="text-text-2">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

function Recorded({ step }: { readonly step: RunStep }): ReactElement {
  const { input, output, turns, exchanges } = step;
  return (
    <>
      {input !== undefined && <Value title="Input" value={input as JsonValue} />}
      {output !== undefined && <Value title="Output" value={output as JsonValue} />}
      {exchanges !== undefined && exchanges.length > 0 && <Attempts exchanges={exchanges} />}
      {turns !== undefined && turns.length > 0 && <AgentTurns turns={turns} />}
    </>
  );
}

function Value({ title, value }: { readonly title: string; readonly value: JsonValue }): ReactElement {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="font-semibold">{title}</h3>
      <JsonView what={title} value={value} />
    </div>
  );
}
