import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Run } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { DeliveryStatus } from "../ui/delivery-status.tsx";
import { Empty } from "../ui/empty.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { Copy } from "../ui/copy.tsx";
import { shortId } from "../values/identifier.tsx";
import { Moment, Until } from "../values/moment.tsx";
import { deliveriesOfRun, type RunDelivery } from "./use-run-deliveries.ts";
import { runWithTimeline } from "./use-runs.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId/deliveries");

/** The events of a run, and what became of their deliveries to webhooks. */
export function RunDeliveriesView(): ReactElement | null {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const { data: run } = useQuery(runWithTimeline(environment, runId));
  return run === undefined ? null : <Deliveries run={run} />;
}

function Deliveries({ run }: { readonly run: Run }): ReactElement {
  const environment = useEnvironment();
  const { data: found, error, refetch } = useQuery(deliveriesOfRun(environment, run));
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (found === undefined) return <Skeleton rows={3} />;
  const { deliveries, isWhole } = found;
  if (deliveries.length === 0 && isWhole) {
    return (
      <Empty title="No event of this run was sent to a webhook.">
        <p className="max-w-prose">
          A run sends an event when it completes, when it fails and when it waits for a review, to the webhooks that
          subscribed to the event before it happened.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Table
        caption="Deliveries"
        columns={[
          { name: "Delivery" },
          { name: "Status" },
          { name: "Event" },
          { name: "Webhook" },
          { name: "Attempts", isNumeric: true },
          { name: "Next attempt" },
        ]}
      >
        {deliveries.map((one) => (
          <DeliveryRow key={one.delivery.id} {...one} />
        ))}
      </Table>
      {!isWhole && (
        <p className="text-text-2">
          There may be more: this environment has too many deliveries to look through all of them here.
        </p>
      )}
    </>
  );
}

function DeliveryRow({ delivery, webhook }: RunDelivery): ReactElement {
  const { id, event, status, attemptCount, createdAt, deliveredAt, nextAttemptAt, responseCode, error } = delivery;
  const environment = useEnvironment();
  return (
    <Row>
      <HeadCell>
        <span className="flex items-center gap-1 whitespace-nowrap">
          <Link
            to="/$environment/webhooks/$webhookId/deliveries/$deliveryId"
            params={{ environment, webhookId: webhook.id, deliveryId: id }}
            className="font-mono text-code"
            title={id}
          >
            {shortId(id)}
          </Link>
          <Copy what="delivery id" text={id} />
        </span>
      </HeadCell>
      <Cell>
        <DeliveryStatus status={status} responseCode={responseCode} />
        {deliveredAt !== undefined && (
          <span className="block text-small text-text-3">
            <Moment at={deliveredAt} />
          </span>
        )}
        {error !== undefined && <span className="block max-w-xs text-small text-text-2 wrap-anywhere">{error}</span>}
      </Cell>
      <Cell>
        <span className="font-medium">{event}</span>
        <span className="block text-small text-text-3">
          <Moment at={createdAt} />
        </span>
      </Cell>
      <Cell>
        <Link to="/$environment/webhooks/$webhookId" params={{ environment, webhookId: webhook.id }}>
          {webhook.name}
        </Link>
      </Cell>
      <Cell isNumeric>{attemptCount}</Cell>
      <Cell>
        {nextAttemptAt === undefined ? <span className="text-text-3">None</span> : <Until at={nextAttemptAt} />}
      </Cell>
    </Row>
  );
}
