import { ProcedoError } from "@procedo/contract";
import type { Principal } from "../access/principal.ts";
import type { ShownOnce } from "../audit/shown-once.ts";
import { authorizeWorkspace, joinedPerson } from "./change-person.ts";
import { dayMs, writeInvitation, type InvitationPorts, type PlannedInvitation } from "./invitations.ts";
import type { Invitation } from "./person.ts";

/** @throws ProcedoError as `People.resetPassword` */
export async function resetPassword(
  ports: InvitationPorts,
  { personId, by }: { readonly personId: string; readonly by: Principal },
  answer: ShownOnce,
): Promise<Invitation & { readonly token: string }> {
  authorizeWorkspace(by, "A new password");
  if (by.permissions !== undefined) {
    // An owner could sign in as another person otherwise, and approve as that person.
    const message = "A new password is made possible by the command only: procedo people reset-password EMAIL.";
    throw new ProcedoError("permission_denied", message);
  }
  const plan = async (): Promise<PlannedInvitation> => {
    const { row, email, joined } = await joinedPerson(ports.roster, personId);
    if (joined.isActive) return { row, access: joined.access, groups: joined.groups };
    throw new ProcedoError("person_not_found", `${email} is not active. Invite the person again.`);
  };
  return await writeInvitation(ports, { action: "person.password_reset", by, lifeMs: dayMs, plan }, answer);
}
