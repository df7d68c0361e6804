import type { Access } from "./access-roles.ts";
import type { JoinedRow, PersonRow } from "./person-record.ts";

/** A person who has joined. */
export interface Person {
  /** Identifier of the person. */
  readonly personId: string;
  /** E-mail address in its normal form, which never changes. Records name the person by it. */
  readonly email: string;
  /** Name for other people. */
  readonly name: string;
  /** Roles in each environment. A person without a role cannot access it. */
  readonly access: Access;
  /** Labels that reviews may name as roles, as normal names. */
  readonly groups: readonly string[];
  /** Whether the person may sign in, and keys that act as the person are accepted. */
  readonly isActive: boolean;
  /** Last use of a session of the person, to the minute, in milliseconds since the epoch; `undefined` without one. */
  readonly lastSeenAtMs: number | undefined;
  /** When the person joined first, in milliseconds since the epoch. */
  readonly createdAtMs: number;
}

/** An invitation that is neither accepted nor expired. */
export interface Invitation {
  /** Identifier of the invitation, and of the person once they have joined. */
  readonly invitationId: string;
  /** Normal form of the invited address; `undefined` for the first owner, who names their own. */
  readonly email: string | undefined;
  /** Roles in each environment that the person will have. */
  readonly access: Access;
  /** Labels that the person will have. */
  readonly groups: readonly string[];
  /** The person who created the invitation. */
  readonly invitedBy: string;
  /** Time of its creation, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** When it can no longer be accepted, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

export function shownPerson({ personId, body }: JoinedRow, lastSeenAtMs?: number): Person {
  const { email, joined } = body;
  const { name, access, groups, isActive, createdAtMs } = joined;
  return { personId, email, name, access, groups, isActive, lastSeenAtMs, createdAtMs };
}

/** The open invitation of a row; `undefined` if there is none. */
export function shownInvitation({ personId, body }: PersonRow, nowMs: number): Invitation | undefined {
  const { email, invitation } = body;
  if (invitation === undefined || invitation.expiresAtMs <= nowMs) return undefined;
  const { digest: _, ...shown } = invitation;
  // An active person keeps their access, which may have changed since.
  const { access, groups } = body.joined?.isActive === true ? body.joined : shown;
  return { invitationId: personId, email, ...shown, access, groups };
}
