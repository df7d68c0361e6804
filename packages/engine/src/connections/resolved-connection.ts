import type { Environment, JsonObject } from "@procedo/contract";
import type { Action, Secrets } from "../integrations/integration.ts";
import type { Outside } from "../egress/outside.ts";
import type { Redactor } from "../secrets/redact.ts";

/** A connection as a call uses it: of one environment, its secrets in the clear, in memory only. */
export interface ResolvedConnection {
  readonly name: string;
  /** Of an integration that is its own connection: the integration's name. */
  readonly connectionId: string;
  readonly settings: JsonObject;
  readonly secrets: Secrets;
  /** Takes the connection's secrets out of what is about to be recorded. */
  readonly redactor: Redactor;
  /** By name. */
  readonly actions: ReadonlyMap<string, Action>;
  /** What actions were called before, with their names of today. @defaultValue none */
  readonly formerNames?: ReadonlyMap<string, string>;
  /** Why nothing may be sent now. @defaultValue it may */
  readonly withheld?: string;
  /**
   * Finds an action as a call was frozen with it, in what is kept of the connection's past: only as long as it leads to
   * the same address. Left out where actions come from code and have no past.
   */
  readonly actionAt?: (name: string, revision: string) => Promise<Action | undefined>;
  /** From when on it has to be read again, in monotonic milliseconds. @defaultValue when anything managed changes */
  readonly goodUntilMs?: number;
  /** Is told how calls fare; left out where nobody wants to know. */
  readonly watch?: CallWatch;
}

/** Told of each attempt; it never throws, and what it writes nobody waits for. */
export interface CallWatch {
  /** The other side answered, and took the credentials. */
  answered(): void;
  /** It could not be reached, or refused the credentials. */
  failed(message: string): void;
}

/** The connection of that name in that environment, never of the other one; `undefined` when storage has to be read for it. */
export type KnownConnection = (environment: Environment, name: string) => ResolvedConnection | undefined;

/**
 * Finds the connection of that name in that environment, never of the other one.
 *
 * @param outside is told while its document is read, which may take seconds
 */
export type ResolveConnection = (
  environment: Environment,
  name: string,
  outside?: Outside,
) => Promise<ResolvedConnection | undefined>;

/** An action by its name, or by one that it had before. */
export function actionNamed(connection: ResolvedConnection, name: string): Action | undefined {
  const action = connection.actions.get(name);
  if (action !== undefined || connection.formerNames === undefined) return action;
  const today = connection.formerNames.get(name);
  return today === undefined ? undefined : connection.actions.get(today);
}
