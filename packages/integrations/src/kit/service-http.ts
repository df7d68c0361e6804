import type { Environment, JsonValue } from "@procedo/contract";
import type { ActionFailure, ServiceAccount } from "@procedo/engine";

/** How the requests of a service's connections are made and answered. All functions are pure. */
export interface ServiceHttp<Settings, Secrets> {
  /** Base of all paths, such as `https://api.example.com/v1`. */
  readonly baseUrl: (connection: { readonly environment: Environment; readonly settings: Settings }) => string;
  /**
   * Headers of every request, such as the version of the interface, or the account that it acts on. @defaultValue none
   */
  readonly headers?: ServiceHeaders | ((connection: ServiceConnection<Settings>) => ServiceHeaders);
  /**
   * The headers that carry the credentials. They are not recorded.
   *
   * @defaultValue none: the connection uses OAuth, so that its `fetch` adds the access token
   */
  readonly credentials?: (connection: { readonly settings: Settings; readonly secrets: Secrets }) => ServiceHeaders;
  /**
   * Names of members whose text is a credential, at any depth of an answer or event, such as `client_secret`. It is
   * replaced in outputs, events and records. @defaultValue none
   */
  readonly credentialMembers?: readonly string[];
  /** The place of the idempotency key in requests of calls with an effect. @defaultValue the service takes none */
  readonly idempotency?: ServiceIdempotency;
  /**
   * The refusal in an answer that the status does not tell, or that the service has better words for.
   *
   * @defaultValue the status decides: a 2xx is the result of the call
   */
  readonly refusal?: (reply: ServiceReply) => ServiceRefusal | undefined;
}

/** Headers, by name. */
export interface ServiceHeaders {
  readonly [name: string]: string;
}

/** The connection of a request. */
export interface ServiceConnection<Settings> {
  /** Settings of the connection. */
  readonly settings: Settings;
  /** The account that a person authorized, for a connection with OAuth. @defaultValue it is not known */
  readonly account?: ServiceAccount | undefined;
}

/** The place and form of an idempotency key. */
export interface ServiceIdempotency {
  /** Name of a header that carries it. @defaultValue none */
  readonly header?: string;
  /** Name of a member of the body that carries it. @defaultValue none */
  readonly member?: string;
  /** `key`: 32 characters of base64url. `uuid`: a UUID made from them. @defaultValue "key" */
  readonly form?: "key" | "uuid";
}

/** The reply of a service to a request. */
export interface ServiceReply {
  /** Its HTTP status. */
  readonly status: number;
  /** Its body; `null` for none. */
  readonly body: JsonValue;
  /** Its headers, by name in lower case. @defaultValue none */
  readonly headers?: ServiceHeaders;
}

/** A call that the service did not do. */
export interface ServiceRefusal {
  /** The reason, as a sentence for people. More than 500 characters are cut. */
  readonly message: string;
  /**
   * The effect of the call. @defaultValue that of the status: `unknown` after a 5xx, `conflict` after a 409, `refused`
   *   after a 2xx and any other 4xx
   */
  readonly outcome?: ActionFailure;
  /** Whether the retry rules apply. @defaultValue that of the status: yes after a 429, no after a 2xx */
  readonly retryable?: boolean;
  /** The wait that the service asks for, in milliseconds. @defaultValue none */
  readonly retryAfterMs?: number;
}
