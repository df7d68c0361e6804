/* The requests that operations answer, checked and authorized: one form per kind of operation. */
import type { Environment } from "@procedo/contract";
import type { AuditPublicKey, Engine, Principal, PrivateClient, Session } from "@procedo/engine";
import type { About, Addresses } from "./about.ts";
import type { BrowserCookie } from "./access/browser-cookie.ts";
import type { EventStream, StreamSource } from "./live/event-stream.ts";
import type { SignInProvider } from "./sign-in-provider.ts";

/** The data behind operations that need no engine. */
export interface Service {
  readonly about: About;
  readonly addresses: Addresses;
  /** Requests per second for each key, session and token; `undefined` if there is no limit. */
  readonly requestsPerSecond: number | undefined;
  /** The identity providers, by id. */
  readonly signIn: ReadonlyMap<string, SignInProvider>;
  /** Resolves when requests can be served. */
  readonly ready: () => Promise<void>;
  /** JSON text of the OpenAPI document. */
  readonly openApiText: () => string;
  /** The key that verifies audit exports. */
  readonly publicKey: () => AuditPublicKey;
}

/** A request with the session of a person. */
export interface SessionCall<Params = unknown, Query = unknown, Body = unknown> {
  readonly engine: Engine;
  /** The person, with what they may do in the workspace as a whole. */
  readonly principal: Principal;
  readonly session: Session;
  /** Whether the session was sent as a cookie; if not, as a bearer token. */
  readonly isCookie: boolean;
  readonly cookie: BrowserCookie;
  readonly about: About;
  readonly service: Pick<Service, "addresses" | "requestsPerSecond">;
  /** Base address of the application, as callers reach it. */
  readonly appUrl: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Extends the time limit of the answer by `ms`. */
  readonly extend: (ms: number) => void;
  /** Whether the caller still waits for the answer. Checked before creating a secret that only the answer shows. */
  readonly isAwaited: () => boolean;
}

/** A request with a principal, in no particular environment. */
export interface PrincipalCall<Query = unknown> {
  readonly principal: Principal;
  readonly about: About;
  readonly query: Query;
}

/** An authorized request with a key, or with a session in an environment. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly engine: Engine;
  readonly principal: Principal;
  /** The environment of the request. */
  readonly environment: Environment;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly header: (name: string) => string | undefined;
  readonly statusUrl: (runId: string) => string;
  /** Base address of the application, as callers reach it. */
  readonly appUrl: string;
  /** Base address of the service for clients of private connections. */
  readonly sdkUrl: string;
  /** The URL of an inbound address. */
  readonly inboundUrl: (address: string) => string;
  /** Fires when the caller no longer waits for the answer, or the answer is due now. */
  waitSignal(): AbortSignal;
  /**
   * Marks the start of a wait with the caller's own timeout, during which the body is not needed. All other requests
   * are answered within 5 s.
   */
  readonly hold: () => void;
  /**
   * Pauses the request's time limit during a wait for an external service, which has its own time limit.
   *
   * @throws ProcedoError `rate_limited` when too many requests of the key or the environment are in such a wait
   */
  readonly outside: (isOutside: boolean) => void;
  /** Whether the caller still waits for the answer. Checked before creating a secret that only the answer shows. */
  readonly isAwaited: () => boolean;
  /**
   * Begins an endless answer, which ends with the key or session, with the connection, or when the service begins to
   * close.
   *
   * @throws ProcedoError `rate_limited` when the caller or the environment has too many of them
   */
  readonly stream: (open: (write: (text: string) => void) => StreamSource) => EventStream;
  /** Treats the answer from here on as `heavy`. @throws ProcedoError `rate_limited` */
  heavy(): Promise<void>;
  /**
   * Counts memory that the answer occupies until the caller has received it.
   *
   * @throws ProcedoError `payload_too_large` for an answer above the limit by itself, `rate_limited` for one that
   *   exceeds the limit together with others
   */
  readonly onRead: (bytes: number) => void;
}

/** An authenticated request of a private connection's client. */
export interface ClientCall<Query = unknown, Body = unknown> {
  readonly engine: Engine;
  readonly client: PrivateClient;
  readonly query: Query;
  readonly body: Body;
  header(name: string): string | undefined;
  /** Fires when the client disconnects or the service begins to close. */
  pollSignal(): AbortSignal;
  /** Extends the time limit of the answer by `ms`. */
  extend(ms: number): void;
}

/** A request of another service. */
export interface InboundCall<Params = unknown> {
  readonly engine: Engine;
  readonly params: Params;
  /** Every header with its lines, by name in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The body as it was sent. */
  readonly body: Uint8Array;
}

/** A request of a person's browser, without a key or session. */
export interface PageCall<Params = unknown> {
  readonly engine: Engine;
  readonly params: Params;
  /** The query as it was sent, with repeated parameters. */
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** Base address of the application, as browsers reach it. */
  readonly appUrl: string;
  /** Pauses the request's time limit during a wait for an external service, which has its own time limit. */
  readonly outside: (isOutside: boolean) => void;
}
