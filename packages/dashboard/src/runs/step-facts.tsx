import type { ReactElement, ReactNode } from "react";
import type { RunTimelineStep } from "../api/models.ts";
import { Elapsed, Moment, Until } from "../values/moment.tsx";

/** When a step was executed, and why it went on as it did. */
export function StepFacts({ step }: { readonly step: RunTimelineStep }): ReactElement {
  const { nodeId, startedAt, completedAt, branch, reason, confidence, retryAt, retryReason, authorization } = step;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      <Fact name="Node">
        <code className="font-mono text-code">{nodeId}</code>
      </Fact>
      <Fact name="Began">
        <Moment at={startedAt} />
      </Fact>
      <Fact name={completedAt === undefined ? "So far" : "Took"}>
        <Elapsed from={startedAt} to={completedAt} />
      </Fact>
      {branch !== undefined && (
        <Fact name="Branch taken">
          <span className="font-medium">{branch}</span>
          {reason !== undefined && <span className="text-text-2">: {reason}</span>}
        </Fact>
      )}
      {confidence !== undefined && <Fact name="Confidence">{confidence}</Fact>}
      {retryAt !== undefined && (
        <Fact name="Next attempt">
          <Until at={retryAt} />
          {retryReason !== undefined && <span className="text-text-2">. The last one failed: {retryReason}</span>}
        </Fact>
      )}
      {authorization !== undefined && (
        <Fact name="Waits for">
          Connection “{authorization.connection}”<span className="text-text-2">. {authorization.reason}</span>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="contents">
      <dt className="text-text-3">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
