/** Senders of requests to inbound addresses: one for each scheme of a webhook trigger, and one for each signed service. */
import { createHmac } from "node:crypto";
import type { GivenTriggerSource } from "@procedo/contract";
import { owner, type Harness } from "./harness.ts";
import { booksSignature, cardsSignature, chatHeaders, debitsHeaders, signingSecret } from "./signed-services.ts";

export interface InboundSender {
  readonly address: string;
  /** The trigger that takes its events. */
  readonly triggerId: string;
  /** Headers that prove the origin of this body. */
  readonly proof: (body: Uint8Array) => SentHeaders;
  /** Headers that nearly prove it. */
  readonly forgeries: (body: Uint8Array) => readonly SentHeaders[];
}

export type SentHeaders = Readonly<Record<string, string>>;

type Sign = (body: Uint8Array, secret: string) => SentHeaders;
type Scheme = Extract<GivenTriggerSource, { readonly kind: "webhook" }>["authentication"];

const nowSeconds = (): string => String(Math.floor(Date.now() / 1_000));

const hmac = (key: string | Uint8Array, encoding: "hex" | "base64", ...parts: readonly (string | Uint8Array)[]) => {
  const keyed = createHmac("sha256", key);
  for (const part of parts) keyed.update(part);
  return keyed.digest(encoding);
};

const schemes: Readonly<Record<string, { readonly scheme: Scheme; readonly sign: Sign; readonly isOfBody: boolean }>> =
  {
    hmac: {
      scheme: { scheme: "hmac", header: "X-Signature", prefix: "sha256=" },
      sign: (body, secret) => ({ "X-Signature": `sha256=${hmac(secret, "hex", body)}` }),
      isOfBody: true,
    },
    "hmac with a time": {
      scheme: { scheme: "hmac", header: "X-Signature", timestampHeader: "X-Time" },
      sign: (body, secret) => {
        const time = nowSeconds();
        return { "X-Time": time, "X-Signature": hmac(secret, "hex", `${time}.`, body) };
      },
      isOfBody: true,
    },
    standard_webhooks: {
      scheme: { scheme: "standard_webhooks" },
      sign: (body, secret) => {
        const time = nowSeconds();
        const key = Buffer.from(secret.slice("whsec_".length), "base64");
        const signature = hmac(key, "base64", `msg_1.${time}.`, body);
        return { "webhook-id": "msg_1", "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
      },
      isOfBody: true,
    },
    token: {
      scheme: { scheme: "token", header: "X-Token" },
      sign: (_body, secret) => ({ "X-Token": secret }),
      isOfBody: false,
    },
    basic: {
      scheme: { scheme: "basic" },
      sign: (_body, secret) => ({ Authorization: `Basic ${btoa(`procedo:${secret}`)}` }),
      isOfBody: false,
    },
  };

const services = {
  cards: {
    event: "payment.succeeded",
    settings: {},
    proof: (body: Uint8Array) => ({ "Cards-Signature": cardsSignature(body, nowSeconds()) }),
  },
  books: {
    event: "invoice.update",
    settings: { tenantId: "ours" },
    proof: (body: Uint8Array) => ({ "Books-Signature": booksSignature(body) }),
  },
  debits: { event: "paid_out", settings: {}, proof: (body: Uint8Array) => debitsHeaders(body, "live") },
  chat: {
    event: "message",
    settings: { botId: "B_OURS" },
    proof: (body: Uint8Array) => chatHeaders(body, Number(nowSeconds())),
  },
};

export const senderNames = [...Object.keys(schemes), ...Object.keys(services)];

const environment = "live";

/** The sender of that name, with a trigger and, of a service, a connection. The harness has the signed services. */
export async function createSender({ engine }: Harness, name: string): Promise<InboundSender> {
  const common = { name, environment, procedureId: "echo", by: owner } as const;
  const scheme = schemes[name];
  if (scheme !== undefined) {
    const source = { kind: "webhook", authentication: scheme.scheme, dedupe: { by: "none" } } as const;
    const { triggerId, inbound, secret = "" } = await engine.triggers.create({ ...common, source });
    return {
      address: inbound?.address ?? "",
      triggerId,
      proof: (body) => scheme.sign(body, secret),
      forgeries: (body) => [
        scheme.sign(body, `${secret}BBBB`),
        scheme.sign(body, secret.slice(0, -4)),
        ...(scheme.isOfBody ? others(body).map((other) => scheme.sign(other, secret)) : []),
      ],
    };
  }
  const service = services[name as keyof typeof services];
  const { inbound } = await engine.connections.create({
    ...{ name, integration: name, environment, settings: service.settings, secrets: { signingSecret }, by: owner },
  });
  const source = { kind: "integration" as const, connection: name, events: [service.event] };
  const { triggerId } = await engine.triggers.create({ ...common, source });
  return {
    address: inbound?.address ?? "",
    triggerId,
    proof: service.proof,
    forgeries: (body) => others(body).map((other) => service.proof(other)),
  };
}

/** Bodies that differ from this one by one byte. */
function others(body: Uint8Array): readonly Uint8Array[] {
  const longer = Buffer.concat([body, Buffer.from([0])]);
  return body.length === 0 ? [longer] : [longer, body.subarray(1), body.subarray(0, -1)];
}
