import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Delivery, Webhook } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { DeliveryStatus } from "../ui/delivery-status.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { deliveryById } from "./use-webhooks.ts";

/** Sends a sample event, and follows its delivery. */
export function TestEventDialog({
  webhook,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const { id: webhookId, events, isActive } = webhook;
  const [event, setEvent] = useState(events[0] ?? "run_completed");
  const send = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/webhooks/{webhookId}/test", {
          params: { path: { webhookId }, query: { environment } },
          body: { event },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["delivery", environment] }),
  });
  return (
    <Dialog
      title="Send test event"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{send.isSuccess ? "Close" : "Back"}</Button>
          <Button variant="primary" busyLabel={send.isPending ? "Sending …" : undefined} onClick={() => send.mutate()}>
            {writeLabel(send.isSuccess ? "Send another" : "Send", environment)}
          </Button>
        </>
      }
    >
      <p>
        The event has the shape of a real one, and names a run that does not exist. It goes to this webhook only
        {!isActive && ", although it is inactive"}.
      </p>
      <SelectField
        label="Event"
        value={event}
        options={events.map((name) => ({ value: name, label: name }))}
        onChange={({ target }) => setEvent(target.value)}
      />
      <div role="status">
        {send.data !== undefined && <Followed key={send.data.id} webhookId={webhookId} sent={send.data} />}
      </div>
      {send.error !== null && <Problem error={send.error} />}
    </Dialog>
  );
}

/** The delivery of the event, as far as it came. */
function Followed({ webhookId, sent }: { readonly webhookId: string; readonly sent: Delivery }): ReactElement {
  const environment = useEnvironment();
  const { data: delivery = sent } = useQuery({ ...deliveryById(environment, webhookId, sent.id), staleTime: 0 });
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-panel bg-sunken px-3 py-2">
      <div className="min-w-0">
        <DeliveryStatus status={delivery.status} responseCode={delivery.responseCode} />
        {delivery.error !== undefined && <p className="text-text-2 wrap-anywhere">{delivery.error}</p>}
      </div>
      <Link
        to="/$environment/webhooks/$webhookId/deliveries/$deliveryId"
        params={{ environment, webhookId, deliveryId: sent.id }}
        className={buttonClass("quiet")}
      >
        Open the delivery
      </Link>
    </div>
  );
}
