/*
 * The port to services outside.
 *
 *   integration.ts         an integration, its actions, and the context of a call
 *   define-integration.ts  integrations written in code; action-definition.ts: their actions, typed;
 *                          check-integration.ts: the checks of a definition
 *   action-error.ts        an action's error, with its effect on the other side
 */
import type { DocumentProblem, Environment, ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import type { GuardedFetch } from "../egress/guarded-fetch.ts";
import type { Redactor } from "../secrets/redact.ts";

/**
 * The port through which the engine reaches the outside: a named set of actions. `defineIntegration` makes one from
 * code; a documented one reads the actions of each connection from a document that the connection brings.
 */
export type Integration = CodedIntegration | DocumentedIntegration;

/** An integration whose actions are written in code, as `defineIntegration` makes it. */
export interface CodedIntegration {
  readonly kind: "coded";
  readonly name: string;
  readonly title: string;
  /** Whether it can be used without a connection having been created: it takes neither settings nor secrets. */
  readonly needsConnection: boolean;
  /** Violations of what a connection would be created with; none when it fits. */
  checkConnection(settings: JsonObject, secrets: Secrets): readonly ErrorDetail[];
  /** By name; the same for every connection. */
  readonly actions: ReadonlyMap<string, Action>;
}

/** A connection's secrets by name, in the clear. */
export interface Secrets {
  readonly [name: string]: string;
}

/** An integration whose connections bring a document that says which actions there are. */
export interface DocumentedIntegration {
  readonly kind: "documented";
  readonly name: string;
  readonly title: string;
  /**
   * Checks what a connection is to be saved with, gets the document if only its address was given, and reads it. Saves
   * nothing. All violations are reported at once. A large document MUST NOT be read on the calling thread.
   *
   * @throws EgressError when the document cannot be fetched
   */
  prepare(given: GivenConnection): Promise<PreparedConnection>;
  /**
   * The actions of a connection that was prepared, by name: always the same for the same connection. A large document MUST NOT
   * be read on the calling thread.
   */
  actions(connection: DocumentedConnection): Promise<ReadonlyMap<string, Action>>;
  /** Makes one harmless request, to see whether the address answers and the credentials are taken. */
  test(connection: DocumentedConnection, context: TestContext): Promise<TestAnswer>;
}

/** A connection as it is kept: its settings as `prepare` completed them, and the document's text. */
export interface DocumentedConnection {
  readonly settings: JsonObject;
  readonly document: string;
}

/** A connection as a caller wants it, which an integration prepares for storing. */
export interface GivenConnection {
  /** As the caller sent them; of an update, laid over those that are kept. */
  readonly settings: JsonObject;
  /** In the clear. `undefined`: only the document is looked at, nothing is to be saved. */
  readonly secrets: Secrets | undefined;
  /** What is kept now, when it is an update. */
  readonly before: DocumentedConnection | undefined;
  /** Guarded. */
  readonly fetch: GuardedFetch;
}

/** Answer of an integration to a connection that it was given: ready to be stored, or the reasons why not. */
export type PreparedConnection =
  /** Settings or secrets do not fit. Pointers begin with `/settings` or `/secrets`. */
  | { readonly status: "invalid"; readonly details: readonly ErrorDetail[] }
  /** The document is refused: nothing of it can be used. */
  | { readonly status: "refused"; readonly problems: readonly DocumentProblem[] }
  | {
      readonly status: "ready";
      readonly connection: DocumentedConnection;
      /** As {@link DocumentedIntegration.actions} gives them. */
      readonly actions: ReadonlyMap<string, Action>;
      /** What differs for callers of the actions that were there before; `undefined`: there were none. */
      readonly changes: ActionChanges | undefined;
      /** Of the document: what was left out, and why. */
      readonly problems: readonly DocumentProblem[];
      /** Where calls go. */
      readonly baseUrl: string | undefined;
      /**
       * A server that the new document names in place of the one before, and that nobody confirmed yet: calls are
       * withheld until an update names the base URL.
       */
      readonly unconfirmedBaseUrl: string | undefined;
    };

/** Names of actions. A renamed one has the same method and path as before. */
export interface ActionChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly deprecated: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly removed: readonly string[];
}

/** What an integration's test of a connection is given. */
export interface TestContext {
  readonly secrets: Secrets;
  /** Takes these secrets out of what the other side says. */
  readonly redactor: Redactor;
  readonly fetch: GuardedFetch;
  readonly signal: AbortSignal;
}

/** Answer to the test of a connection. */
export type TestAnswer = { readonly ok: true } | { readonly ok: false; readonly error: string };

export const actionEffects = ["read", "idempotent", "once"] as const;

/**
 * What calling an action may do outside. `read`: nothing. `idempotent`: calling again with the same idempotency key
 * changes nothing more. `once`: calling again might do it again, so that after a doubt a person decides.
 */
export type ActionEffect = (typeof actionEffects)[number];

/** An action as the engine sees it, of a coded integration or of a document. */
export interface Action {
  readonly name: string;
  readonly description: string;
  readonly effect: ActionEffect;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the output, where it is known. */
  readonly output: JsonObject | undefined;
  /**
   * Changes whenever what a call would send does: name, schemas, effect; of a documented one method, path and address too,
   * but not the output schema, which says nothing of what is sent.
   */
  readonly revision: string;
  /** Whether its author advises against using it. */
  readonly deprecated: boolean;
  /** Of a documented action: the operation behind it. */
  readonly operation: ActionOperation | undefined;
  /** How long one attempt may take, in milliseconds, unless the node says otherwise. */
  readonly timeoutMs: number | undefined;
  /**
   * How long the other service keeps the idempotency key of a call, in milliseconds: for so long a call of unknown outcome is
   * repeated automatically. Not part of the revision. @defaultValue 86400000, a day
   */
  readonly idempotencyKeyTtlMs?: number | undefined;
  /** Of a private connection's function: it is not called here, but handed out to a client that polls. */
  readonly handOut?: { readonly requiresReview: boolean };
  /** Violations of the input schema; none when the arguments fit. */
  check(args: JsonObject): readonly ErrorDetail[];
  /**
   * Makes the call; the arguments fitted when its intent was written, which may have been another process's day.
   *
   * @throws ActionError when the call failed and what became of the effect is known
   */
  call(args: JsonObject, context: CallContext): Promise<CallAnswer>;
}

/** Text of a stranger's document. */
export interface ActionOperation {
  readonly operationId: string | undefined;
  /** Upper case. */
  readonly method: string;
  /** The template, `/payments/{id}`. */
  readonly path: string;
}

/** The answer to a call that did its work. */
export interface CallAnswer {
  /** Anything that JSON can carry. */
  readonly output: unknown;
  /** Where the output does not fit the action's output schema. */
  readonly violations: readonly ErrorDetail[];
  /**
   * Why the output cannot be used although the work is done, as the end of a sentence: `is not valid JSON`. The step fails, and
   * the call is not made again without a person. @defaultValue it can be used
   */
  readonly unusable?: string;
  /** What went over the wire, for the step's record. */
  readonly exchange?: Exchange;
}

/** A request and its answer, for the record: the connection's secrets are taken out of it before it is kept. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: { readonly [name: string]: string };
    /** JSON as a value, other text as text; left out when there is none. */
    readonly body?: JsonValue;
  };
  /** Left out when none came. The body of a good answer is the step's output. */
  readonly response?: {
    readonly status: number;
    readonly headers: { readonly [name: string]: string };
    readonly body?: JsonValue;
  };
}

/** What an action gets to know beside its arguments. */
export interface CallContext {
  /** The same for every attempt of this call, different for every other call; hand it on to the other side. */
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
  readonly environment: Environment;
  readonly run: { readonly runId: string; readonly procedureId: string; readonly procedureVersion: string };
  readonly nodeId: string;
  /**
   * Aborted at the call's deadline and when this worker may no longer act for the run. Made when it is first read, so
   * `{ ...context }` leaves it out; hand the context itself on, or the signal.
   */
  readonly signal: AbortSignal;
  /** The connection's. */
  readonly settings: JsonObject;
  readonly secrets: { readonly [name: string]: string };
  /**
   * Takes the connection's secrets out of what the other side says. The engine does so with everything that it records; an
   * action that shortens a text does it by `redactor.cut`, because half of a secret is not found any more.
   */
  readonly redactor: Redactor;
  /**
   * A `fetch` that reaches only addresses that are allowed, and that tells the engine whether a failed request may have
   * been sent. Ends with `signal`. `response.json()` loses no digit: a number that a double would change
   * (`9007199254740993`, `1e400`) is a string as it was sent. JSON that nests deeper than 512 levels is refused.
   */
  readonly fetch: GuardedFetch;
}
