import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import type { CodedIntegration, Secrets, ServiceAccount } from "@procedo/engine";

/** An integration with everything that is needed to try it: a connection, a call of each action, events of its service. */
export interface IntegrationProbe {
  /** The integration, whose requests go to the probe's service. */
  readonly integration: CodedIntegration;
  /** A connection whose credentials are of its environment. Every secret has at least 6 characters. */
  readonly connection: ProbedConnection;
  /**
   * A connection whose credentials are of the other environment than it says. @defaultValue the credentials do not tell
   */
  readonly misplaced?: ProbedConnection;
  /** The requests of `account`. @defaultValue the integration has none */
  readonly account?: ProbedAccount;
  /** A call of each action that sends requests, by its name; several where its requests take several ways. */
  readonly calls: { readonly [action: string]: ProbedCall | readonly ProbedCall[] };
  /** Actions that send no HTTP request, or `account` if it sends none. They are tried elsewhere. @defaultValue none */
  readonly elsewhere?: readonly string[];
  /** Events as the service sends them. @defaultValue the integration has no events */
  readonly inbound?: ProbedInbound;
}

/** A connection of the integration. */
export interface ProbedConnection {
  /** Its environment. */
  readonly environment: Environment;
  /** Its settings. @defaultValue none */
  readonly settings?: JsonObject;
  /** Its secrets, in the clear. @defaultValue none */
  readonly secrets?: Secrets;
  /** The account that a person authorized. @defaultValue none */
  readonly account?: ServiceAccount;
}

/** The account of the connection's credentials, and the requests that ask for it. */
export interface ProbedAccount {
  /** Each request with its answer, in their order. */
  readonly exchanges: readonly ProbedExchange[];
  /** The account that is read from the answers. */
  readonly account: JsonObject;
  /**
   * The requests with the answers for an account of the other environment. It is refused with
   * `credentials_of_other_environment`. @defaultValue the answers do not tell
   */
  readonly misplaced?: readonly ProbedExchange[];
}

/** A call with the requests that it sends, and the answers of the service. */
export interface ProbedCall {
  /** The arguments. */
  readonly args: JsonObject;
  /** Each request with its answer, in their order. */
  readonly exchanges: readonly ProbedExchange[];
  /** The output. @defaultValue the body of the last answer */
  readonly output?: JsonValue;
  /**
   * The argument by which the service recognizes a repetition of an idempotent call. @defaultValue the idempotency key
   */
  readonly recognizedBy?: string;
}

/** A request that a call sends, and the service's answer. */
export interface ProbedExchange {
  /** Method and target: `POST /v1/refunds?expand=charge`. */
  readonly request: string;
  /** The body: a JSON value, or the text of a form. @defaultValue none */
  readonly sent?: JsonValue;
  /** The body of the answer. */
  readonly answer: JsonValue;
  /** Status of the answer. @defaultValue 200 */
  readonly status?: number;
}

/** The events of a service. */
export interface ProbedInbound {
  /** Bodies with one event of each type, by the type. */
  readonly bodies: { readonly [type: string]: string };
  /**
   * The headers with which the service sends a body at that time, with the secrets of the connection. `Content-Type` can be
   * left out for JSON.
   */
  readonly sign: (
    body: string,
    at: { readonly nowMs: number; readonly secrets: Secrets },
  ) => {
    readonly [name: string]: string;
  };
  /** Name of the header that has the signature. */
  readonly header: string;
  /**
   * The requests, with their answers, by which `keys.fetch` gets the key that `sign` signs with.
   * @defaultValue the integration has no `keys`
   */
  readonly key?: readonly ProbedExchange[];
  /** How far a signed time may differ, in milliseconds. @defaultValue the signature has no time */
  readonly toleranceMs?: number;
  /** A request of the service's other environment. @defaultValue its events do not tell */
  readonly misplaced?: {
    /** Its headers, by name. @defaultValue none */
    readonly headers?: { readonly [name: string]: string };
    /** Its body. */
    readonly body: string;
  };
  /** A past period whose events are listed. @defaultValue the service cannot list its events */
  readonly list?: ProbedList;
}

/** The events of a past period. */
export interface ProbedList {
  /** Earliest time, inclusive, in milliseconds since the epoch. */
  readonly fromMs: number;
  /** Latest time, exclusive, in milliseconds since the epoch. */
  readonly toMs: number;
  /** The types that are asked for. */
  readonly types: readonly string[];
  /** Each request with its answer, in their order. */
  readonly exchanges: readonly ProbedExchange[];
  /** Ids of the events that are listed, in their order. */
  readonly ids: readonly string[];
}
