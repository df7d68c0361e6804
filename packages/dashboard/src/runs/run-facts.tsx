import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Run } from "../api/models.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Elapsed, Moment } from "../values/moment.tsx";
import { RunTriggerFact } from "./run-trigger-fact.tsx";
import { useOpenReview } from "./use-open-review.ts";

/** The facts of a run that every one of its views shows. */
export function RunFacts({ run }: { readonly run: Run }): ReactElement {
  const environment = useEnvironment();
  const review = useOpenReview(environment, run);
  const { procedureId, procedureVersion: version } = run;
  return (
    <Facts>
      <Fact name="Status">
        <StatusBadge status={review?.kind === "outcome_unknown" ? "outcome_unknown" : run.status} />
      </Fact>
      <div className="hidden print:block">
        <Fact name="Environment">{environmentNames[environment]}</Fact>
      </div>
      {run.reference !== undefined && <Fact name="Reference">{run.reference}</Fact>}
      <Fact name="Version">
        <Link
          to="/$environment/procedures/$procedureId/versions/$version"
          params={{ environment, procedureId, version }}
          className="underline decoration-control underline-offset-2 hover:decoration-current"
        >
          {version}
        </Link>
      </Fact>
      <Fact name="Started">
        <Moment at={run.createdAt} />
      </Fact>
      <Fact name="Started by">{run.startedBy}</Fact>
      {run.trigger !== undefined && (
        <Fact name="Trigger">
          <RunTriggerFact trigger={run.trigger} />
        </Fact>
      )}
      <Fact name="Duration">
        <Elapsed from={run.createdAt} to={"completedAt" in run ? run.completedAt : undefined} />
      </Fact>
    </Facts>
  );
}
