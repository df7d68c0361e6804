import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Webhook } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { DeliveryStatus } from "../ui/delivery-status.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { Age } from "../values/moment.tsx";
import { lastDeliveries } from "./use-webhooks.ts";
import { WebhookStateBadge } from "./webhook-state-badge.tsx";

const columns: readonly Column[] = [
  { name: "Name" },
  { name: "Address", isSecondary: true },
  { name: "Events", isSecondary: true },
  { name: "State" },
  { name: "Last delivery", isSecondary: true },
];

const shownEvents = 3;

/** Webhooks with their states and newest deliveries. */
export function WebhooksTable({ webhooks }: { readonly webhooks: readonly Webhook[] }): ReactElement {
  const environment = useEnvironment();
  // In an order that does not change with the states.
  const ids = webhooks.map(({ id }) => id).toSorted();
  const { data: last } = useQuery(lastDeliveries(environment, ids));
  return (
    <Table caption="Webhooks" columns={columns}>
      {webhooks.map((webhook) => {
        const { id, name, url, events } = webhook;
        const delivery = last?.[id];
        return (
          <Row key={id}>
            <HeadCell>
              <Link
                to="/$environment/webhooks/$webhookId"
                params={{ environment, webhookId: id }}
                className="inline-block min-w-28 wrap-anywhere"
              >
                {name}
              </Link>
              <span className="block text-small font-normal text-text-3 wrap-anywhere md:hidden">{url}</span>
            </HeadCell>
            <Cell isSecondary>
              <code title={url} className="block max-w-64 truncate font-mono text-code">
                {url}
              </code>
            </Cell>
            <Cell isSecondary>
              <span title={events.join("\n")}>
                {events.slice(0, shownEvents).join(", ")}
                {events.length > shownEvents && ` and ${events.length - shownEvents} more`}
              </span>
            </Cell>
            <Cell>
              <WebhookStateBadge webhook={webhook} />
            </Cell>
            <Cell isSecondary>
              {delivery !== undefined && (
                <span className="flex flex-wrap items-center gap-x-2">
                  <DeliveryStatus status={delivery.status} responseCode={delivery.responseCode} />
                  <span className="text-small text-text-3">
                    <Age since={delivery.createdAt} />
                  </span>
                </span>
              )}
              {last !== undefined && delivery === undefined && <span className="text-text-3">None yet</span>}
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}
