/*
 * Requests of other services to inbound addresses, from their bytes to stored events.
 *
 *   inbound.ts            a request and its answer
 *   create-inbound.ts     the way of a request; received-request.ts: its parts, read on demand
 *   inbound-targets.ts    the receiver of an address (inbound-target.ts): a webhook trigger (inbound-trigger.ts,
 *                         inbound-dedupe.ts: which requests are the same event) or a connection (inbound-connection.ts;
 *                         inbound-service.ts: its secrets and events, and ask-inbound-service.ts: a question to its
 *                         service; inbound-keys.ts: the public keys of that;
 *                         checked-events.ts: the checks of the events that its code returns)
 *   inbound-schemes/      how requests to a webhook trigger prove their origin
 *   inbound-secret.ts     the secrets of a webhook trigger, present and replaced
 */
import { ProcedoError } from "@procedo/contract";
import type { EventBatch, Storage } from "@procedo/storage";
import { isSignature } from "../integrations/signatures.ts";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import { createSparseWarnings } from "../ports/sparse-warnings.ts";
import { createInboundTargets } from "./inbound-targets.ts";
import type { InboundTarget } from "./inbound-target.ts";
import { createInboundKeys } from "./inbound-keys.ts";
import type { Inbound, InboundAnswer } from "./inbound.ts";
import { receivedRequest, type ReceivedRequest } from "./received-request.ts";
import type { Verified } from "./inbound-schemes/scheme-request.ts";

/** Firings of a trigger that may wait. Above it, the other service keeps its events for a later attempt. */
export const maxBacklog = 10_000;

const retryAfterMs = 10_000;

/** Statuses of a verified request whose body cannot be read: its form, its size, its contents. */
const bodyStatuses: readonly number[] = [400, 413, 422];

export interface InboundPorts extends Omit<Parameters<typeof createInboundTargets>[0], "storage" | "inboundKeys"> {
  readonly storage: Pick<Storage, "records" | "triggers">;
  readonly clock: Pick<Clock, "now" | "monotonic" | "after">;
  readonly log: Log;
}

export function createInbound(ports: InboundPorts): {
  readonly inbound: Inbound;
  /** Makes the next request to each address read its trigger or connection again. */
  readonly forget: () => void;
} {
  const { storage, clock, log } = ports;
  // Not with the targets, which any change makes forgotten: it bounds the questions that strangers can cause.
  const inboundKeys = createInboundKeys(clock);
  const targets = createInboundTargets({ ...ports, inboundKeys });
  const warnings = createSparseWarnings(log, clock);

  /** @param error the failure of an integration's own code, without secrets; of a verified request only */
  const refuse = (target: InboundTarget, status: number, reason: string, error?: string): InboundAnswer => {
    target.refused();
    warnings.warn(`${target.subject} ${reason}`, `${target.subject} refused a request to its inbound address.`, {
      status,
      reason,
      ...(error !== undefined && { error }),
    });
    return { status };
  };

  const verify = async (target: InboundTarget, request: ReceivedRequest): Promise<Verified | InboundAnswer> => {
    let reason = "The signature is missing or wrong.";
    try {
      const verified = await target.verify(request);
      if (verified !== undefined) return verified;
    } catch (error) {
      if (ProcedoError.isError(error) && error.code === "inbound_unavailable") {
        return { ...refuse(target, 503, error.message), unproven: "wrong_signature" };
      }
      // Its message may quote the request, and anyone can send one.
      reason = `The verification failed with ${error instanceof Error ? error.constructor.name : "a value"}.`;
    }
    return { ...refuse(target, target.refusalStatus, reason), unproven: "wrong_signature" };
  };

  /** Returns whether a trigger has taken, or had taken, one of the events. */
  const take = async (batch: EventBatch): Promise<boolean> => {
    const taken = await storage.triggers.take(batch).catch(unavailable);
    if (taken !== "backlog") return taken.some(({ status }) => status !== "untaken");
    const message = `A trigger has ${maxBacklog} firings that wait. Its events are accepted again once they have started.`;
    throw new ProcedoError("inbound_unavailable", message, { retryAfterMs });
  };

  /** The events of a verified request, or the answer to one that has none. */
  const read = (
    target: InboundTarget,
    request: ReceivedRequest,
    verified: Verified,
  ): EventBatch["events"] | InboundAnswer => {
    try {
      const handshake = target.handshake(request);
      if (handshake !== undefined) return { status: 200, body: handshake };
      const events = target.events(request, verified);
      if (events !== "other_environment") return events;
      return refuse(target, 403, "The events are those of the other environment.");
    } catch (error) {
      if (!ProcedoError.isError(error)) throw error;
      if (error.code === "internal") return refuse(target, 422, "Its integration failed on the body.", error.message);
      const status = bodyStatuses.includes(error.status) ? error.status : 422;
      return refuse(target, status, `The body cannot be read: ${error.code}.`);
    }
  };

  const receive = async (given: Parameters<Inbound["receive"]>[0]): Promise<InboundAnswer> => {
    const request = receivedRequest(given, clock.now());
    const target = await targets.find(given.address).catch(unavailable);
    if (target === undefined) {
      // As much hashing as for a known address.
      isSignature("", [request.body], { secret: "unknown" });
      return { status: 404, unproven: "unknown_address" };
    }
    const verified = await verify(target, request);
    if ("status" in verified) return verified;
    const events = read(target, request, verified);
    if ("status" in events) return events;
    const isTaken = events.length === 0 || (await take({ ...target.batch, events, maxBacklog }));
    if (!isTaken && target.isOfTrigger) {
      // Another node has removed the trigger, and this one has not heard of it.
      targets.forget();
      return { status: 404, unproven: "unknown_address" };
    }
    target.received();
    return { status: 200 };
  };

  return { inbound: { receive }, forget: () => targets.forget() };
}

function unavailable(cause: unknown): never {
  if (ProcedoError.isError(cause) && cause.code === "decryption_failed") throw cause;
  const message = `The events could not be stored, and their sender was asked to send them again. ${errorText(cause)}`;
  throw new ProcedoError("inbound_unavailable", message, { retryAfterMs, cause });
}
