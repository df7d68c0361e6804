import type { Environment } from "@procedo/contract";
import type { Principal } from "./principal.ts";

/** A request's hold on its API key or session, from the lookup until the request releases it. */
export interface HeldPrincipal {
  /** The only environment that the key reaches; `undefined` for a session, whose requests name their environment. */
  readonly environment: Environment | undefined;
  /** Whether the key or session was deleted or has ended, or its access was changed. */
  readonly isDeleted: boolean;
  /**
   * The principal of a request that concerns this environment; without one, of a request that concerns the workspace.
   * Its `isRevoked` tells the same as `isDeleted`.
   *
   * @throws ProcedoError `permission_denied` when the person of a session has no access to the environment
   */
  principalIn(environment?: Environment): Principal;
  /** Looks the key or session up again and returns whether it exists. @throws ProcedoError `storage_unavailable` */
  stillExists(): Promise<boolean>;
  /**
   * Calls back once when `isDeleted` becomes true: immediately in the process that deletes the key or ends the session,
   * in others when the change notice arrives. If it is true already, it calls back before it returns.
   */
  whenDeleted(callback: () => void): void;
  /** Ends the hold with the request. No callback follows. */
  release(): void;
}

/** What storage tells about a key or session. */
export interface Holder {
  readonly environment: Environment | undefined;
  /** Text of its permissions and roles. Another text ends the holds. */
  readonly access: string;
  /** As that of {@link HeldPrincipal}, without `isRevoked`. */
  principalIn(environment?: Environment): Principal;
}
