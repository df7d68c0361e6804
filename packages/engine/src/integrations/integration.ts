/*
 * The port to outside services.
 *
 *   integration.ts         an integration, its actions, and the context of a call
 *   define-integration.ts  integrations written in code; action-definition.ts: their actions, typed;
 *                          check-integration.ts: the checks of a definition; connection-fields.ts: the settings and
 *                          secrets of its connections; closed-schema.ts: arguments without unknown members
 *   secrets-by-name.ts     the secrets of a connection
 *   account-context.ts     the account of a connection, and the context of requests outside a call
 *   oauth-client.ts        how a connection gets access tokens
 *   inbound-integration.ts the events that a service sends; check-inbound.ts: the checks of their definition;
 *                          inbound-address.ts: the address that they are sent to; signatures.ts: their signatures
 *   action-answer.ts       an action's answer with its exchange; action-error.ts: its error, with its effect on the
 *                          other side
 */
import type { DocumentProblem, Environment, ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import type { Violation } from "@procedo/procedure";
import type { Destination } from "../egress/connector.ts";
import type { GuardedConnect } from "../egress/guarded-connect.ts";
import type { GuardedFetch } from "../egress/guarded-fetch.ts";
import type { Redactor } from "../secrets/redact.ts";
import type { AccountContext, ServiceAccount } from "./account-context.ts";
import type { InboundIntegration } from "./inbound-integration.ts";
import type { OAuthClientOf } from "./oauth-client.ts";
import type { Secrets } from "./secrets-by-name.ts";

/**
 * The port to outside services: a named set of actions. `defineIntegration` makes one from code. A documented
 * integration reads the actions of a connection from the connection's document.
 */
export type Integration = CodedIntegration | DocumentedIntegration;

/** An integration whose actions are written in code, as `defineIntegration` makes it. */
export interface CodedIntegration {
  readonly kind: "coded";
  /** Name by which connections refer to the integration; unique in an engine. */
  readonly name: string;
  /** Name of the integration, for people. */
  readonly title: string;
  /** The purpose of its service, in one or two words, such as `payments`. @defaultValue none */
  readonly category?: string;
  /** Whether it has settings or secrets. Otherwise procedures can use it without a connection. */
  readonly needsConnection: boolean;
  /** The settings and secrets of a connection, for a form. */
  readonly fields: ConnectionFields;
  /** Violations in the settings and secrets of a connection; none when they are valid. */
  checkConnection(settings: JsonObject, secrets: Secrets): readonly ErrorDetail[];
  /** The settings of a connection with defaults for those left out, as they are stored. @defaultValue there are none */
  readonly withDefaults?: (settings: JsonObject) => JsonObject;
  /**
   * The environment that the credentials of a connection belong to; `undefined` where they do not tell. A connection with
   * credentials of the other environment is refused. @defaultValue they never tell
   */
  readonly environmentOf?: (settings: JsonObject, secrets: Secrets) => Environment | undefined;
  /**
   * The destination of calls that the settings name; `undefined` where they name none. It is checked before a connection
   * is saved. @defaultValue the settings name none
   */
  readonly destinationOf?: (settings: JsonObject) => Destination | undefined;
  /** The account of a connection's credentials, for its test. @defaultValue a test checks the fields only */
  readonly account?: (context: AccountContext) => Promise<ServiceAccount>;
  /** How a connection gets access tokens (OAuth 2.0). @defaultValue its secrets are its credentials */
  readonly oauth?: OAuthClientOf;
  /** Limits of the service on the calls of a connection. @defaultValue none */
  readonly limits?: CallLimits;
  /** Actions by name; the same for every connection. */
  readonly actions: ReadonlyMap<string, Action>;
  /** The events that its service sends; `undefined` if it sends none. */
  readonly inbound: InboundIntegration | undefined;
}

/** The settings and secrets of a new connection, for a form. The integration itself checks the values. */
export interface ConnectionFields {
  /** JSON Schema of the settings. */
  readonly settings: JsonObject;
  /** The secrets of every connection. */
  readonly secrets: readonly SecretField[];
  /** Secrets that people name themselves, as many as there are. @defaultValue none */
  readonly otherSecrets?: {
    /** Beginning of their names, such as `item:`. */
    readonly prefix: string;
    /** Where people find one, for a form. @defaultValue none */
    readonly description?: string;
  };
  /** The authentication methods among which a connection chooses; empty if it has no choice. */
  readonly authentication: readonly {
    /** Name of the method. */
    readonly method: string;
    /** The secrets that the method requires or accepts, in addition to those of every connection. */
    readonly secrets: readonly SecretField[];
  }[];
}

/** A secret of a connection, by its name. */
export interface SecretField {
  /** Name of the secret. */
  readonly name: string;
  /** Whether a connection needs it. */
  readonly isRequired: boolean;
  /** Where people find it, for a form. @defaultValue none */
  readonly description?: string;
}

/** An integration whose connections each have a document that defines their actions. */
export interface DocumentedIntegration {
  readonly kind: "documented";
  /** Name by which connections refer to the integration; unique in an engine. */
  readonly name: string;
  /** Name of the integration, for people. */
  readonly title: string;
  /** The settings and secrets of a connection, for a form. */
  readonly fields: ConnectionFields;
  /** How a connection gets access tokens (OAuth 2.0). @defaultValue its secrets are its credentials */
  readonly oauth?: OAuthClientOf;
  /**
   * Checks a connection before it is saved, fetches the document if only its address was given, and reads it. Saves
   * nothing and reports all violations together. A large document MUST NOT be read on the calling thread.
   *
   * @throws EgressError when the document cannot be fetched
   */
  prepare(given: GivenConnection): Promise<PreparedConnection>;
  /**
   * The actions of a prepared connection, by name. The result depends on the connection only. A large document MUST NOT
   * be read on the calling thread.
   */
  actions(connection: DocumentedConnection): Promise<ReadonlyMap<string, Action>>;
  /** Sends one harmless request, to check that the address answers and accepts the credentials. */
  test(connection: DocumentedConnection, context: TestContext): Promise<TestAnswer>;
}

/** A stored connection: its settings, completed by `prepare`, and the text of its document. */
export interface DocumentedConnection {
  /** Settings of the connection. */
  readonly settings: JsonObject;
  /** Text of the document that defines its actions. */
  readonly document: string;
}

/** A caller's connection, for an integration to prepare. */
export interface GivenConnection {
  /** The caller's settings; for an update, merged over the stored ones. */
  readonly settings: JsonObject;
  /** Secrets in the clear; `undefined` for a preview of the document. */
  readonly secrets: Secrets | undefined;
  /** The stored connection, for an update. */
  readonly before: DocumentedConnection | undefined;
  /** Reaches allowed addresses only. */
  readonly fetch: GuardedFetch;
}

/** The result of preparing a connection: ready to be stored, or the reasons for its rejection. */
export type PreparedConnection =
  /** Settings or secrets are invalid. Paths begin with `/settings` or `/secrets`. */
  | {
      readonly status: "invalid";
      /** Each violation, with its path. */
      readonly details: readonly ErrorDetail[];
    }
  /** The document cannot be used at all. */
  | {
      readonly status: "refused";
      /** The faults of the document. */
      readonly problems: readonly DocumentProblem[];
    }
  | {
      readonly status: "ready";
      /** The connection to be stored. */
      readonly connection: DocumentedConnection;
      /** As {@link DocumentedIntegration.actions} returns them. */
      readonly actions: ReadonlyMap<string, Action>;
      /** Changes of the actions since the stored version; `undefined` for a new connection. */
      readonly changes: ActionChanges | undefined;
      /** The parts of the document that were left out, and the reasons. */
      readonly problems: readonly DocumentProblem[];
      /** Base URL of calls. */
      readonly baseUrl: string | undefined;
      /**
       * A different server that the new document names and no update has confirmed. Calls are withheld until an update
       * sets the base URL.
       */
      readonly unconfirmedBaseUrl: string | undefined;
    };

/** Names of actions that changed. A renamed action has the same method and path as before. */
export interface ActionChanges {
  /** Actions that did not exist before. */
  readonly added: readonly string[];
  /** Actions whose calls differ: their arguments, address or effect. */
  readonly changed: readonly string[];
  /** Actions whose author newly advises against their use. */
  readonly deprecated: readonly string[];
  /** Actions with a new name. */
  readonly renamed: readonly {
    /** The former name. */
    readonly from: string;
    /** The new name. */
    readonly to: string;
  }[];
  /** Actions that no longer exist. */
  readonly removed: readonly string[];
}

/**
 * Limits of a service on the calls of a connection, counted by each process. A call above them waits before it is made;
 * beyond 100 that wait, the run of a call is parked for a later turn, and holds up no run of other services.
 * A call that sends several requests, such as the pages of a list, counts once.
 */
export interface CallLimits {
  /** Calls at the same time, from 1. @defaultValue no limit */
  readonly concurrent?: number;
  /** Calls within a minute, from 1. @defaultValue no limit */
  readonly perMinute?: number;
}

/** The context of a connection test. */
export interface TestContext {
  /** The connection's secrets in plain text. */
  readonly secrets: Secrets;
  /** Removes these secrets from texts of the service. */
  readonly redactor: Redactor;
  /** A `fetch` that reaches allowed addresses only. */
  readonly fetch: GuardedFetch;
  /** Aborts when the test's time is over. */
  readonly signal: AbortSignal;
}

/** The result of a connection test. */
export type TestAnswer =
  | {
      readonly ok: true;
      /** The account of the credentials; left out where the integration does not ask for it. */
      readonly account?: ServiceAccount;
    }
  | {
      readonly ok: false;
      /** The reason why the test failed, for people. */
      readonly error: string;
    };

export const actionEffects = ["read", "idempotent", "once"] as const;

/**
 * The effect of a call on the outside service. `read`: none. `idempotent`: a repetition with the same idempotency key
 * changes nothing more. `once`: a repetition may have a second effect, so a person decides after an unknown outcome.
 */
export type ActionEffect = (typeof actionEffects)[number];

/** An action as the engine sees it, of a coded integration or of a document. */
export interface Action {
  /** Name by which tool calls refer to the action. */
  readonly name: string;
  /** The purpose of the action, for the people who build procedures and for the agent. */
  readonly description: string;
  /** The effect of a repeated call: `read`, `idempotent` or `once`. */
  readonly effect: ActionEffect;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the output, if known. */
  readonly output: JsonObject | undefined;
  /**
   * Changes whenever a call would send something else: with the name, the schemas and the effect; for a documented
   * action also with method, path and address, but not with the output schema.
   */
  readonly revision: string;
  /** Whether its author advises against using it. */
  readonly deprecated: boolean;
  /** The operation of a documented action. */
  readonly operation: ActionOperation | undefined;
  /** Time limit of one attempt, in milliseconds. The node may override it. */
  readonly timeoutMs: number | undefined;
  /**
   * Time for which the service keeps the idempotency key of a call, in milliseconds. During this time a call of unknown
   * outcome is repeated automatically. Not part of the revision. @defaultValue 86400000, a day
   */
  readonly idempotencyKeyTtlMs?: number | undefined;
  /**
   * Set where a call with the effect `once` is made again when its outcome is unknown, unless the node says otherwise.
   * Not part of the revision. @defaultValue a person decides
   */
  readonly onUnknownOutcome?: "retry" | undefined;
  /**
   * Set for a function of a private connection, which is dispatched to a polling client instead of being called here.
   */
  readonly dispatch?: {
    /** Whether a person has to approve each call. */
    readonly requiresReview: boolean;
  };
  /** Violations of the input schema; none when the arguments are valid. */
  check(args: JsonObject): readonly Violation[];
  /**
   * Makes the call. The arguments were valid when the intent was written, possibly by another process and long before.
   *
   * @throws ActionError when the call failed and its effect is known
   */
  call(args: JsonObject, context: CallContext): Promise<CallAnswer>;
}

/** An operation of a document. Its texts are not trusted. */
export interface ActionOperation {
  /** The operation's id in the document; `undefined` when it has none. */
  readonly operationId: string | undefined;
  /** Upper case. */
  readonly method: string;
  /** The template, `/payments/{id}`. */
  readonly path: string;
  /** The base URL of its requests; left out while a change of it is not confirmed. Part of the revision. */
  readonly baseUrl?: string;
}

/** The answer to a call that did its work. */
export interface CallAnswer {
  /** Any JSON value. */
  readonly output: unknown;
  /** Violations of the action's output schema. */
  readonly violations: readonly ErrorDetail[];
  /**
   * The reason why the output cannot be used although the work is done, as the end of a sentence: `is not valid JSON`.
   * The step fails, and only a person can repeat the call. @defaultValue the output can be used
   */
  readonly unusable?: string;
  /** The request and its answer, for the step's record. */
  readonly exchange?: Exchange;
}

/** A request and its answer, for the step's record. The connection's secrets are removed before it is stored. */
export interface Exchange {
  /** The request as it was sent. */
  readonly request: {
    /** The HTTP method, in upper case; the verb of another protocol. */
    readonly method: string;
    /** The complete address. */
    readonly url: string;
    /** The headers, by name. */
    readonly headers: { readonly [name: string]: string };
    /** A JSON body as a value, other text as a string; left out when there is no body. */
    readonly body?: JsonValue;
  };
  /** Left out when no answer arrived. The body of a successful answer is the step's output. */
  readonly response?: {
    /** The HTTP status. */
    readonly status: number;
    /** The headers, by name. */
    readonly headers: { readonly [name: string]: string };
    /** A JSON body as a value, other text as a string; left out when there is no body. */
    readonly body?: JsonValue;
  };
}

/** The context of a call, in addition to its arguments. */
export interface CallContext {
  /** Name of the action. */
  readonly action: string;
  /** The same for every attempt of this call, and different for every other call. Send it to the service. */
  readonly idempotencyKey: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** The environment of the run. */
  readonly environment: Environment;
  /** The run that makes the call. */
  readonly run: {
    /** Identifier of the run. */
    readonly runId: string;
    /** The procedure that the run executes. */
    readonly procedureId: string;
    /** The version that the run executes. */
    readonly procedureVersion: string;
  };
  /** Id of the tool_call that makes the call. */
  readonly nodeId: string;
  /**
   * Aborts at the call's deadline and when this worker may no longer act for the run. It is created when it is first
   * read, so `{ ...context }` leaves it out; pass the context itself, or the signal.
   */
  readonly signal: AbortSignal;
  /** The connection's settings. */
  readonly settings: JsonObject;
  /** The connection's secrets in plain text. Access tokens are not among them: `fetch` adds them. */
  readonly secrets: { readonly [name: string]: string };
  /** The account that a person authorized, for a connection with OAuth. @defaultValue it is not known */
  readonly account?: ServiceAccount | undefined;
  /**
   * Removes the connection's secrets from texts of the service. The engine redacts everything that it records. An
   * action must shorten texts with `redactor.cut`, because half of a secret would not be recognized.
   */
  readonly redactor: Redactor;
  /**
   * A `fetch` that reaches allowed addresses only and reports whether a failed request may have been sent. It ends with
   * `signal`. `response.json()` loses no digit: a number that a double would change (`9007199254740993`, `1e400`) is
   * returned as a string. JSON that nests deeper than 512 levels is rejected.
   */
  readonly fetch: GuardedFetch;
  /**
   * Opens connections to allowed addresses, for a protocol other than HTTP. The action ends them, at the latest when
   * `signal` aborts, and calls their `beforeSend` before the bytes that have an effect.
   */
  readonly connect: GuardedConnect;
}
