/*
 * Principals and their permissions.
 *
 *   principal.ts         the principal, and the one authorization function
 *   may-decide.ts        who may decide a review
 *   held-principal.ts    a request's hold on its key or session
 *   held-credentials.ts  the keys or sessions of requests in progress, so that a deletion ends the requests
 *   last-uses.ts         the last use of each key and person, written once a minute
 *   raw-token.ts         keys and tokens as texts, and their digests, which are all that is stored
 *
 * `keys/` makes a principal of an API key, `people/` of a session.
 */
import { environments, nameProblem, normalName, ProcedoError } from "@procedo/contract";
import type { Environment, PersonPermission } from "@procedo/contract";

/** The person or key that acts. Each entry point (code, HTTP, dashboard) creates one. */
export interface Principal {
  /**
   * The person's name; spellings with the same `normalName` are equal. A key acts as a person, by default its creator.
   */
  readonly person: string;
  /** The key or session that was used. @defaultValue the person */
  readonly via?: string;
  /** Roles, in any spelling, like `person`. @defaultValue none */
  readonly roles?: readonly string[];
  /**
   * Permissions beyond reading. No key has `administer`, which changes people and their access.
   *
   * @defaultValue all: code that embeds the engine is trusted
   */
  readonly permissions?: readonly PersonPermission[];
  /** The only environment that the principal can access. @defaultValue both */
  readonly environment?: Environment;
  /**
   * Permissions of the principal in the environment other than `environment`, for changes that affect both. A session
   * has them if its person has a role there. A key never has them.
   *
   * @defaultValue none: the other environment is out of reach
   */
  readonly permissionsElsewhere?: readonly PersonPermission[];
  /** Address of the request's sender, for the record. */
  readonly address?: string;
  /**
   * Whether the key or session was deleted, or its access changed, since the request began. If so, nothing more is
   * written for it.
   *
   * @defaultValue always false
   */
  readonly isRevoked?: () => boolean;
}

/**
 * The one authorization function. Each change calls it first. Without an environment it authorizes a change of the
 * workspace: procedures, drafts and versions belong to both environments. See `authorizeBoth` for changes that affect
 * both environments.
 *
 * @throws ProcedoError `unauthorized` when the key or session was deleted meanwhile; `environment_mismatch`;
 *   `permission_denied` with the missing permission; `invalid_input` for a person without a valid name
 */
export function authorize(principal: Principal, permission: PersonPermission, environment?: Environment): void {
  refuseRevoked(principal);
  const { environment: reached, permissions, permissionsElsewhere } = principal;
  const problem = nameProblem(principal.person);
  if (problem !== undefined) {
    throw new ProcedoError("invalid_input", `The person ${JSON.stringify(principal.person.slice(0, 300))} ${problem}.`);
  }
  if (environment !== undefined && reached !== undefined && reached !== environment) {
    const message =
      permissionsElsewhere === undefined
        ? `and you reach ${reached} only. Use a key of ${environment}.`
        : `and was sent for ${reached}. Send it for ${environment}.`;
    throw new ProcedoError("environment_mismatch", `The request concerns ${environment}, ${message}`);
  }
  if (permissions === undefined || permissions.includes(permission)) return;
  const where = environment ?? reached ?? "both environments";
  throw new ProcedoError("permission_denied", `The request needs the permission "${permission}" in ${where}.`);
}

/**
 * Authorizes a change that affects both environments. A principal that can access only one of them is refused, and so is
 * a session whose person has the permission in only one.
 *
 * @param change the change, its effect on the other environment, and an alternative, for the message
 * @throws ProcedoError the errors of {@link authorize}; `environment_mismatch` with the environment that is out of
 *   reach; `permission_denied` with the environment in which the person of a session has not the permission
 */
export function authorizeBoth(
  principal: Principal,
  permission: PersonPermission,
  change: { readonly what: string; readonly because: string; readonly instead: string },
): void {
  authorize(principal, permission);
  const { environment: own, permissionsElsewhere } = principal;
  const other = environments.find((environment) => own !== undefined && environment !== own);
  if (other === undefined || permissionsElsewhere?.includes(permission) === true) return;
  const isReached = permissionsElsewhere !== undefined;
  const has = isReached ? `you do not have it in ${other}` : `you reach ${own} only`;
  throw new ProcedoError(
    isReached ? "permission_denied" : "environment_mismatch",
    `${change.what} changes ${other} as well: ${change.because}. It needs the permission "${permission}" in both ` +
      `environments, and ${has}. ${change.instead}`,
  );
}

/** The environments that a principal can access. */
export function reachOf({ environment }: Pick<Principal, "environment">): readonly Environment[] {
  return environment === undefined ? environments : [environment];
}

/** The environments in which a principal may manage: both for a session whose person may manage in both. */
export function managedBy(principal: Principal): readonly Environment[] {
  const own = reachOf(principal);
  return principal.permissionsElsewhere?.includes("manage") === true ? environments : own;
}

/**
 * To be called before a write, if the request has awaited anything since {@link authorize}.
 *
 * @throws ProcedoError `unauthorized` when the key or session was deleted meanwhile
 */
export function refuseRevoked({ isRevoked }: { readonly isRevoked?: Principal["isRevoked"] | undefined }): void {
  if (isRevoked?.() === true) throw revoked();
}

/** The error of {@link refuseRevoked}. */
export function revoked(): ProcedoError {
  return new ProcedoError(
    "unauthorized",
    "The key or session was deleted, or its access changed, while its request was in progress, which was refused. " +
      "Changes stored before remain in effect.",
  );
}

/**
 * The actor of a change, for its record: `by` is the person's normal name. No change is written once `isRevoked`
 * returns true.
 */
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
