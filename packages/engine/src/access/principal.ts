import { ProcedoError, type Environment } from "@procedo/contract";

/** What a key or session may do; reading needs none of them. */
export type Permission = "run" | "manage" | "review";

/** Who acts. Every door (code, HTTP, dashboard) ends in one of these. */
export interface Principal {
  /** The person. A key counts as the person who made it. */
  readonly person: string;
  /** The key or session that was used. @defaultValue the person */
  readonly via?: string;
  /** @defaultValue none */
  readonly roles?: readonly string[];
  /** @defaultValue all: code that embeds the engine is trusted */
  readonly permissions?: readonly Permission[];
  /** Where the request came from, for the record. */
  readonly address?: string;
}

/**
 * The one authorization function: everything that changes something asks it first.
 *
 * @throws ProcedoError `permission_denied` naming the permission that is missing
 */
export function authorize(principal: Principal, permission: Permission, environment?: Environment): void {
  if (principal.permissions === undefined || principal.permissions.includes(permission)) return;
  const where = environment === undefined ? "" : ` in ${environment}`;
  throw new ProcedoError("permission_denied", `This needs the permission "${permission}"${where}.`);
}

/** Who acted, as records tell it. */
export function actor(principal: Principal): { readonly by: string; readonly via: string } {
  return { by: principal.person, via: principal.via ?? principal.person };
}
