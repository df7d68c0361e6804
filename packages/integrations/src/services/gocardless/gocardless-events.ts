import type { JsonObject, JsonValue } from "@procedo/contract";
import { isSignature, ProcedoError, type InboundEvent, type InboundIntegration } from "@procedo/engine";
import * as z from "zod";
import type { Service } from "../../kit/service.ts";
import { pagesOf } from "./gocardless-envelopes.ts";
import { origins, type GoCardlessSecrets } from "./gocardless-http.ts";

const event = z.looseObject({
  id: z.string().min(1).max(255),
  created_at: z.string(),
  resource_type: z.string(),
  action: z.string(),
  links: z.record(z.string(), z.string()).meta({ description: "Ids of the objects that it is about, by their kind." }),
  details: z
    .looseObject({
      origin: z.string().optional().meta({ description: "`bank`, `gocardless`, `api`, `customer` or `payer`." }),
      cause: z.string().optional(),
      description: z.string().optional(),
      reason_code: z.string().optional().meta({ description: "Code of the bank, which differs between schemes." }),
      will_attempt_retry: z.boolean().optional(),
    })
    .optional(),
  metadata: z.json().optional(),
});
const batch = z.object({ events: z.array(z.json()) });
const schema = z.toJSONSchema(event, { io: "input" }) as JsonObject;

/** The events that triggers can choose: the actions on each kind of object, with their names for people. */
const kinds = [
  {
    ...{ kind: "payments", object: "payment", id: "PM0001MHX3K2A8" },
    actions: {
      created: "Payment created",
      submitted: "Payment submitted to the banks",
      confirmed: "Payment confirmed",
      paid_out: "Payment paid out",
      failed: "Payment failed",
      cancelled: "Payment cancelled",
      charged_back: "Payment charged back",
      chargeback_cancelled: "Chargeback cancelled",
      chargeback_settled: "Chargeback deducted from a payout",
      late_failure_settled: "Late failure deducted from a payout",
    },
  },
  {
    ...{ kind: "mandates", object: "mandate", id: "MD0001MHX3K2A8" },
    actions: {
      created: "Mandate created",
      submitted: "Mandate submitted to the banks",
      active: "Mandate active",
      failed: "Mandate failed",
      cancelled: "Mandate cancelled",
      expired: "Mandate expired",
      reinstated: "Mandate reinstated",
      transferred: "Mandate moved to another bank account",
      replaced: "Mandate replaced",
    },
  },
  {
    ...{ kind: "payouts", object: "payout", id: "PO0001MHX3K2A8" },
    actions: { paid: "Payout sent to the bank" },
  },
  {
    ...{ kind: "refunds", object: "refund", id: "RF0001MHX3K2A8" },
    actions: { created: "Refund created", paid: "Refund paid", failed: "Refund failed" },
  },
  {
    ...{ kind: "billing_requests", object: "billing_request", id: "BRQ0001MHX3K2A8" },
    actions: { fulfilled: "Billing request fulfilled", cancelled: "Billing request cancelled" },
  },
  {
    ...{ kind: "outbound_payments", object: "outbound_payment", id: "OUT01MHX3K2A8" },
    actions: {
      executed: "Outbound payment executed",
      failed: "Outbound payment failed",
      cancelled: "Outbound payment cancelled",
    },
  },
];

/** The events of GoCardless. Each is named by the kind of its object and its action: `payments.confirmed`. */
export function goCardlessEvents({
  pages,
}: Service<unknown, GoCardlessSecrets>): InboundIntegration<unknown, GoCardlessSecrets> {
  return {
    events: kinds.flatMap(({ kind, object, id, actions }) =>
      Object.entries(actions).map(([action, title]) => ({
        type: `${kind}.${action}`,
        title,
        schema,
        sample: {
          ...{ id: "EV01MHX3K2A8", created_at: "2026-11-27T09:00:00.000Z", resource_type: kind, action },
          ...{ links: { [object]: id }, details: { origin: "gocardless", cause: `${object}_${action}` }, metadata: {} },
        },
      })),
    ),
    // GoCardless expects its own status for a wrong signature: 498 Token Invalid.
    refusalStatus: 498,

    verify({ header, body, secrets: { webhookSecret } }) {
      const [signature = "", ...more] = header("Webhook-Signature");
      if (webhookSecret === undefined || more.length > 0) return false;
      return isSignature(signature, [body], { secret: webhookSecret });
    },

    // One request has up to 250 events, of any kinds and in any order.
    parse({ header, json, environment }) {
      const other = origins[environment === "live" ? "sandbox" : "live"];
      if (header("Origin").includes(other)) return "other_environment";
      const parsed = batch.safeParse(json());
      if (!parsed.success) throw notEvents(parsed.error);
      return parsed.data.events.map(toInboundEvent);
    },

    async list({ fromMs, toMs, types: wanted, ...connection }) {
      const created_at = { gte: new Date(fromMs).toISOString(), lt: new Date(toMs).toISOString() };
      const request = { path: "/events", query: { created_at, limit: 500 } };
      const { items, hasMore } = await pages(connection, request, pagesOf("events"));
      if (hasMore) throw new Error(`The period has more than ${items.length} events. Choose a shorter one.`);
      return items.map(toInboundEvent).filter(({ type }) => wanted.includes(type));
    },
  };
}

/** @throws ProcedoError `invalid_input` */
function toInboundEvent(value: JsonValue): InboundEvent {
  const parsed = event.safeParse(value);
  if (!parsed.success) throw notEvents(parsed.error);
  const { id, created_at, resource_type, action } = parsed.data;
  const ms = Date.parse(created_at);
  const occurredAtMs = Number.isNaN(ms) ? undefined : ms;
  return { id, type: `${resource_type}.${action}`, occurredAtMs, event: value };
}

function notEvents(error: z.ZodError): ProcedoError {
  return new ProcedoError("invalid_input", `These are not events of GoCardless: ${z.prettifyError(error)}`);
}
