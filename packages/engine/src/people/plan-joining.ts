import type { Clock } from "../ports/clock.ts";
import { accessFact, type Access } from "./access-roles.ts";
import type { ChangePorts } from "./change-person.ts";
import type { Identity, JoinedRow, PersonRow } from "./person-record.ts";
import type { PlannedChange } from "./write-person.ts";

export interface JoiningPorts extends ChangePorts {
  readonly clock: Pick<Clock, "now">;
}

/** A person as they join. */
export interface Joining {
  /** The proof of the person's address, for the record. */
  readonly via: "invitation" | "identity_provider";
  /** Normal form of the address. */
  readonly email: string;
  readonly name: string;
  readonly access: Access;
  readonly groups: readonly string[];
  /** Left out for a person who was not invited. */
  readonly invitedBy?: string;
  /** PHC text of the password's hash. */
  readonly password?: string;
  readonly identity?: Identity;
}

/** Plans the change by which a person joins. It uses their invitation up. */
export async function planJoining(ports: JoiningPorts, row: PersonRow, joining: Joining): Promise<PlannedChange> {
  const { via, email, name, access, groups, invitedBy, password, identity } = joining;
  const { personId, body } = row;
  if (body.joined !== undefined) {
    // A session that survived the deactivation by a crash would become valid again.
    await ports.endSessions(personId);
  }
  return {
    row,
    body: {
      email,
      joined: {
        name,
        access,
        groups,
        isActive: true,
        ...(password !== undefined && { password }),
        ...(identity !== undefined && { identity }),
        createdAtMs: body.joined?.createdAtMs ?? ports.clock.now(),
      },
    },
    fact: {
      by: email,
      via,
      action: "person.joined",
      subject: personId,
      details: {
        email,
        name,
        access: accessFact(access),
        groups: [...groups],
        ...(invitedBy !== undefined && { invitedBy }),
        ...(via === "identity_provider" && identity !== undefined && { issuer: identity.issuer }),
      },
    },
  };
}

/** A new password of an active person, and what else their acceptance of the link changes. */
export interface NewPassword {
  readonly name: string;
  /** PHC text of the password's hash. */
  readonly password: string;
  /** Replaces the present account. @defaultValue the present one */
  readonly identity?: Identity;
  /** The actor who made the link. */
  readonly invitedBy: string;
}

/** Plans the change by which an active person gets a new password. Access, groups and keys stay. It uses the link up. */
export async function planNewPassword(
  ports: ChangePorts,
  { row, changed }: { readonly row: JoinedRow; readonly changed: NewPassword },
): Promise<PlannedChange> {
  const { invitedBy, identity, ...fields } = changed;
  const { email, joined } = row.body;
  // Also ended before: a crash after the write leaves no session that the former password opened.
  await ports.endSessions(row.personId);
  return {
    row,
    body: { email, joined: { ...joined, ...fields, ...(identity !== undefined && { identity }) } },
    fact: {
      by: email,
      via: "invitation",
      action: "person.password_changed",
      subject: row.personId,
      details: { email, invitedBy, ...(identity !== undefined && { issuer: identity.issuer }) },
    },
  };
}
