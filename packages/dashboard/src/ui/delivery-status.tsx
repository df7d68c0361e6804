import { CircleCheck, CircleSlash, CircleX, Clock, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { Delivery } from "../api/models.ts";

type Status = Delivery["status"];

const looks: Readonly<Record<Status, { readonly icon: LucideIcon; readonly colour: string }>> = {
  pending: { icon: Clock, colour: "text-running" },
  delivered: { icon: CircleCheck, colour: "text-completed" },
  failed: { icon: CircleX, colour: "text-failed" },
  skipped: { icon: CircleSlash, colour: "text-text-2" },
};

/** The words for the states of a delivery. */
export const deliveryWords: Readonly<Record<Status, string>> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
  skipped: "Skipped",
};

/** The state of an event's delivery to a webhook, with the receiver's last answer. */
export function DeliveryStatus({
  status,
  responseCode,
}: {
  readonly status: Status;
  readonly responseCode?: number | undefined;
}): ReactElement {
  const { icon: Icon, colour } = looks[status];
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${colour}`}>
      <Icon aria-hidden size={14} className="shrink-0" /> {deliveryWords[status]}
      {responseCode !== undefined && `, answered ${responseCode}`}
    </span>
  );
}
