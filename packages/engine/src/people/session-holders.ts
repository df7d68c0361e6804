import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { SessionRow, SessionStore } from "@procedo/storage";
import type { Holder } from "../access/held-principal.ts";
import type { Principal } from "../access/principal.ts";
import { permissionsOf, rolesIn } from "./access-roles.ts";
import type { Joined } from "./person-record.ts";
import { isOwner, type Roster } from "./roster.ts";

/** The principals of a session, as its person may act now. */
export interface SessionHolder extends Holder {
  readonly row: SessionRow;
}

/**
 * Finds the holder of a session by the digest of its token. Nothing is cached: a session serves a person, who sends few
 * requests.
 */
export function createSessionLookup(
  sessions: Pick<SessionStore, "find">,
  roster: Pick<Roster, "byId">,
  workspace: string,
): (digest: string) => Promise<SessionHolder | undefined> {
  return async (digest) => {
    const row = await sessions.find({ digest });
    if (row?.workspace !== workspace) return undefined;
    const { email, joined } = (await roster.byId(row.personId))?.body ?? {};
    if (email === undefined || joined?.isActive !== true) return undefined;
    const access = JSON.stringify([joined.access, joined.groups]);
    return {
      row,
      environment: undefined,
      access,
      principalIn: (environment) => principalOf(email, row.sessionId, joined, environment),
    };
  };
}

function principalOf(person: string, via: string, joined: Joined, environment: Environment | undefined): Principal {
  if (environment === undefined) {
    return { person, via, roles: joined.groups, permissions: isOwner(joined) ? ["administer"] : [] };
  }
  const roles = joined.access[environment];
  if (roles.length === 0) {
    const message = `You have no access to ${environment}. An owner can give you a role in it.`;
    throw new ProcedoError("permission_denied", message);
  }
  const permissions = permissionsOf(roles);
  const elsewhere = environments.flatMap((other) => (other === environment ? [] : joined.access[other]));
  const here = { person, via, environment, roles: rolesIn(joined, environment), permissions };
  return elsewhere.length === 0 ? here : { ...here, permissionsElsewhere: permissionsOf(elsewhere) };
}
