/**
 * The events of the ledger, as an integration. It shows all that a service needs which tells Procedo about changes:
 *
 *   events     the types that triggers can choose, each with a schema for their expressions and a sample
 *   verify     whether the service sent the request: by the exact bytes, before anything of them is read
 *   parse      the events of a verified request; the same id is the same event, however often it arrives
 *   list       the events of a past period, for a backfill
 *
 * Some services check an address first, with a request whose answer they expect: that would be `handshake`.
 */
import type { JsonObject, JsonValue } from "@procedo/contract";
import { defineIntegration, isSignature, ProcedoError, signedAtMs, z, type InboundEvent } from "@procedo/engine";

const change = { id: z.string().min(1), occurredAt: z.iso.datetime() };
const money = { vendorId: z.string(), amount: z.int(), currency: z.string() };

const invoiceReceived = z.object({
  ...change,
  type: z.literal("invoice.received"),
  data: z.object({ id: z.string(), ...money, dueDate: z.iso.date() }),
});
const paymentSettled = z.object({
  ...change,
  type: z.literal("payment.settled"),
  data: z.object({ id: z.string(), ...money, invoiceId: z.string().optional() }),
});

/** Every request has one event. A type that this integration does not know is accepted, and starts nothing. */
const anyEvent = z.looseObject({ ...change, type: z.string().min(1) });

export const ledgerEvents = defineIntegration({
  name: "ledger_events",
  title: "Ledger events",
  settings: z.object({ baseUrl: z.url() }),
  secrets: z.object({ signingSecret: z.string().min(16), token: z.string().min(1) }),
  actions: {},
  inbound: {
    events: [
      {
        type: "invoice.received",
        title: "Invoice received",
        schema: schemaOf(invoiceReceived),
        sample: sampleOf("invoice.received", {
          ...{ id: "inv_1007", vendorId: "ven_acme", amount: 48_000, currency: "EUR" },
          ...{ dueDate: "2027-02-15", amountPaid: 0, status: "open" },
        }),
      },
      {
        type: "payment.settled",
        title: "Payment settled",
        schema: schemaOf(paymentSettled),
        sample: sampleOf("payment.settled", {
          ...{ id: "pay_1", vendorId: "ven_acme", amount: 48_000, currency: "EUR", invoiceId: "inv_1007" },
          ...{ status: "executed", createdAt: "2026-11-27T09:00:00.000Z" },
        }),
      },
    ],

    // Ledger-Signature: t=<seconds>,v1=<hex>, with a second v1 while the ledger's secret is being replaced.
    verify({ header, body, secrets, nowMs }) {
      const [line = "", ...more] = header("Ledger-Signature");
      const parts = line.split(",").map((part) => part.split("="));
      const valuesOf = (wanted: string) => parts.flatMap(([name, value = ""]) => (name === wanted ? [value] : []));
      const [times, signatures] = [valuesOf("t"), valuesOf("v1")];
      const [seconds = ""] = times;
      // Each signature costs a hash of the body, so their number is bounded before any is checked.
      if (more.length > 0 || times.length !== 1 || signatures.length > 2) return false;
      // The signature of a request that was recorded stays valid. Its time does not.
      if (signedAtMs(seconds, nowMs) === undefined) return false;
      return signatures.some((text) => isSignature(text, [`${seconds}.`, body], { secret: secrets.signingSecret }));
    },

    parse: ({ json }) => [toInboundEvent(json())],

    async list({ fromMs, toMs, types, settings, secrets, fetch, signal }) {
      const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
      const address = `${settings.baseUrl}/events?${new URLSearchParams({ from, to }).toString()}`;
      const answer = await fetch(address, { headers: { authorization: `Bearer ${secrets.token}` }, signal });
      if (!answer.ok) throw new Error(`The ledger answered ${answer.status} to GET /events.`);
      const { data } = z.object({ data: z.array(z.json()) }).parse(await answer.json());
      return data.map(toInboundEvent).filter(({ type }) => types.includes(type));
    },
  },
});

/** @throws ProcedoError `invalid_input` */
function toInboundEvent(event: JsonValue): InboundEvent {
  const parsed = anyEvent.safeParse(event);
  if (!parsed.success) {
    throw new ProcedoError("invalid_input", `This is not an event of the ledger: ${z.prettifyError(parsed.error)}`);
  }
  const { id, type, occurredAt } = parsed.data;
  return { id, type, occurredAtMs: Date.parse(occurredAt), event };
}

function schemaOf(schema: z.ZodObject): JsonObject {
  return z.toJSONSchema(schema, { io: "input" }) as JsonObject;
}

function sampleOf(type: string, data: JsonObject): JsonObject {
  return { id: "evt_mhx3k2a8_1", type, occurredAt: "2026-11-27T09:00:00.000Z", data };
}
