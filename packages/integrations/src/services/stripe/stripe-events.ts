import type { JsonValue } from "@procedo/contract";
import {
  isSignature,
  ProcedoError,
  signedAtMs,
  type InboundEvent,
  type InboundIntegration,
  type InboundMessage,
} from "@procedo/engine";
import * as z from "zod";
import type { Service } from "../../kit/index.ts";
import { listRequest, stripePages } from "./stripe-actions.ts";
import { stripeEvent, stripeEventTypes } from "./stripe-event-types.ts";

/** The secrets of Stripe's webhook endpoint. */
export interface StripeWebhookSecrets {
  readonly webhookSecret?: string | undefined;
  readonly previousWebhookSecret?: string | undefined;
}

/**
 * The events of Stripe. A connection without a webhook secret refuses each of them. Their objects are of the version of
 * the webhook endpoint, not of `stripeVersion`.
 *
 * Sources: https://docs.stripe.com/webhooks/signature, https://docs.stripe.com/webhooks/versioning
 */
export function stripeEvents<Secrets extends StripeWebhookSecrets>({
  pages,
  withoutCredentials,
}: Service<unknown, Secrets>): InboundIntegration<unknown, Secrets> {
  return {
    events: stripeEventTypes,
    verify: verifyStripe,
    parse: ({ json, environment }) => {
      const event = json();
      const { livemode: isLive } = factsOf(event);
      return isLive === (environment === "live") ? [toInboundEvent(withoutCredentials(event))] : "other_environment";
    },
    // Stripe lists the events of the last 30 days.
    list: async ({ fromMs, toMs, types, ...context }) => {
      const created = { gte: Math.ceil(fromMs / 1_000), lt: Math.ceil(toMs / 1_000) };
      const lists = inParts(types, maxTypes).map((part) =>
        pages(context, listRequest("/v1/events", { created, "types[]": part }), stripePages),
      );
      const found = await Promise.all(lists);
      if (found.some(({ hasMore }) => hasMore))
        throw new Error("The period has too many events. Choose a shorter one.");
      return found.flatMap(({ items }) => items).map(toInboundEvent);
    },
  };
}

/** The most types of one request for events. */
const maxTypes = 20;

/** The most signatures of a header: Stripe signs with each secret that is valid at the time. */
const maxSignatures = 5;

/** `Stripe-Signature: t=<seconds>,v1=<hex>`, with one `v1` for each valid secret, and perhaps other schemes. */
function verifyStripe<Secrets extends StripeWebhookSecrets>(message: InboundMessage<unknown, Secrets>): boolean {
  const { header, body, secrets, nowMs } = message;
  const [line = "", ...more] = header("Stripe-Signature");
  const parts = line.split(",").map((part) => part.split("="));
  const valuesOf = (wanted: string) => parts.flatMap(([name, value = ""]) => (name === wanted ? [value] : []));
  const [times, signatures] = [valuesOf("t"), valuesOf("v1")];
  const [seconds = ""] = times;
  // Each signature costs a hash of the body with each secret, so their number is bounded before any is checked.
  if (more.length > 0 || times.length !== 1 || signatures.length > maxSignatures) return false;
  if (signedAtMs(seconds, nowMs) === undefined) return false;
  const known = [secrets.webhookSecret, secrets.previousWebhookSecret].filter((secret) => secret !== undefined);
  const found = known.flatMap((secret) =>
    signatures.map((text) => isSignature(text, [`${seconds}.`, body], { secret })),
  );
  return found.includes(true);
}

/** @throws ProcedoError `invalid_input` */
function factsOf(event: JsonValue): z.output<typeof stripeEvent> {
  const result = stripeEvent.safeParse(event);
  if (result.success) return result.data;
  throw new ProcedoError("invalid_input", `This is not an event of Stripe: ${z.prettifyError(result.error)}`);
}

function toInboundEvent(event: JsonValue): InboundEvent {
  const { id, type, created } = factsOf(event);
  return { id, type, occurredAtMs: created * 1_000, event };
}

function inParts<Item>(list: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
