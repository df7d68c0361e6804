import { X } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { DelayedText } from "../ui/delayed-text.tsx";
import { deliveryWords } from "../ui/delivery-status.tsx";
import { SelectField } from "../ui/field.tsx";
import { deliveryStatuses, hasFilters, type DeliveryFilters } from "./delivery-filters.ts";

/** The filters of a webhook's deliveries. */
export function DeliveryFilterBar({
  filters,
  events,
  onChange,
}: {
  readonly filters: DeliveryFilters;
  /** The events of the webhook. */
  readonly events: readonly string[];
  readonly onChange: (filters: DeliveryFilters) => void;
}): ReactElement {
  const set = (name: keyof DeliveryFilters, value: string): void => {
    const { [name]: _, ...others } = filters;
    onChange(value === "" ? others : { ...others, [name]: value });
  };
  const { status = "", event = "" } = filters;
  // Deliveries may be of events that the webhook received before it was changed.
  const listed = event === "" || events.includes(event) ? events : [...events, event];
  return (
    <search aria-label="Filters" data-print="hide" className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap">
      <SelectField
        label="Status"
        className="sm:w-38"
        value={status}
        options={[
          { value: "", label: "Any status" },
          ...deliveryStatuses.map((one) => ({ value: one, label: deliveryWords[one] })),
        ]}
        onChange={({ target }) => set("status", target.value)}
      />
      <SelectField
        label="Event"
        className="sm:w-46"
        value={event}
        options={[{ value: "", label: "Any event" }, ...listed.map((name) => ({ value: name, label: name }))]}
        onChange={({ target }) => set("event", target.value)}
      />
      <DelayedText
        label="From"
        type="date"
        className="sm:w-34"
        value={filters.from}
        onReport={(day) => set("from", day)}
      />
      <DelayedText label="To" type="date" className="sm:w-34" value={filters.to} onReport={(day) => set("to", day)} />
      <DelayedText
        label="Run"
        placeholder="Run id"
        className="max-sm:col-span-2 sm:min-w-32 sm:flex-1"
        value={filters.run}
        onReport={(id) => set("run", id)}
      />
      {hasFilters(filters) && (
        <Button variant="quiet" icon={X} className="max-sm:col-span-2" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
