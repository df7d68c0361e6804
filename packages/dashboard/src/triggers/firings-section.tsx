import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Firing, Trigger } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { SelectField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { shortId } from "../values/identifier.tsx";
import { Moment } from "../values/moment.tsx";
import { firingEvent, firingReason, firingStatuses, firingStatusWords } from "./firing-words.ts";
import { FiringBadge } from "./state-badge.tsx";
import { firingsPages } from "./use-triggers.ts";

const route = getRouteApi("/signed-in/$environment/triggers/$triggerId");

/** Each occurrence of a trigger: the run that it started, or why it started none. */
export function FiringsSection({ trigger: { id: triggerId } }: { readonly trigger: Trigger }): ReactElement {
  const environment = useEnvironment();
  const { firings: status } = route.useSearch();
  const navigate = route.useNavigate();
  const firings = useInfiniteQuery(firingsPages(environment, triggerId, status));
  const rows = firings.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title="Firings">
      {(rows.length > 0 || status !== undefined) && (
        <div className="flex flex-wrap items-end justify-between gap-2">
          <SelectField
            label="Firings that are"
            className="w-44"
            value={status ?? ""}
            options={[
              { value: "", label: "Any status" },
              ...firingStatuses.map((value) => ({ value, label: firingStatusWords[value] })),
            ]}
            onChange={({ target }) => {
              const chosen = firingStatuses.find((one) => one === target.value);
              void navigate({ search: chosen === undefined ? {} : { firings: chosen }, resetScroll: false });
            }}
          />
          <Link
            to="/$environment/runs"
            params={{ environment }}
            search={{ trigger: triggerId }}
            className="text-text-2 underline underline-offset-2"
          >
            Its runs
          </Link>
        </div>
      )}
      {firings.error !== null && <Problem error={firings.error} onRetry={() => void firings.refetch()} />}
      {firings.isPending && <Skeleton rows={3} />}
      {rows.length > 0 && (
        <Table
          caption="Firings"
          columns={[
            { name: "Firing" },
            { name: "Status" },
            { name: "Occurrence", isSecondary: true },
            { name: "Outcome", isSecondary: true },
          ]}
        >
          {rows.map((firing) => (
            <FiringRow key={firing.id} firing={firing} />
          ))}
        </Table>
      )}
      {firings.isSuccess && rows.length === 0 && !firings.hasNextPage && (
        <p className="text-text-2">{status === undefined ? "It has not fired yet." : "No firings have this status."}</p>
      )}
      {firings.hasNextPage && (
        <Button
          className="self-center"
          busyLabel={firings.isFetchingNextPage ? "Loading …" : undefined}
          onClick={() => void firings.fetchNextPage()}
        >
          {rows.length === 0 ? "Look further back" : "Load more firings"}
        </Button>
      )}
    </Section>
  );
}

function FiringRow({ firing }: { readonly firing: Firing }): ReactElement {
  const environment = useEnvironment();
  const { id: firingId, triggerId, status, receivedAt, runId, error } = firing;
  const reason = firingReason(firing);
  return (
    <Row>
      <HeadCell>
        <Link
          to="/$environment/triggers/$triggerId/firings/$firingId"
          params={{ environment, triggerId, firingId }}
          className="font-normal"
        >
          <Moment at={receivedAt} />
        </Link>
        {reason !== undefined && <span className="block text-small font-normal text-text-2 md:hidden">{reason}</span>}
      </HeadCell>
      <Cell>
        <FiringBadge status={status} />
      </Cell>
      <Cell isSecondary>
        <Occurrence firing={firing} />
      </Cell>
      <Cell isSecondary>
        {runId !== undefined && (
          <Link
            to="/$environment/runs/$runId"
            params={{ environment, runId }}
            title={runId}
            className="font-mono text-code whitespace-nowrap"
          >
            {shortId(runId)}
          </Link>
        )}
        {reason !== undefined && <span className="wrap-anywhere">{reason}</span>}
        {error !== undefined && (
          <span className="line-clamp-2 block text-small wrap-anywhere text-text-2">{error.message}</span>
        )}
      </Cell>
    </Row>
  );
}

/** The time that was due, the event, or the person who asked for it. */
function Occurrence({ firing }: { readonly firing: Firing }): ReactElement {
  const { scheduledAt, event, requestedBy, refireOf, duplicates } = firing;
  return (
    <>
      {requestedBy !== undefined && (
        <span className="block">
          {refireOf === undefined ? "By hand" : "Fired again"}, {requestedBy}
        </span>
      )}
      {requestedBy === undefined && scheduledAt !== undefined && (
        <>
          Due <Moment at={scheduledAt} />
        </>
      )}
      {requestedBy === undefined && event !== undefined && (
        <span className="line-clamp-2 wrap-anywhere">
          {firingEvent(event).type} <span className="text-text-3">{firingEvent(event).id}</span>
        </span>
      )}
      {duplicates > 0 && (
        <span className="block text-small text-text-3">
          Arrived {duplicates.toLocaleString("en-GB")} more {duplicates === 1 ? "time" : "times"}
        </span>
      )}
    </>
  );
}
