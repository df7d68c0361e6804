import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { RunSummary } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { ShownStatus } from "../ui/status-word.ts";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { shortId } from "../values/identifier.tsx";
import { Age } from "../values/moment.tsx";
import { newestRuns } from "./use-procedures.ts";

const columns: readonly Column[] = [
  { name: "Run" },
  { name: "Status" },
  { name: "Version", isSecondary: true },
  { name: "Started" },
  { name: "Started by", isSecondary: true },
];

/** The newest runs of a procedure in the environment of the page. */
export function ProcedureRuns({ procedureId }: { readonly procedureId: string }): ReactElement {
  const environment = useEnvironment();
  const runs = useQuery(newestRuns(environment, procedureId));
  return (
    <section aria-label="Newest runs" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-section font-semibold">Newest runs</h2>
        <Link
          to="/$environment/runs"
          params={{ environment }}
          search={{ procedure: procedureId }}
          className="text-accent"
        >
          All runs of this procedure
        </Link>
      </div>
      {runs.error !== null && <Problem error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <Skeleton rows={3} />}
      {runs.data?.data.length === 0 && <p className="text-text-2">It has not run in {environment}.</p>}
      {runs.data !== undefined && runs.data.data.length > 0 && (
        <Table caption="Newest runs" columns={columns}>
          {runs.data.data.map((run) => (
            <Row key={run.runId}>
              <HeadCell>
                <Link to="/$environment/runs/$runId" params={{ environment, runId: run.runId }} title={run.runId}>
                  {run.reference ?? <code className="font-mono text-code font-normal">{shortId(run.runId)}</code>}
                </Link>
              </HeadCell>
              <Cell>
                <StatusBadge status={shownStatus(run)} isPlain />
              </Cell>
              <Cell isSecondary>{run.procedureVersion}</Cell>
              <Cell>
                <Age since={run.createdAt} />
              </Cell>
              <Cell isSecondary>{run.startedBy}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </section>
  );
}

function shownStatus({ status, waitingFor }: RunSummary): ShownStatus {
  const isUnknown = waitingFor?.kind === "review" && waitingFor.reviewKind === "outcome_unknown";
  return isUnknown ? "outcome_unknown" : status;
}
