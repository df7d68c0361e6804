/*
 * Who acts, and what they may do.
 *
 *   principal.ts   the principal, and the one authorization function
 *   may-decide.ts  who may decide a review
 *
 * `keys/` makes a principal of an API key.
 */
import { environments, nameProblem, normalName, ProcedoError } from "@procedo/contract";
import type { Environment, Permission } from "@procedo/contract";

/** Who acts. Every door (code, HTTP, dashboard) ends in one of these. */
export interface Principal {
  /** The person, in any spelling that `normalName` takes for the same. A key counts as the person who made it. */
  readonly person: string;
  /** The key or session that was used. @defaultValue the person */
  readonly via?: string;
  /** In any spelling, like `person`. @defaultValue none */
  readonly roles?: readonly string[];
  /** @defaultValue all: code that embeds the engine is trusted */
  readonly permissions?: readonly Permission[];
  /** The only environment that it reaches. @defaultValue both */
  readonly environment?: Environment;
  /** Where the request came from, for the record. */
  readonly address?: string;
  /**
   * Whether the key or session was deleted since the request began: nothing is written for it any more.
   *
   * @defaultValue it is not
   */
  readonly isRevoked?: () => boolean;
}

/**
 * The one authorization function: everything that changes something asks it first. Without an environment it is about the
 * workspace: procedures, drafts and versions belong to both. A thing that both environments use has `authorizeBoth`.
 *
 * @throws ProcedoError `unauthorized` when the key or session was deleted meanwhile; `environment_mismatch`; `permission_denied` naming the permission that is missing; `invalid_input`
 *   when the person has no name that can be one
 */
export function authorize(principal: Principal, permission: Permission, environment?: Environment): void {
  refuseRevoked(principal);
  const { environment: reached, permissions } = principal;
  const problem = nameProblem(principal.person);
  if (problem !== undefined) {
    throw new ProcedoError("invalid_input", `The person ${JSON.stringify(principal.person.slice(0, 300))} ${problem}.`);
  }
  if (environment !== undefined && reached !== undefined && reached !== environment) {
    const message = `This is of ${environment}, and you reach ${reached} only. Use a key of ${environment}.`;
    throw new ProcedoError("environment_mismatch", message);
  }
  if (permissions === undefined || permissions.includes(permission)) return;
  const where = environment === undefined ? "" : ` in ${environment}`;
  throw new ProcedoError("permission_denied", `This needs the permission "${permission}"${where}.`);
}

/**
 * The same for a change that both environments feel: a principal that reaches one of them may not make it alone.
 *
 * @param change the change and the other environment's part in it, as a clause for the message
 * @throws ProcedoError those of {@link authorize}; `environment_mismatch` naming the environment whose right is missing
 */
export function authorizeBoth(
  principal: Principal,
  permission: Permission,
  change: { readonly what: string; readonly because: string; readonly instead: string },
): void {
  authorize(principal, permission);
  const { environment: own } = principal;
  const missing = environments.find((environment) => own !== undefined && environment !== own);
  if (missing === undefined) return;
  throw new ProcedoError(
    "environment_mismatch",
    `${change.what} changes ${missing} as well: ${change.because}. It needs the permission "${permission}" in both ` +
      `environments, and you reach ${own} only. ${change.instead}`,
  );
}

/** The environments that a principal reaches. */
export function reachOf({ environment }: Pick<Principal, "environment">): readonly Environment[] {
  return environment === undefined ? environments : [environment];
}

/**
 * Asked where something is about to be written, when anything was waited for since {@link authorize}.
 *
 * @throws ProcedoError `unauthorized` when the key or session was deleted meanwhile
 */
export function refuseRevoked({ isRevoked }: { readonly isRevoked?: Principal["isRevoked"] | undefined }): void {
  if (isRevoked?.() === true) throw revoked();
}

/** The error of {@link refuseRevoked}. */
export function revoked(): ProcedoError {
  return new ProcedoError("unauthorized", "The key was deleted while its request was under way. Nothing was done.");
}

/** Who acted, as records tell it: `by` is the person's normal name. A change is written unless `isRevoked` says otherwise. */
export function actor(
  principal: Principal,
): { readonly by: string; readonly via: string } & Pick<Principal, "environment" | "isRevoked"> {
  const by = normalName(principal.person);
  const { via = by, environment, isRevoked } = principal;
  return {
    by,
    via,
    ...(environment !== undefined && { environment }),
    ...(isRevoked !== undefined && { isRevoked }),
  };
}
