import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { actor, type Principal } from "../access/principal.ts";
import type { Clock } from "../ports/clock.ts";
import type { ChangePorts } from "./change-person.ts";
import { removeInvitation } from "./invitations.ts";
import { shownInvitation } from "./person.ts";
import { writePerson } from "./write-person.ts";

/** The numbers of what a restore has ended. */
export interface EndedAccess {
  readonly sessionsEnded: number;
  readonly invitationsWithdrawn: number;
}

export interface AfterRestorePorts extends ChangePorts {
  readonly storage: Pick<Storage, "records" | "sessions">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Ends all sessions and withdraws all open invitations. After a restore they are those of the backup: a session that has
 * ended since would be valid again, and so would the link of a person who was removed since.
 */
export async function endAccess(ports: AfterRestorePorts, by: Principal, reason: string): Promise<EndedAccess> {
  const { storage, workspace, roster, clock } = ports;
  let sessionsEnded = 0;
  let invitationsWithdrawn = 0;
  for await (const row of roster.all()) {
    const { personId } = row;
    const { length: live } = await storage.sessions.list({ workspace, personId });
    if (live > 0) {
      // Recorded first: a failure between the two leaves sessions, which the repeated command ends.
      await writePerson(ports, async () => {
        const now = await roster.byId(personId);
        if (now === undefined) return undefined;
        const details = { email: now.body.email ?? "", reason };
        const fact = { ...actor(by), action: "session.ended_by_other", subject: personId, details };
        return { row: now, body: now.body, fact };
      });
    }
    await ports.endSessions(personId);
    sessionsEnded += live;

    const { invitation } = row.body;
    if (invitation === undefined || shownInvitation(row, clock.now()) === undefined) continue;
    const isWithdrawn = await withdrawn(ports, invitation.digest, ({ body: { email } }) => ({
      ...actor(by),
      action: "person.invitation_withdrawn",
      subject: personId,
      details: { email: email ?? "", reason },
    }));
    // The link for the first owner has no address, and each start creates another one.
    if (isWithdrawn && row.body.email !== undefined) invitationsWithdrawn += 1;
  }
  return { sessionsEnded, invitationsWithdrawn };
}

/** Whether the invitation was withdrawn here. A node that has started meanwhile may have replaced or accepted it. */
async function withdrawn(...removal: Parameters<typeof removeInvitation>): Promise<boolean> {
  try {
    await removeInvitation(...removal);
    return true;
  } catch (error) {
    if (ProcedoError.isError(error) && error.code === "invitation_not_found") return false;
    throw error;
  }
}
