import type { Environment, JsonObject } from "@procedo/contract";
import type { Action, CallLimits } from "../integrations/integration.ts";
import type { Secrets } from "../integrations/secrets-by-name.ts";
import type { Outside } from "../egress/outside.ts";
import type { Authorization } from "../grants/authorization.ts";
import type { Redactor } from "../secrets/redact.ts";

/** A connection as a call uses it: for one environment, with its secrets in the clear, in memory only. */
export interface ResolvedConnection {
  readonly name: string;
  /** The integration's name when the integration is its own connection. */
  readonly connectionId: string;
  readonly settings: JsonObject;
  readonly secrets: Secrets;
  /** Removes the connection's secrets from values before they are recorded. */
  readonly redactor: Redactor;
  /** Actions by name. */
  readonly actions: ReadonlyMap<string, Action>;
  /** Its access tokens, for a connection with OAuth. @defaultValue its secrets are its credentials */
  readonly authorization?: Authorization;
  /**
   * The account of its credentials may have been another one before this time, in milliseconds since the epoch.
   *
   * @defaultValue the credentials were not changed since it was created
   */
  readonly accountSinceMs?: number;
  /** Limits of its service on calls. @defaultValue none */
  readonly limits?: CallLimits;
  /** Former names of actions, each with the current one. @defaultValue none */
  readonly formerNames?: ReadonlyMap<string, string>;
  /** The reason why no call may be sent now. @defaultValue calls may be sent */
  readonly withheld?: string;
  /**
   * Finds the action that a call was frozen with, in the earlier versions of the connection that have the current
   * address. Left out unless the connection is documented.
   */
  readonly actionAt?: (name: string, revision: string) => Promise<Action | undefined>;
  /** When it has to be read again, in monotonic milliseconds. @defaultValue after a change of the configuration only */
  readonly goodUntilMs?: number;
  /** Receives the outcomes of calls; left out where health is not recorded. */
  readonly health?: HealthReport;
}

/** Receives the outcome of each attempt. Its methods never throw and do not wait for their writes. */
export interface HealthReport {
  /** The service answered and accepted the credentials. */
  answered(): void;
  /** The service could not be reached, or rejected the credentials. */
  failed(message: string): void;
}

/** The cached connection of that name in that environment; `undefined` when storage has to be read. */
export type KnownConnection = (environment: Environment, name: string) => ResolvedConnection | undefined;

/**
 * Finds the connection of that name in that environment, never of the other one.
 *
 * @param outside covers the reading of its document, which may take seconds
 */
export type ResolveConnection = (
  environment: Environment,
  name: string,
  outside?: Outside,
) => Promise<ResolvedConnection | undefined>;

/** An action by its current name or a former one. */
export function actionNamed(connection: ResolvedConnection, name: string): Action | undefined {
  const action = connection.actions.get(name);
  if (action !== undefined || connection.formerNames === undefined) return action;
  const today = connection.formerNames.get(name);
  return today === undefined ? undefined : connection.actions.get(today);
}
