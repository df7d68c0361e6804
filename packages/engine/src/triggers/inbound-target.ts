import type { EventBatch } from "@procedo/storage";
import type { InboundHandshake } from "../integrations/inbound-integration.ts";
import type { Verified } from "./inbound-schemes/scheme-request.ts";
import type { ReceivedRequest } from "./received-request.ts";

/** The receiver of the requests to one address: a webhook trigger, or a connection. */
export interface InboundTarget {
  /** The owner and origin of its events. */
  readonly batch: Pick<EventBatch, "scope" | "source">;
  /** Whether its events are for one trigger: without one that takes them, the address is gone. */
  readonly isOfTrigger: boolean;
  /** Its kind and id, for the log. */
  readonly subject: string;
  /** HTTP status of a request that did not prove its origin. */
  readonly refusalStatus: number;
  /**
   * `undefined` when the request did not prove its origin. A failure of its code proves nothing either.
   *
   * @throws ProcedoError `inbound_unavailable` if the service's key for the signature cannot be fetched now
   */
  verify(request: ReceivedRequest): Verified | undefined | Promise<Verified | undefined>;
  /**
   * The answer to a verified request that only checks the address.
   *
   * @throws ProcedoError as `events`
   */
  handshake(request: ReceivedRequest): InboundHandshake | undefined;
  /**
   * The events of a verified request.
   *
   * @throws ProcedoError `malformed_request`, `invalid_input`, `payload_too_large`; `internal` when the code of an
   *   integration failed
   */
  events(request: ReceivedRequest, verified: Verified): EventBatch["events"] | "other_environment";
  /** Notes a verified request. */
  received(): void;
  /** Notes a refused request. */
  refused(): void;
}

/**
 * How long the dedupe key of an event is known: services send an event again for up to two weeks, and people for a month
 * (Wise, Stripe).
 */
export const dedupeWindowMs = 35 * 86_400_000;

/** A sender's identifiers are kept up to this number of characters. Longer ones are told apart by their digest. */
export const maxEventIdLength = 256;
