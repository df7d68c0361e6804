import type { CreateTriggerRequest } from "@procedo/contract";

/** Pays each invoice that arrives. The procedure itself asks a person about the large ones. */
export const payOnArrival = {
  name: "Pay invoices as they arrive",
  procedureId: "vendor-payment",
  source: { kind: "integration", connection: "ledger_events", events: ["invoice.received"] },
  input: {
    vendorId: "{{ event.data.vendorId }}",
    invoiceId: "{{ event.data.id }}",
    amount: "{{ event.data.amount }}",
  },
} as const satisfies CreateTriggerRequest;

/** Every minute, so that you can watch it. A team would choose `30 6 * * 1-5`. */
export const checkEachMinute = {
  name: "Look for due invoices",
  procedureId: "due-invoices",
  source: { kind: "schedule", cron: "* * * * *", timeZone: "Europe/Berlin", catchUp: "none" },
  input: { asOf: "{{ schedule.date }}" },
} as const satisfies CreateTriggerRequest;
