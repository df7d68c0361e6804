import { hash } from "node:crypto";
import type { NewRecord, RecordRow } from "@procedo/storage";
import type { Access } from "./access-roles.ts";

/** Record kind of people, including those who were invited and have not joined. */
export const personKind = "person";

/** Account of a person at an identity provider. */
export interface Identity {
  /** The provider's `iss`. */
  readonly issuer: string;
  /** The provider's `sub` of the account. */
  readonly subject: string;
}

/** A person who has joined. */
export interface Joined {
  readonly name: string;
  readonly access: Access;
  /** As normal names. */
  readonly groups: readonly string[];
  readonly isActive: boolean;
  /** PHC text of the password's hash; left out for a person who signs in by an identity provider only. */
  readonly password?: string;
  readonly identity?: Identity;
  readonly createdAtMs: number;
}

/** An open or expired invitation. */
export interface OpenInvitation {
  /** Digest of the token. */
  readonly digest: string;
  readonly access: Access;
  readonly groups: readonly string[];
  readonly invitedBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * The stored form of a person. An invited person is the same record before and after joining, so that an invitation is
 * accepted or withdrawn once. A deactivated person who is invited again has both parts, and so does an active person
 * for whom a new password was made possible.
 */
export interface PersonBody {
  /** Normal form of the e-mail address; left out in the invitation of the first owner. */
  readonly email?: string;
  readonly joined?: Joined;
  readonly invitation?: OpenInvitation;
}

/** A person as storage has them. */
export interface PersonRow {
  readonly personId: string;
  readonly revision: number;
  readonly body: PersonBody;
}

/** Unique keys of the kind are unique over all workspaces, so that each names its workspace or is random. */
export const uniqueKeyOf = {
  email: (workspace: string, email: string): string => JSON.stringify(["email", workspace, email]),
  invitation: (digest: string): string => JSON.stringify(["invitation", digest]),
  identity: (workspace: string, { issuer, subject }: Identity): string =>
    JSON.stringify(["identity", hash("sha256", JSON.stringify([workspace, issuer, subject]), "base64url")]),
  /** The invitation of the first owner. */
  setUp: (workspace: string): string => JSON.stringify(["set-up", workspace]),
};

export function personRecord(workspace: string, personId: string, body: PersonBody): NewRecord {
  const { email, joined, invitation } = body;
  const uniqueKeys = [
    email === undefined ? uniqueKeyOf.setUp(workspace) : uniqueKeyOf.email(workspace, email),
    ...(invitation === undefined ? [] : [uniqueKeyOf.invitation(invitation.digest)]),
    ...(joined?.identity === undefined ? [] : [uniqueKeyOf.identity(workspace, joined.identity)]),
  ];
  const id = personId;
  return { workspace, environment: undefined, kind: personKind, id, body: JSON.stringify(body), uniqueKeys, keys: [] };
}

export function personRow({ id, revision, body }: RecordRow): PersonRow {
  return { personId: id, revision, body: JSON.parse(body) as PersonBody };
}

/** The row of a person who has joined. */
export interface JoinedRow extends PersonRow {
  readonly body: PersonBody & Required<Pick<PersonBody, "email" | "joined">>;
}

/** The row, if the person has joined. */
export function joinedRow({ personId, revision, body }: PersonRow): JoinedRow | undefined {
  const { email, joined } = body;
  return email === undefined || joined === undefined
    ? undefined
    : { personId, revision, body: { ...body, email, joined } };
}

/** The row, if the person is active. */
export function activeRow(row: PersonRow): JoinedRow | undefined {
  const joined = joinedRow(row);
  return joined?.body.joined.isActive === true ? joined : undefined;
}
