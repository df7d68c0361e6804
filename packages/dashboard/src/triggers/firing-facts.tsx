import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Firing } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { Identifier, shortId } from "../values/identifier.tsx";
import { Moment } from "../values/moment.tsx";
import { formatDuration } from "../values/time.ts";
import { firingEvent } from "./firing-words.ts";
import { FiringBadge } from "./state-badge.tsx";

const linkClass = "underline decoration-control underline-offset-2 hover:decoration-current";

/** The facts of a firing, beside its event and its reason. */
export function FiringFacts({ firing }: { readonly firing: Firing }): ReactElement {
  const environment = useEnvironment();
  const { id, triggerId, status, scheduledAt, occurredAt, receivedAt, event, requestedBy, refireOf } = firing;
  const { runId, procedureVersion, lateMs, duplicates } = firing;
  return (
    <div className="rounded-panel border border-hairline bg-surface p-4">
      <Facts>
        <Fact name="Status">
          <FiringBadge status={status} />
        </Fact>
        {runId !== undefined && (
          <Fact name="Run">
            <Link
              to="/$environment/runs/$runId"
              params={{ environment, runId }}
              title={runId}
              className={`font-mono text-code ${linkClass}`}
            >
              {shortId(runId)}
            </Link>
            {procedureVersion !== undefined && (
              <span className="font-normal text-text-3"> version {procedureVersion}</span>
            )}
          </Fact>
        )}
        {scheduledAt !== undefined && (
          <Fact name="Due">
            <Moment at={scheduledAt} />
          </Fact>
        )}
        {occurredAt !== undefined && (
          <Fact name="Happened">
            <Moment at={occurredAt} />
          </Fact>
        )}
        <Fact name="Recorded">
          <Moment at={receivedAt} />
        </Fact>
        {lateMs !== undefined && <Fact name="Started after">{formatDuration(lateMs)}</Fact>}
        {requestedBy !== undefined && <Fact name="Asked for by">{requestedBy}</Fact>}
        {refireOf !== undefined && (
          <Fact name="Repeats">
            <Link
              to="/$environment/triggers/$triggerId/firings/$firingId"
              params={{ environment, triggerId, firingId: refireOf }}
              className={linkClass}
            >
              an earlier firing
            </Link>
          </Fact>
        )}
        {event !== undefined && (
          <Fact name="Event">
            {firingEvent(event).type} <span className="font-normal text-text-3">{firingEvent(event).id}</span>
          </Fact>
        )}
        {duplicates > 0 && (
          <Fact name="Arrived again">{duplicates === 1 ? "once" : `${duplicates.toLocaleString("en-GB")} times`}</Fact>
        )}
        <Fact name="Id">
          <span className="font-normal">
            <Identifier what="firing id" id={id} />
          </span>
        </Fact>
      </Facts>
    </div>
  );
}
