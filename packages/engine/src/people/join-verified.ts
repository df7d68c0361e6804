import { acceptInvitationRequestSchema, normalName } from "@procedo/contract";
import type { Ids } from "../ports/ids.ts";
import { checkedFields } from "./checked-fields.ts";
import { notFound } from "./invitations.ts";
import { shownInvitation } from "./person.ts";
import { activeRow, type Identity } from "./person-record.ts";
import { planJoining, type JoiningPorts } from "./plan-joining.ts";
import { writePerson } from "./write-person.ts";

/** A person who joins by an account at an identity provider, which has verified their address. */
export interface VerifiedAccount {
  /** The account, which the caller has verified. */
  readonly identity: Identity;
  /** The account's e-mail address. The provider states that it belongs to the owner of the account. */
  readonly email: string;
  /** The person's name, 1 to 200 characters. */
  readonly name: string;
  /** The role in both environments of a person who was not invited. @defaultValue none: an invitation is needed */
  readonly otherwise?: "viewer";
}

export interface JoinVerifiedPorts extends JoiningPorts {
  readonly ids: Ids;
}

const required = acceptInvitationRequestSchema.pick({ email: true, name: true }).required();

/** @returns the person's id. @throws ProcedoError as `People.joinVerified` */
export async function joinVerified(ports: JoinVerifiedPorts, given: VerifiedAccount): Promise<string> {
  const { roster, clock } = ports;
  const { identity, otherwise } = given;
  const fields = checkedFields(required, { email: given.email, name: given.name });
  const email = normalName(fields.email);
  const joining = { via: "identity_provider", email, name: fields.name.trim(), identity } as const;
  let joinedId = "";
  await writePerson(ports, async () => {
    const row = await roster.byEmail(email);
    const invitation = row && shownInvitation(row, clock.now());
    if (row !== undefined && invitation !== undefined && activeRow(row) === undefined) {
      joinedId = row.personId;
      const { access, groups, invitedBy } = invitation;
      return await planJoining(ports, row, { ...joining, access, groups, invitedBy });
    }
    // An active person is linked by an invitation only, and a deactivated one stays so. The address of the first owner,
    // who has a link, must not be taken.
    if (otherwise === undefined || row?.body.joined !== undefined || !(await roster.hasOwner())) throw notFound();
    const created = row ?? { personId: ports.ids("per"), revision: 0, body: { email } };
    joinedId = created.personId;
    return await planJoining(ports, created, {
      ...joining,
      access: { sandbox: [otherwise], live: [otherwise] },
      groups: [],
    });
  });
  return joinedId;
}
