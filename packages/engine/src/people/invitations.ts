import {
  acceptInvitationRequestSchema,
  createInvitationRequestSchema,
  normalName,
  ProcedoError,
} from "@procedo/contract";
import { actor, type Principal } from "../access/principal.ts";
import { digestOf, hasFormOfToken, newRawToken } from "../access/raw-token.ts";
import type { AuditFact } from "../audit/audit-log.ts";
import { undone, writeShownOnce, type ShownOnce } from "../audit/shown-once.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import { accessFact, type Access, type AccessChanges } from "./access-roles.ts";
import { authorizeAccess, authorizeWorkspace, type ChangePorts } from "./change-person.ts";
import { checkedFields, checkedGroups } from "./checked-fields.ts";
import type { HashTurns } from "./hash-turns.ts";
import { checkPassword } from "./password-rules.ts";
import { hashPassword } from "./passwords.ts";
import { planJoining, planNewPassword } from "./plan-joining.ts";
import { shownInvitation, type Invitation } from "./person.ts";
import { activeRow, personRecord, type Identity, type OpenInvitation, type PersonRow } from "./person-record.ts";
import type { Roster } from "./roster.ts";
import { writePerson } from "./write-person.ts";

/** An invitation to be created. */
export interface NewInvitation {
  /** The address of the person to invite. */
  readonly email: string;
  /** Roles in each environment, at least one; none in an environment that is left out. */
  readonly access: AccessChanges;
  /** Labels of the person, at most 50. @defaultValue none */
  readonly groups?: readonly string[];
  /** The owner who invites, or code that embeds the engine. */
  readonly by: Principal;
  /** How long the invitation can be accepted, in milliseconds; 1000 to 2592000000, 30 days. @defaultValue 604800000 */
  readonly expiresInMs?: number;
}

/** The acceptance of an invitation. It has a password or an identity, or both. */
export interface Acceptance {
  /** The token of the link. */
  readonly token: string;
  /** The person's name, 1 to 200 characters. */
  readonly name: string;
  /** Required for the first owner. Otherwise it must be the invited address. @defaultValue the invited address */
  readonly email?: string;
  /** 12 to 128 characters. @defaultValue none: the person signs in with the identity only */
  readonly password?: string;
  /** The person's account at an identity provider, which the caller has verified. @defaultValue none */
  readonly identity?: Identity;
}

export interface InvitationPorts extends ChangePorts {
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
  readonly random: Pick<Random, "bytes">;
  readonly hashTurns: HashTurns;
}

/** Prefix of an invitation's token. */
const prefix = "inv_";
export const dayMs = 86_400_000;
const defaultLifeMs = 7 * dayMs;
const maxLifeMs = 30 * dayMs;
const setUpLifeMs = dayMs;

/** @throws ProcedoError as `People.invite` */
export async function invite(
  ports: InvitationPorts,
  given: NewInvitation,
  answer: ShownOnce,
): Promise<Invitation & { readonly token: string }> {
  const { by, expiresInMs = defaultLifeMs } = given;
  if (!Number.isInteger(expiresInMs) || expiresInMs < 1_000 || expiresInMs > maxLifeMs) {
    throw new ProcedoError("invalid_input", `The field expiresInMs must be a whole number from 1000 to ${maxLifeMs}.`);
  }
  const { email: address, ...rights } = checkedFields(createInvitationRequestSchema, {
    email: given.email,
    access: given.access,
    groups: given.groups,
  });
  const email = normalName(address);
  const { sandbox = [], live = [] } = rights.access;
  const access = { sandbox, live };
  const groups = checkedGroups(rights.groups);
  authorizeAccess(by, access, groups);
  const plan = async (): Promise<PlannedInvitation> => {
    const row = (await ports.roster.byEmail(email)) ?? { personId: ports.ids("per"), revision: 0, body: { email } };
    if (row.body.joined?.isActive === true) throw alreadyActive(email);
    return { row, access, groups };
  };
  return await writeInvitation(ports, { action: "person.invited", by, lifeMs: expiresInMs, plan }, answer);
}

function alreadyActive(email: string): ProcedoError {
  return new ProcedoError(
    "email_taken",
    `${email} is a person of this service already. To replace a forgotten password: procedo people reset-password ${email}`,
  );
}

/** The person to invite as they were read, and their access once the invitation is accepted. */
export interface PlannedInvitation {
  readonly row: PersonRow;
  readonly access: Access;
  readonly groups: readonly string[];
}

/** Stores an invitation and returns its token. An open invitation of the same person is replaced: its link is void. */
export async function writeInvitation(
  ports: InvitationPorts,
  given: {
    readonly action: "person.invited" | "person.password_reset";
    readonly by: Principal;
    readonly lifeMs: number;
    readonly plan: () => Promise<PlannedInvitation>;
  },
  answer: ShownOnce,
): Promise<Invitation & { readonly token: string }> {
  const { action, by, lifeMs, plan } = given;
  const token = newRawToken(prefix, ports.random);
  const digest = digestOf(token);
  const createdAtMs = ports.clock.now();
  const expiresAtMs = createdAtMs + lifeMs;
  let written: { readonly row: PersonRow; readonly fact: AuditFact; readonly replaced?: OpenInvitation } | undefined;
  await writeShownOnce(answer, {
    write: () =>
      writePerson(ports, async () => {
        const { row, access, groups } = await plan();
        const isReplaced = shownInvitation(row, createdAtMs) !== undefined;
        if (isReplaced) authorizeWorkspace(by, "The replacement of an invitation");
        const invitation = { digest, access, groups, invitedBy: actor(by).by, createdAtMs, expiresAtMs };
        const { personId, body } = row;
        const details = {
          email: body.email ?? "",
          access: accessFact(access),
          groups: [...groups],
          expiresAtMs,
          ...(isReplaced && { replaces: true }),
        };
        const fact: AuditFact = { ...actor(by), action, subject: personId, details };
        const invited = { ...row, body: { ...body, invitation } };
        written = { row: invited, fact, ...(isReplaced && body.invitation && { replaced: body.invitation }) };
        return { row, body: invited.body, fact };
      }),
    undo: async () => {
      if (written === undefined) return;
      const { fact, replaced } = written;
      await removeInvitation(ports, digest, () => undone(fact, "person.invitation_withdrawn"), replaced);
    },
  });
  const shown = written && shownInvitation(written.row, createdAtMs);
  if (shown === undefined) throw new ProcedoError("internal", "The invitation was not stored.");
  return { ...shown, token };
}

/** @throws ProcedoError as `People.withdraw` */
export async function withdraw(
  ports: InvitationPorts,
  { invitationId, by }: { readonly invitationId: string; readonly by: Principal },
): Promise<void> {
  authorizeWorkspace(by, "The withdrawal of an invitation");
  const row = await ports.roster.byId(invitationId);
  const digest = row?.body.email === undefined ? undefined : row.body.invitation?.digest;
  if (digest === undefined) throw notFound();
  await removeInvitation(ports, digest, ({ personId, body }) => ({
    ...actor(by),
    action: "person.invitation_withdrawn",
    subject: personId,
    details: { email: body.email ?? "" },
  }));
}

/** Removes one invitation, and the record of a person who never joined. The invitation `restored` takes its place. */
export async function removeInvitation(
  ports: ChangePorts,
  digest: string,
  factOf: (row: PersonRow) => AuditFact,
  restored?: OpenInvitation,
): Promise<void> {
  await writePerson(ports, async () => {
    const row = await ports.roster.byInvitation(digest);
    if (row === undefined) throw notFound();
    const { invitation: _, ...rest } = row.body;
    const body = restored === undefined ? rest : { ...rest, invitation: restored };
    const isEmpty = body.joined === undefined && restored === undefined;
    return { row, body: isEmpty ? undefined : body, fact: factOf(row) };
  });
}

/** @throws ProcedoError as `People.lookUp` */
export async function lookUp(ports: InvitationPorts, token: string): Promise<Invitation> {
  const { invitation } = await openInvitation(ports, token);
  return invitation;
}

async function openInvitation(
  { roster, clock }: Pick<InvitationPorts, "roster" | "clock">,
  token: string,
): Promise<{ readonly row: PersonRow; readonly invitation: Invitation }> {
  const row = hasFormOfToken(prefix, token) ? await roster.byInvitation(digestOf(token)) : undefined;
  const invitation = row && shownInvitation(row, clock.now());
  if (row === undefined || invitation === undefined) throw notFound();
  if (invitation.email === undefined) await refuseSecondSetUp(roster);
  return { row, invitation };
}

/** Once the service has an owner, its link for the first one is void. */
async function refuseSecondSetUp(roster: Pick<Roster, "hasOwner">): Promise<void> {
  if (await roster.hasOwner()) throw notFound();
}

/** @returns the person's id. @throws ProcedoError as `People.accept` */
export async function accept(ports: InvitationPorts, given: Acceptance): Promise<string> {
  const { token, identity } = given;
  const { invitation } = await openInvitation(ports, token);
  const fields = checkedFields(acceptInvitationRequestSchema.partial({ password: true }), {
    token,
    email: given.email,
    name: given.name,
    password: given.password,
  });
  const email = acceptedEmail(invitation, fields.email);
  const { password } = fields;
  if (password !== undefined) checkPassword(password, email);
  else if (identity === undefined) throw invalid("/password", "is required");
  // Only the invited can accept, so that each invitation has turns of its own.
  const turn = { source: `invitation ${invitation.invitationId}` };
  const hash =
    password === undefined ? undefined : await ports.hashTurns(turn, () => hashPassword(password, ports.random));

  let isNewPassword = false;

  await writePerson(ports, async () => {
    const { row, invitation } = await openInvitation(ports, token);
    const { access, groups, invitedBy } = invitation;
    const active = activeRow(row);
    isNewPassword = active !== undefined;
    if (active !== undefined) {
      if (hash === undefined) throw invalid("/password", "is required");
      const changed = {
        name: fields.name.trim(),
        password: hash,
        invitedBy,
        ...(identity !== undefined && { identity }),
      };
      return await planNewPassword(ports, { row: active, changed });
    }
    const planned = await planJoining(ports, row, {
      via: "invitation",
      email,
      name: fields.name.trim(),
      access,
      groups,
      invitedBy,
      ...(hash !== undefined && { password: hash }),
      ...(identity !== undefined && { identity }),
    });
    return {
      ...planned,
      ...(invitation.email === undefined && { check: () => refuseSecondSetUp(ports.roster) }),
    };
  });
  // Also ended after: a session may have begun with the former password.
  if (isNewPassword) await ports.endSessions(invitation.invitationId);
  return invitation.invitationId;
}

function acceptedEmail(invitation: Invitation, given: string | undefined): string {
  const { email } = invitation;
  if (email === undefined) {
    if (given === undefined) throw invalid("/email", "is required");
    return normalName(given);
  }
  if (given === undefined || normalName(given) === email) return email;
  throw invalid("/email", "is not the address that was invited");
}

/** @throws ProcedoError as `People.setUpToken` */
export async function setUpToken(ports: InvitationPorts): Promise<string | undefined> {
  const { storage, workspace, roster } = ports;
  for (;;) {
    if (await roster.hasOwner()) return undefined;
    const row = await roster.setUp();
    const token = newRawToken(prefix, ports.random);
    const createdAtMs = ports.clock.now();
    const invitation: OpenInvitation = {
      digest: digestOf(token),
      access: { sandbox: ["owner"], live: ["owner"] },
      groups: [],
      invitedBy: "procedo",
      createdAtMs,
      expiresAtMs: createdAtMs + setUpLifeMs,
    };
    // Nothing is granted before the acceptance, which has an entry in the chain.
    const record = personRecord(workspace, row?.personId ?? ports.ids("per"), { invitation });
    const { status } = await storage.records.put({ record, ifRevision: row?.revision ?? 0 });
    // Otherwise another process made a token, or the token was accepted.
    if (status === "stored") return token;
  }
}

/** The error for an invitation that cannot be accepted. */
export function notFound(): ProcedoError {
  return new ProcedoError(
    "invitation_not_found",
    "There is no such invitation. It was used or withdrawn, or has expired. Ask for another one.",
  );
}

function invalid(path: string, message: string): ProcedoError {
  return new ProcedoError("invalid_input", `The field ${path.slice(1)} ${message}.`, { details: [{ path, message }] });
}
