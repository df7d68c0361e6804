import type { JsonObject, JsonValue } from "@procedo/contract";
import { isSignature, ProcedoError, type InboundEvent, type InboundIntegration } from "@procedo/engine";
import * as z from "zod";
import type { Service } from "../../kit/service.ts";
import { pagesOf } from "./gocardless-envelopes.ts";
import { origins, type GoCardlessSecrets } from "./gocardless-http.ts";

const event = z.looseObject({
  id: z.string().min(1).max(255),
  created_at: z.iso.datetime(),
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

/** The events that triggers can choose: actions by the kind of object. */
const types = [
  ["payments", "created", "Payment created"],
  ["payments", "submitted", "Payment submitted to the banks"],
  ["payments", "confirmed", "Payment confirmed"],
  ["payments", "paid_out", "Payment paid out"],
  ["payments", "failed", "Payment failed"],
  ["payments", "cancelled", "Payment cancelled"],
  ["payments", "charged_back", "Payment charged back"],
  ["payments", "chargeback_cancelled", "Chargeback cancelled"],
  ["payments", "late_failure_settled", "Late failure deducted"],
  ["payments", "chargeback_settled", "Chargeback deducted"],
  ["mandates", "created", "Mandate created"],
  ["mandates", "submitted", "Mandate submitted to the banks"],
  ["mandates", "active", "Mandate active"],
  ["mandates", "failed", "Mandate failed"],
  ["mandates", "cancelled", "Mandate cancelled"],
  ["mandates", "expired", "Mandate expired"],
  ["mandates", "reinstated", "Mandate reinstated"],
  ["mandates", "transferred", "Mandate moved to another bank account"],
  ["payouts", "paid", "Payout sent to the bank"],
  ["refunds", "created", "Refund created"],
  ["refunds", "paid", "Refund paid"],
  ["refunds", "failed", "Refund failed"],
  ["billing_requests", "fulfilled", "Billing request fulfilled"],
  ["billing_requests", "cancelled", "Billing request cancelled"],
  ["outbound_payments", "executed", "Outbound payment executed"],
  ["outbound_payments", "failed", "Outbound payment failed"],
] as const;

/** The events of GoCardless. Each is named by the kind of its object and its action: `payments.confirmed`. */
export function goCardlessEvents({
  pages,
}: Service<unknown, GoCardlessSecrets>): InboundIntegration<unknown, GoCardlessSecrets> {
  return {
    events: types.map(([kind, action, title]) => ({
      type: `${kind}.${action}`,
      title,
      schema,
      sample: {
        ...{ id: "EV01MHX3K2A8", created_at: "2026-11-27T09:00:00.000Z", resource_type: kind, action },
        links: { [singular(kind)]: "ID01MHX3K2A8" },
        details: { origin: "gocardless", cause: `${singular(kind)}_${action}` },
        metadata: {},
      },
    })),
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
  return { id, type: `${resource_type}.${action}`, occurredAtMs: Date.parse(created_at), event: value };
}

function notEvents(error: z.ZodError): ProcedoError {
  return new ProcedoError("invalid_input", `These are not events of GoCardless: ${z.prettifyError(error)}`);
}

function singular(kind: string): string {
  return kind.replace(/s$/, "");
}
