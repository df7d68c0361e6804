/*
 * Services that send signed events, each with the habits of a real one: `cards` like Stripe, `books` like Xero, `debits` like
 * GoCardless, `chat` like Slack. Each has an integration, and signs requests as the service does.
 */
import { createHmac } from "node:crypto";
import { ProcedoError, type JsonObject } from "@procedo/contract";
import { defineIntegration, isSignature, signedAtMs, z, type InboundMessage } from "@procedo/engine";

export const signingSecret = "signing-secret-of-the-service";
const secrets = z.object({ signingSecret: z.string() });

function onlyLine({ header }: Pick<InboundMessage, "header">, name: string): string {
  const [line = "", ...more] = header(name);
  return more.length === 0 ? line : "";
}

function parsed<T>(schema: z.ZodType<T>, { json }: Pick<InboundMessage, "json">): T {
  const read = schema.safeParse(json());
  if (read.success) return read.data;
  throw new ProcedoError("invalid_input", "The body is not of the service's form.");
}

type Bytes = string | Uint8Array;

const hmac = (parts: readonly Bytes[], encoding: "hex" | "base64") => {
  const keyed = createHmac("sha256", signingSecret);
  for (const part of parts) keyed.update(part);
  return keyed.digest(encoding);
};

const cardEvent = z.looseObject({ id: z.string(), type: z.string(), created: z.int(), livemode: z.boolean() });

/** `Cards-Signature: t=<seconds>,v1=<hex>`, with several `v1` while a secret is rotated. */
export const cards = defineIntegration({
  name: "cards",
  secrets,
  actions: {},
  inbound: {
    events: [{ type: "payment.succeeded", title: "A payment succeeded", sample: { id: "evt_1" } }],
    verify: (request) => {
      const parts = onlyLine(request, "Cards-Signature")
        .split(",")
        .map((part) => part.split("="));
      const valuesOf = (name: string) => parts.filter(([key]) => key === name).map(([, value = ""]) => value);
      const [time = "", ...times] = valuesOf("t");
      const { signingSecret: secret } = request.secrets;
      const matches = valuesOf("v1").map((text) => isSignature(text, [`${time}.`, request.body], { secret }));
      return times.length === 0 && matches.includes(true) && signedAtMs(time, request.nowMs) !== undefined;
    },
    parse: (request) => {
      const event = parsed(cardEvent, request);
      if (event.livemode !== (request.environment === "live")) return "other_environment";
      return [{ id: event.id, type: event.type, occurredAtMs: event.created * 1_000, event: event as JsonObject }];
    },
  },
});

export function cardsSignature(body: Bytes, seconds: number | string): string {
  return `t=${seconds},v1=${hmac([`${seconds}.`, body], "hex")}`;
}

const bookEvents = z.object({
  events: z.array(z.looseObject({ tenantId: z.string(), resourceId: z.string(), eventType: z.string() })),
});

/** `Books-Signature: <base64>`, events of several tenants in one request, and an empty list to test the address. */
export const books = defineIntegration({
  name: "books",
  settings: z.object({ tenantId: z.string() }),
  secrets,
  actions: {},
  inbound: {
    events: [{ type: "invoice.update", title: "An invoice changed", sample: { resourceId: "inv_1" } }],
    verify: (request) => {
      const { signingSecret: secret } = request.secrets;
      return isSignature(onlyLine(request, "Books-Signature"), [request.body], { secret, encoding: "base64" });
    },
    parse: (request) =>
      parsed(bookEvents, request)
        .events.filter(({ tenantId }) => tenantId === request.settings.tenantId)
        .map((event) => ({
          id: `${event.resourceId}:${event.eventType}`,
          type: event.eventType,
          occurredAtMs: undefined,
          event: event as JsonObject,
        })),
  },
});

export const booksSignature = (body: Bytes): string => hmac([body], "base64");

const debitEvents = z.object({ events: z.array(z.looseObject({ id: z.string(), action: z.string() })) });
const debitOrigins = { live: "https://api.debits.example", sandbox: "https://api-sandbox.debits.example" };

/** `Debits-Signature: <hex>`, refused with 498, up to 250 events in a request, and `Origin` names the environment. */
export const debits = defineIntegration({
  name: "debits",
  secrets,
  actions: {},
  inbound: {
    events: [{ type: "paid_out", title: "A debit was paid out", sample: { id: "EV1" } }],
    refusalStatus: 498,
    verify: (request) => {
      const { signingSecret: secret } = request.secrets;
      return isSignature(onlyLine(request, "Debits-Signature"), [request.body], { secret });
    },
    parse: (request) => {
      if (onlyLine(request, "Origin") !== debitOrigins[request.environment]) return "other_environment";
      return parsed(debitEvents, request).events.map((event) => {
        return { id: event.id, type: event.action, occurredAtMs: undefined, event: event as JsonObject };
      });
    },
  },
});

export function debitsHeaders(body: Bytes, environment: "live" | "sandbox"): Record<string, string> {
  return { "Debits-Signature": hmac([body], "hex"), Origin: debitOrigins[environment] };
}

const chatBody = z.looseObject({
  type: z.string(),
  challenge: z.string().optional(),
  team_id: z.string().optional(),
  event: z.looseObject({ channel: z.string(), ts: z.string(), bot_id: z.string().optional() }).optional(),
});

/** `Chat-Signature: v0=<hex>` over time and body, a challenge for the address, and one message under several event ids. */
export const chat = defineIntegration({
  name: "chat",
  settings: z.object({ botId: z.string() }),
  secrets,
  actions: {},
  inbound: {
    events: [{ type: "message", title: "A message was posted", sample: { text: "hello" } }],
    verify: (request) => {
      const time = onlyLine(request, "Chat-Timestamp");
      const [, signature = ""] = /^v0=(.*)$/.exec(onlyLine(request, "Chat-Signature")) ?? [];
      const { signingSecret: secret } = request.secrets;
      const isSigned = isSignature(signature, [`v0:${time}:`, request.body], { secret });
      return isSigned && signedAtMs(time, request.nowMs) !== undefined;
    },
    handshake: (request) => {
      const { type, challenge } = parsed(chatBody, request);
      if (type !== "url_verification" || challenge === undefined) return undefined;
      return { contentType: "text/plain", text: challenge };
    },
    parse: (request) => {
      const { team_id: team = "", event } = parsed(chatBody, request);
      if (event === undefined || event.bot_id === request.settings.botId) return [];
      const id = `${team}:${event.channel}:${event.ts}`;
      return [{ id, type: "message", occurredAtMs: Number(event.ts) * 1_000, event: event as JsonObject }];
    },
  },
});

export function chatHeaders(body: Bytes, seconds: number): Record<string, string> {
  return { "Chat-Timestamp": String(seconds), "Chat-Signature": `v0=${hmac([`v0:${seconds}:`, body], "hex")}` };
}
