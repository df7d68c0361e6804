import type { Environment, ErrorDetail, JsonObject } from "@procedo/contract";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";

/**
 * The port through which the engine reaches the outside: a named set of actions. `defineIntegration` makes one from
 * code.
 */
export interface Integration {
  readonly name: string;
  readonly title: string;
  /** Whether it can be used without a connection having been created: it takes neither settings nor secrets. */
  readonly needsConnection: boolean;
  /** Violations of what a connection would be created with; none when it fits. */
  checkConnection(settings: JsonObject, secrets: JsonObject): readonly ErrorDetail[];
  readonly actions: ReadonlyMap<string, Action>;
}

/**
 * What calling an action may do outside. `read`: nothing. `idempotent`: calling again with the same idempotency key
 * changes nothing more. `once`: calling again might do it again, so that after a doubt a person decides.
 */
export type ActionEffect = "read" | "idempotent" | "once";

export interface Action {
  readonly name: string;
  readonly description: string;
  readonly effect: ActionEffect;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the output, where it is known. */
  readonly output: JsonObject | undefined;
  /** Changes whenever name, schemas or effect do. */
  readonly revision: string;
  /** How long one attempt may take, in milliseconds, unless the node says otherwise. */
  readonly timeoutMs: number | undefined;
  /** Violations of the input schema; none when the arguments fit. */
  check(args: JsonObject): readonly ErrorDetail[];
  /**
   * Makes the call; the arguments fitted when its intent was written, which may have been another process's day.
   *
   * @throws ActionError when the call failed and what became of the effect is known
   */
  call(args: JsonObject, context: CallContext): Promise<CallAnswer>;
}

export interface CallAnswer {
  /** Anything that JSON can carry. */
  readonly output: unknown;
  /** Where the output does not fit the action's output schema. */
  readonly violations: readonly ErrorDetail[];
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
   * A `fetch` that reaches only addresses that are allowed, and that tells the engine whether a failed request may have
   * been sent. Ends with `signal`. `response.json()` loses no digit: a number that a double would change
   * (`9007199254740993`, `1e400`) is a string as it was sent. JSON that nests deeper than 512 levels is refused.
   */
  readonly fetch: GuardedFetch;
}
