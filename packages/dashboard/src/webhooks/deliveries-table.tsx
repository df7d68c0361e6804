import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Delivery } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { DeliveryStatus } from "../ui/delivery-status.tsx";
import { Problem } from "../ui/problem.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { shortId } from "../values/identifier.tsx";
import { Moment, Until } from "../values/moment.tsx";
import { useResend } from "./use-webhook-changes.ts";

const columns: readonly Column[] = [
  { name: "Delivery" },
  { name: "Event" },
  { name: "Status" },
  { name: "Attempts", isNumeric: true, isSecondary: true },
  { name: "Next attempt", isSecondary: true },
];

/** Deliveries, newest first. Those that did not arrive can be resent. */
export function DeliveriesTable({
  webhookId,
  deliveries,
  mayManage,
}: {
  readonly webhookId: string;
  readonly deliveries: readonly Delivery[];
  readonly mayManage: boolean;
}): ReactElement {
  const environment = useEnvironment();
  const resend = useResend(environment, webhookId);
  return (
    <>
      {resend.error !== null && <Problem error={resend.error} />}
      <Table caption="Deliveries" columns={mayManage ? [...columns, { name: "" }] : columns}>
        {deliveries.map(({ id, event, status, responseCode, attemptCount, createdAt, error, nextAttemptAt }) => (
          <Row key={id}>
            <HeadCell>
              <Link
                to="/$environment/webhooks/$webhookId/deliveries/$deliveryId"
                params={{ environment, webhookId, deliveryId: id }}
                title={id}
                className="font-mono text-code whitespace-nowrap"
              >
                {shortId(id)}
              </Link>
            </HeadCell>
            <Cell>
              <span className="font-medium wrap-anywhere">{event}</span>
              <span className="block text-small text-text-3">
                <Moment at={createdAt} />
              </span>
            </Cell>
            <Cell>
              <DeliveryStatus status={status} responseCode={responseCode} />
              {error !== undefined && (
                <span className="line-clamp-2 max-w-md min-w-40 text-small text-text-2 wrap-anywhere" title={error}>
                  {error}
                </span>
              )}
            </Cell>
            <Cell isNumeric isSecondary>
              {attemptCount}
            </Cell>
            <Cell isSecondary>
              {nextAttemptAt === undefined ? <span className="text-text-3">None</span> : <Until at={nextAttemptAt} />}
            </Cell>
            {mayManage && (
              <Cell>
                {(status === "failed" || status === "skipped") && (
                  <span className="flex justify-end">
                    <Button
                      variant="quiet"
                      aria-label={`${writeLabel("Resend", environment)} ${shortId(id)}`}
                      busyLabel={resend.isPending && resend.variables === id ? "Resending …" : undefined}
                      onClick={() => resend.mutate(id)}
                    >
                      {writeLabel("Resend", environment)}
                    </Button>
                  </span>
                )}
              </Cell>
            )}
          </Row>
        ))}
      </Table>
    </>
  );
}
