import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import type { AccountContext } from "./account-context.ts";

/**
 * The events that a service sends to the inbound address of a connection. All functions but `list` and `keys.fetch` are
 * pure. A request is verified first; only then is its body read.
 */
export interface InboundIntegration<Settings = JsonObject, Secrets = { readonly [name: string]: string }> {
  /** The events that triggers can choose. */
  readonly events: readonly InboundEventType[];
  /** HTTP status of a request with a wrong signature, 400 to 499. @defaultValue 401 */
  readonly refusalStatus?: number;
  /** The keys that the service publishes for its signatures. @defaultValue a secret of the connection verifies them */
  readonly keys?: PublishedKeys<Settings, Secrets>;
  /**
   * Whether the request was sent by the service for this connection. MUST compare in constant time, MUST NOT parse the
   * body, MUST accept each of several valid secrets, and MUST refuse a signature header that was sent twice.
   * `isSignature` of this package compares signatures.
   */
  verify(request: InboundMessage<Settings, Secrets>): boolean;
  /**
   * The answer to a verified request that only checks the address. @defaultValue no request is one
   */
  handshake?(request: InboundMessage<Settings, Secrets>): InboundHandshake | undefined;
  /**
   * The events of a verified request, at most 1,000. An event of the service's other mode is `other_environment`.
   *
   * @throws ProcedoError `invalid_input` for a body that is not of the service's form
   */
  parse(request: InboundMessage<Settings, Secrets>): readonly InboundEvent[] | "other_environment";
  /** Events of a past period, for a backfill. @defaultValue the service cannot list them */
  list?(request: ListRequest<Settings, Secrets>): Promise<readonly InboundEvent[]>;
}

/** Public keys of a service, which verify its signatures. */
export interface PublishedKeys<Settings = JsonObject, Secrets = { readonly [name: string]: string }> {
  /**
   * The id of the key that a request names, of at most 200 characters; `undefined` if it names none in the service's form.
   * Anyone can send a request: what it says is not verified yet.
   */
  idOf(request: InboundMessage<Settings, Secrets>): string | undefined;
  /**
   * Asks the service for a key, within 3 s. A key is kept for an hour. While a question fails, or after six for new keys in a
   * minute, requests with unknown keys are answered 503, so that the service sends them again.
   *
   * @returns `undefined` if the service has no such key, or does not use it any more
   */
  fetch(keyId: string, context: AccountContext<Settings, Secrets>): Promise<JsonValue | undefined>;
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

/** A request to the inbound address of a connection. */
export interface InboundMessage<Settings = JsonObject, Secrets = { readonly [name: string]: string }> {
  /** The lines of a header by its name in any case; empty without it. */
  readonly header: (name: string) => readonly string[];
  /** The body as it was sent. */
  readonly body: Uint8Array;
  /**
   * The body as JSON. A number that a double would change is a string of its digits.
   *
   * @throws ProcedoError `malformed_request`, also for a member that occurs twice, and above 64 levels of nesting
   */
  readonly json: () => JsonValue;
  /** Settings of the connection. */
  readonly settings: Settings;
  /** Secrets of the connection, in the clear. */
  readonly secrets: Secrets;
  /** Environment of the connection. */
  readonly environment: Environment;
  /** The present time, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** For `verify` of an integration with `keys`: the key that the request names. @defaultValue the service has no such key */
  readonly key?: JsonValue | undefined;
}

/** The answer to a request that checks an address. */
export interface InboundHandshake {
  /** Value of the `Content-Type` header. */
  readonly contentType: string;
  /** The body. */
  readonly text: string;
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
  /**
   * For how long the id is known, in milliseconds, 1 to 35 days, for a service whose ids come back with other events.
   * @defaultValue 35 days
   */
  readonly knownForMs?: number;
}

/** A period of events to be listed, and the connection whose service lists them. */
export interface ListRequest<
  Settings = JsonObject,
  Secrets = { readonly [name: string]: string },
> extends AccountContext<Settings, Secrets> {
  /** Earliest time, inclusive, in milliseconds since the epoch. */
  readonly fromMs: number;
  /** Latest time, exclusive, in milliseconds since the epoch. */
  readonly toMs: number;
  /** The types to list. */
  readonly types: readonly string[];
}
