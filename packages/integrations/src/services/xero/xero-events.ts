import type { JsonObject } from "@procedo/contract";
import { isSignature, ProcedoError, type InboundIntegration } from "@procedo/engine";
import * as z from "zod";
import type { XeroSecrets, XeroSettings } from "./xero-connection.ts";

const event = z.looseObject({
  resourceUrl: z.string().meta({ description: "Address of the object at Xero." }),
  resourceId: z.string().min(1).max(128).meta({ description: "Id of the object, such as its `InvoiceID`." }),
  eventDateUtc: z.string().min(1).max(64),
  eventType: z.string().regex(/^[A-Z]{1,64}$/),
  eventCategory: z.string().regex(/^[A-Z]{1,64}$/),
  tenantId: z.string().min(1).max(128),
  tenantType: z.string(),
  data: z
    .looseObject({ Type: z.string().optional(), Status: z.string().optional() })
    .optional()
    .meta({ description: "Of credit notes: their type and status." }),
});
const delivery = z.looseObject({ events: z.array(z.json()) });
const schema = z.toJSONSchema(event, { io: "input" }) as JsonObject;

const tenantId = "c2cc9b6e-9458-4c7d-93cc-f02b81b0594f";
const organisation = { tenantId, tenantType: "ORGANISATION" };
const application = { tenantId: "7b3f2f6a-1c0e-4f0a-9f5b-6d8e2a1c4b90", tenantType: "APPLICATION" };

interface EventKind {
  readonly category: string;
  readonly path: string;
  readonly title: string;
  readonly tenant: typeof organisation;
  readonly data?: JsonObject;
}

const kinds: readonly EventKind[] = [
  { category: "CONTACT", path: "Contacts", title: "Contact", tenant: organisation },
  { category: "INVOICE", path: "Invoices", title: "Invoice or bill", tenant: organisation },
  {
    ...{ category: "CREDITNOTE", path: "CreditNotes", title: "Credit note", tenant: organisation },
    data: { Type: "ACCPAYCREDIT", Status: "DRAFT" },
  },
  { category: "SUBSCRIPTION", path: "Subscriptions", title: "Subscription to the app", tenant: application },
];

const changes = [
  ["CREATE", "created"],
  ["UPDATE", "changed"],
] as const;

const resourceId = "717f2bfc-c6d4-41fd-b238-3f2f0c0cf777";

/**
 * The events of Xero, named by the category of their object and its change: `INVOICE.UPDATE`. They tell what changed,
 * not how: an action reads the object.
 *
 * Xero cannot list past events, and tries to deliver each one for a day.
 *
 * Source: https://developer.xero.com/documentation/guides/webhooks/overview/
 */
export const xeroEvents: InboundIntegration<XeroSettings, XeroSecrets> = {
  events: kinds.flatMap(({ category, path, title, tenant, data }) =>
    changes.map(([eventType, happened]) => ({
      type: `${category}.${eventType}`,
      title: `${title} ${happened}`,
      schema,
      sample: {
        ...{ resourceUrl: `https://api.xero.com/api.xro/2.0/${path}/${resourceId}`, resourceId, ...tenant },
        ...{ eventCategory: category, eventType, eventDateUtc: "2026-11-27T09:00:00.902" },
        ...(data !== undefined && { data }),
      },
    })),
  ),

  // An address is checked by requests with good and with wrong signatures: 200 or 401, with an empty body.
  verify({ header, body, secrets: { webhookKey } }) {
    const [signature = "", ...more] = header("x-xero-signature");
    if (webhookKey === undefined || more.length > 0) return false;
    return isSignature(signature, [body], { secret: webhookKey, encoding: "base64" });
  },

  parse({ json, settings }) {
    const parsed = delivery.safeParse(json());
    if (!parsed.success) throw notEvents(parsed.error);
    return parsed.data.events.flatMap((value) => {
      const read = event.safeParse(value);
      if (!read.success) throw notEvents(read.error);
      const { tenantId: tenant, eventCategory, resourceId: resource, eventType, eventDateUtc, tenantType } = read.data;
      // Those of other organisations of the app are left out. The app's own subscriptions have no organisation.
      const isOwn = tenantType === "APPLICATION" || tenant.toLowerCase() === settings.tenantId?.toLowerCase();
      if (!isOwn) return [];
      return [
        {
          // Xero gives events no id, and numbers them per delivery.
          id: `${tenant}:${eventCategory}:${resource}:${eventType}:${eventDateUtc}`,
          type: `${eventCategory}.${eventType}`,
          occurredAtMs: msOf(eventDateUtc),
          event: value,
        },
      ];
    });
  },
};

/** A time in UTC, which Xero writes without an offset. */
function msOf(time: string): number | undefined {
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(time) ? time : `${time}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

function notEvents(error: z.ZodError): ProcedoError {
  return new ProcedoError("invalid_input", `These are not events of Xero: ${z.prettifyError(error)}`);
}
