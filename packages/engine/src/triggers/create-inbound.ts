/*
 * Requests of other services to inbound addresses, from their bytes to stored events.
 *
 *   inbound.ts            a request and its answer
 *   create-inbound.ts     the way of a request; received-request.ts: its parts, read on demand
 *   inbound-targets.ts    the receiver of an address (inbound-target.ts): a webhook trigger (inbound-trigger.ts,
 *                         inbound-dedupe.ts: which requests are the same event) or a connection (inbound-connection.ts;
 *                         inbound-service.ts: its secrets and events)
 *   inbound-schemes/      how requests to a webhook trigger prove their origin
 *   inbound-secret.ts     the secret of a webhook trigger
 */
import { ProcedoError } from "@procedo/contract";
import type { EventBatch, Storage } from "@procedo/storage";
import { isSignature } from "../integrations/signatures.ts";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import { createSparseWarnings } from "../ports/sparse-warnings.ts";
import { createInboundTargets } from "./inbound-targets.ts";
import type { InboundTarget } from "./inbound-target.ts";
import type { Inbound, InboundAnswer } from "./inbound.ts";
import { receivedRequest, type ReceivedRequest } from "./received-request.ts";
import type { Verified } from "./inbound-schemes/scheme-request.ts";

/** Firings of a trigger that may wait. Above it, the other service keeps its events for a later attempt. */
export const maxBacklog = 10_000;

const retryAfterMs = 10_000;

export interface InboundPorts extends Omit<Parameters<typeof createInboundTargets>[0], "storage"> {
  readonly storage: Pick<Storage, "records" | "triggers">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly log: Log;
}

export function createInbound(ports: InboundPorts): {
  readonly inbound: Inbound;
  /** Makes the next request to each address read its trigger or connection again. */
  readonly forget: () => void;
} {
  const { storage, clock, log } = ports;
  const targets = createInboundTargets(ports);
  const warnings = createSparseWarnings(log, clock);

  const refuse = (target: InboundTarget, status: number, reason: string): InboundAnswer => {
    target.refused();
    warnings.warn(`${target.subject} ${reason}`, `${target.subject} refused a request to its inbound address.`, {
      status,
      reason,
    });
    return { status, isUnproven: false };
  };

  const take = async (batch: EventBatch): Promise<void> => {
    const taken = await storage.triggers.take(batch).catch(unavailable);
    if (taken !== "backlog") return;
    const message = `A trigger has ${maxBacklog} firings that wait. Its events are accepted again once they have started.`;
    throw new ProcedoError("inbound_unavailable", message, { retryAfterMs });
  };

  const accept = async (
    target: InboundTarget,
    request: ReceivedRequest,
    verified: Verified,
  ): Promise<InboundAnswer> => {
    const handshake = target.handshake(request);
    if (handshake !== undefined) return { status: 200, body: handshake, isUnproven: false };
    const events = target.events(request, verified);
    if (events === "other_environment") return refuse(target, 403, "The events are those of the other environment.");
    if (events.length > 0) await take({ ...target.batch, events, maxBacklog });
    target.received();
    return { status: 200, isUnproven: false };
  };

  const receive = async (given: Parameters<Inbound["receive"]>[0]): Promise<InboundAnswer> => {
    const request = receivedRequest(given, clock.now());
    const target = await targets.find(given.address).catch(unavailable);
    if (target === undefined) {
      // As long as the refusal of a known address.
      isSignature("", [request.body], { secret: "unknown" });
      return { status: 404, isUnproven: true };
    }
    const verified = target.verify(request);
    if (verified === undefined) {
      return { ...refuse(target, target.refusalStatus, "The signature is missing or wrong."), isUnproven: true };
    }
    try {
      return await accept(target, request, verified);
    } catch (error) {
      if (!ProcedoError.isError(error) || error.status >= 500) throw error;
      return refuse(target, error.status, `The body cannot be read: ${error.code}.`);
    }
  };

  return { inbound: { receive }, forget: () => targets.forget() };
}

function unavailable(cause: unknown): never {
  if (ProcedoError.isError(cause) && cause.code === "decryption_failed") throw cause;
  const message = `The events could not be stored, and their sender was asked to send them again. ${errorText(cause)}`;
  throw new ProcedoError("inbound_unavailable", message, { retryAfterMs, cause });
}
