import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import type { GuardedFetch } from "../egress/guarded-fetch.ts";

/** The events that a service sends to a connection's inbound address. All functions but `list` are pure. */
export interface InboundIntegration {
  /** The events that triggers can choose. */
  readonly events: readonly InboundEventType[];
  /** The HTTP status of a request with a wrong signature. @defaultValue 401 */
  readonly refusalStatus?: number;
  /**
   * Whether the request was sent by the service for this connection. MUST compare in constant time, MUST NOT parse the
   * body first, and MUST accept any of several valid secrets.
   */
  verify(request: VerifiedRequest): boolean;
  /**
   * The answer to a request that only checks the address, of a verified request. @defaultValue no request is one
   */
  handshake?(request: VerifiedRequest): { readonly contentType: string; readonly text: string } | undefined;
  /**
   * The events of a verified request, at most 1,000. An event of the other mode of the service is `other_environment`.
   *
   * @throws ProcedoError `invalid_input` for a body that is not of the service's form
   */
  parse(request: VerifiedRequest): readonly InboundEvent[] | "other_environment";
  /** Events of a past period, for a backfill. @defaultValue the service cannot list them */
  list?(request: ListRequest): Promise<readonly InboundEvent[]>;
}

/** A type of event that a service sends. */
export interface InboundEventType {
  /** The service's name for it, such as `payment.settled`. */
  readonly type: string;
  /** Name for people. */
  readonly title: string;
  /** JSON Schema of the event. @defaultValue any value */
  readonly schema?: JsonObject;
  /** A sample of the event, for forms and tests. */
  readonly sample: JsonValue;
}

/** A request with the connection that it was sent to. */
export interface VerifiedRequest {
  /** The lines of a header by its name in any case; empty without it. */
  readonly header: (name: string) => readonly string[];
  /** The body as it was sent. */
  readonly body: Uint8Array;
  /** Settings of the connection. */
  readonly settings: JsonObject;
  /** Secrets of the connection, in the clear. */
  readonly secrets: { readonly [name: string]: string };
  /** Environment of the connection. */
  readonly environment: Environment;
  /** The present time, in milliseconds since the epoch. */
  readonly nowMs: number;
}

/** An event of a service. */
export interface InboundEvent {
  /** The service's identifier. The same id is the same event. */
  readonly id: string;
  /** One of the types of the integration; others are ignored. */
  readonly type: string;
  /** The service's time of the event, in milliseconds since the epoch; `undefined` if it states none. */
  readonly occurredAtMs: number | undefined;
  /** The event as expressions read it. */
  readonly event: JsonValue;
}

/** A period of events to be listed. */
export interface ListRequest {
  readonly fromMs: number;
  readonly toMs: number;
  readonly types: readonly string[];
  readonly settings: JsonObject;
  readonly secrets: { readonly [name: string]: string };
  readonly fetch: GuardedFetch;
  readonly signal: AbortSignal;
}
