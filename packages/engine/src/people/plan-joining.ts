import type { Clock } from "../ports/clock.ts";
import { accessFact, type Access } from "./access-roles.ts";
import type { ChangePorts } from "./change-person.ts";
import type { Identity, PersonRow } from "./person-record.ts";
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
