import {
  environments,
  ProcedoError,
  updatePersonRequestSchema,
  type Environment,
  type JsonValue,
} from "@procedo/contract";
import { actor, authorize, authorizeBoth, type Principal } from "../access/principal.ts";
import { accessFact, type Access, type AccessChanges } from "./access-roles.ts";
import { joinedRow, type Joined, type JoinedRow } from "./person-record.ts";
import { isOwner, type Roster } from "./roster.ts";
import { checkedFields, checkedGroups } from "./checked-fields.ts";
import { writePerson, type WritePorts } from "./write-person.ts";

/** A change of a person. Fields that are left out stay. */
export interface PersonChanges {
  /** The person to change. */
  readonly personId: string;
  /** Name for other people, 1 to 200 characters. */
  readonly name?: string;
  /** Roles in an environment, which replace its present ones. An environment that is left out stays. */
  readonly access?: AccessChanges;
  /** Labels, at most 50, which replace the present ones. */
  readonly groups?: readonly string[];
  /** Activates a deactivated person again. */
  readonly isActive?: true;
  /** The owner who changes the person, or code that embeds the engine. */
  readonly by: Principal;
}

export interface ChangePorts extends WritePorts {
  readonly roster: Roster;
  /** Ends all sessions of the person. */
  readonly endSessions: (personId: string) => Promise<void>;
}

/**
 * Changes a person. A change of access or groups ends the person's sessions, so that they sign in again.
 *
 * @throws ProcedoError as `People.update`
 */
export async function changePerson(ports: ChangePorts, changes: PersonChanges): Promise<void> {
  const { personId, by } = changes;
  const { name, access, groups, isActive } = checkedFields(updatePersonRequestSchema, {
    name: changes.name,
    access: changes.access,
    groups: changes.groups,
    isActive: changes.isActive,
  });
  authorize(by, "administer");
  let endsSessions = false;

  await writePerson(ports, async () => {
    const { row, email, joined } = await joinedPerson(ports.roster, personId);
    const next = {
      ...joined,
      name: name?.trim() ?? joined.name,
      access: { sandbox: access?.sandbox ?? joined.access.sandbox, live: access?.live ?? joined.access.live },
      groups: groups === undefined ? joined.groups : checkedGroups(groups),
      isActive: isActive ?? joined.isActive,
    };
    const changedIn = environments.filter(
      (environment) => !sameSet(joined.access[environment], next.access[environment]),
    );
    for (const environment of changedIn) authorize(by, "administer", environment);
    const isRegrouped = !sameSet(joined.groups, next.groups);
    const isReactivated = next.isActive && !joined.isActive;
    const isRenamed = next.name !== joined.name;
    if (isRegrouped || isReactivated || isRenamed) authorizeWorkspace(by, "The change of the person");
    if (changedIn.length === 0 && !isRegrouped && !isReactivated && !isRenamed) return undefined;
    endsSessions ||= changedIn.length > 0 || isRegrouped;
    if (isReactivated) {
      // A session that survived the deactivation by a crash would become valid again.
      await ports.endSessions(personId);
    }
    const details: JsonValue = {
      email,
      ...(isRenamed && { name: { from: joined.name, to: next.name } }),
      ...(changedIn.length > 0 && { access: { from: accessFact(joined.access), to: accessFact(next.access) } }),
      ...(isRegrouped && { groups: { from: [...joined.groups], to: [...next.groups] } }),
      ...(isReactivated && { isActive: true }),
    };
    const action = isReactivated ? "person.reactivated" : endsSessions ? "person.access_changed" : "person.renamed";
    return {
      row,
      // An open invitation would replace the password of the person, who is active again.
      body: { email, joined: next, ...(!isReactivated && row.body.invitation && { invitation: row.body.invitation }) },
      fact: { ...actor(by), action, subject: personId, details },
      ...(isOwner(joined) && !isOwner(next) && { check: () => refuseLastOwner(ports.roster, personId) }),
    };
  });
  if (endsSessions) await ports.endSessions(personId);
}

/**
 * Deactivates a person and ends their sessions. For a person who is not active it ends the sessions again.
 *
 * @throws ProcedoError as `People.deactivate`
 * @returns the person's e-mail address
 */
export async function deactivatePerson(
  ports: ChangePorts,
  { personId, by }: { readonly personId: string; readonly by: Principal },
): Promise<string> {
  authorizeWorkspace(by, "The deactivation of a person");
  let address = "";
  await writePerson(ports, async () => {
    const { row, email, joined } = await joinedPerson(ports.roster, personId);
    address = email;
    if (!joined.isActive) return undefined;
    return {
      row,
      // Without the link for a new password, whose acceptance would activate the person.
      body: { email, joined: { ...joined, isActive: false } },
      fact: { ...actor(by), action: "person.deactivated", subject: personId, details: { email } },
      ...(isOwner(joined) && { check: () => refuseLastOwner(ports.roster, personId) }),
    };
  });
  await ports.endSessions(personId);
  return address;
}

/** Authorizes a change that concerns both environments. @throws ProcedoError the errors of {@link authorizeBoth} */
export function authorizeWorkspace(by: Principal, what: string): void {
  authorizeBoth(by, "administer", {
    what,
    because: "a person belongs to both environments",
    instead: "Ask an owner of both environments.",
  });
}

/** Authorizes a principal to give these roles. @throws ProcedoError the errors of {@link authorize} */
export function authorizeAccess(by: Principal, access: Access, groups: readonly string[]): void {
  authorize(by, "administer");
  const given = environments.filter((environment: Environment) => access[environment].length > 0);
  for (const environment of given) authorize(by, "administer", environment);
  if (groups.length > 0) authorizeWorkspace(by, "The invitation");
}

/** @throws ProcedoError `person_not_found` */
export async function joinedPerson(
  roster: Pick<Roster, "byId">,
  personId: string,
): Promise<{ readonly row: JoinedRow; readonly email: string; readonly joined: Joined }> {
  const found = await roster.byId(personId);
  const row = found && joinedRow(found);
  if (row !== undefined) return { row, ...row.body };
  throw new ProcedoError("person_not_found", `There is no person ${JSON.stringify(personId.slice(0, 100))}.`);
}

async function refuseLastOwner(roster: Roster, personId: string): Promise<void> {
  if (await roster.hasOwner(personId)) return;
  const message =
    "This person is the last owner of both environments, and people could no longer be administered. Make another person an owner of both first.";
  throw new ProcedoError("last_owner", message);
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}
