import { nameProblem, normalName, ProcedoError, type Environment, type Permission } from "@procedo/contract";

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
}

/**
 * The one authorization function: everything that changes something asks it first. Without an environment it is about the
 * workspace: procedures, drafts and versions belong to both.
 *
 * @throws ProcedoError `environment_mismatch`; `permission_denied` naming the permission that is missing; `invalid_input`
 *   when the person has no name that can be one
 */
export function authorize(principal: Principal, permission: Permission, environment?: Environment): void {
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

/** Who acted, as records tell it: `by` is the person's normal name. */
export function actor(principal: Principal): { readonly by: string; readonly via: string } {
  const by = normalName(principal.person);
  return { by, via: principal.via ?? by };
}
