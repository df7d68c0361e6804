/*
 * People: who may sign in, and with which access.
 *
 *   people.ts           lists, changes and deactivates people
 *   person.ts           a person and an invitation as they are shown; person-record.ts: as they are stored
 *   roster.ts           reads people; access-roles.ts: what their roles permit
 *   invitations.ts      invites people, and creates the person when the invitation is accepted
 *   reset-password.ts   links by which active people set a new password
 *   join-verified.ts    the same for an account at an identity provider; plan-joining.ts: the change of both
 *   change-person.ts    changes of access and of activity; the last owner. checked-fields.ts: validation
 *   after-restore.ts    ends the sessions and invitations of a restored backup
 *   write-person.ts     each change of a person, in one transaction with its entry in the chain
 *   session.ts          a session as it is shown; sessions.ts: sign-in and sessions; session-holders.ts: their principals
 *   sign-in-throttle.ts delays guesses of passwords
 *   passwords.ts        hashes of passwords; hash-turns.ts: two at a time, each source in its turn
 *   password-rules.ts   the passwords that are refused; guessable-passwords.ts: common ones and what is derived from
 *                       them; common-passwords.ts: their list
 */
import type { Page, PageRequest, Storage } from "@procedo/storage";
import type { AuditLog } from "../audit/audit-log.ts";
import { createLastUses } from "../access/last-uses.ts";
import type { Principal } from "../access/principal.ts";
import type { ShownOnce } from "../audit/shown-once.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import { endAccess, type EndedAccess } from "./after-restore.ts";
import { changePerson, deactivatePerson, joinedPerson, type PersonChanges } from "./change-person.ts";
import { createHashTurns } from "./hash-turns.ts";
import {
  accept,
  invite,
  lookUp,
  setUpToken,
  withdraw,
  type Acceptance,
  type InvitationPorts,
  type NewInvitation,
} from "./invitations.ts";
import { joinVerified, type VerifiedAccount } from "./join-verified.ts";
import { shownInvitation, shownPerson, type Invitation, type Person } from "./person.ts";
import { joinedRow, personKind, type JoinedRow } from "./person-record.ts";
import { resetPassword } from "./reset-password.ts";
import type { Roster } from "./roster.ts";
import type { Sessions } from "./session.ts";
import { createSessions } from "./sessions.ts";
import { createSignInThrottle } from "./sign-in-throttle.ts";

/** People of the workspace, for both environments, and their invitations. */
export interface People<Key = unknown> {
  /** Whether an active person is an owner of both environments. Once it is true, it stays so. */
  isSetUp(): Promise<boolean>;
  /** People who have joined, also those who are not active, oldest first. @throws ProcedoError `invalid_cursor` */
  list(request: PageRequest): Promise<Page<Person>>;
  /** A person who has joined. @throws ProcedoError `person_not_found` */
  get(request: { readonly personId: string }): Promise<Person>;
  /**
   * Changes a person. The access to an environment is changed by an owner of that environment, everything else by an
   * owner of both. A change of access or groups ends the person's sessions.
   *
   * @throws ProcedoError `person_not_found`, `last_owner`, `invalid_input`, `permission_denied`, `environment_mismatch`,
   *   `revision_conflict`
   */
  update(changes: PersonChanges): Promise<Person>;
  /**
   * Deactivates a person: their sessions end, and keys that act as the person are refused. It names these keys, and
   * removes them if `removeKeys` is true. By an owner of both environments.
   *
   * @throws ProcedoError `person_not_found`, `last_owner`, `permission_denied`, `environment_mismatch`,
   *   `revision_conflict`
   */
  deactivate(request: {
    readonly personId: string;
    readonly removeKeys?: boolean;
    readonly by: Principal;
  }): Promise<{ readonly keys: readonly Key[] }>;
  /**
   * Invites a person, also one who was deactivated. Only this answer contains the token. Access to an environment is
   * given by an owner of that environment, groups by an owner of both. An open invitation of the address is replaced by an
   * owner of both: its link is void.
   *
   * @throws ProcedoError `email_taken` for an active person; `invalid_input`, `permission_denied`,
   *   `environment_mismatch`
   */
  invite(invitation: NewInvitation, answer?: ShownOnce): Promise<Invitation & { readonly token: string }>;
  /**
   * Makes a new password of an active person possible: an invitation, valid for a day, whose acceptance replaces the
   * password and ends the person's sessions. Access, groups and keys stay. An open one is replaced. Only this answer
   * contains the token. By code that embeds the engine.
   *
   * @throws ProcedoError `person_not_found`, also for a person who is not active; `permission_denied`,
   *   `environment_mismatch`
   */
  resetPassword(
    request: { readonly personId: string; readonly by: Principal },
    answer?: ShownOnce,
  ): Promise<Invitation & { readonly token: string }>;
  /** Invitations that can be accepted, oldest first. @throws ProcedoError `invalid_cursor` */
  invitations(request: PageRequest): Promise<Page<Invitation>>;
  /**
   * Withdraws an invitation. By an owner of both environments.
   *
   * @throws ProcedoError `invitation_not_found`, `permission_denied`, `environment_mismatch`
   */
  withdraw(request: { readonly invitationId: string; readonly by: Principal }): Promise<void>;
  /** The invitation of a token. @throws ProcedoError `invitation_not_found`, the same for a used or expired one */
  lookUp(request: { readonly token: string }): Promise<Invitation>;
  /**
   * Accepts an invitation, once, and creates the person. An active person gets the new password that was made possible.
   *
   * @throws ProcedoError `invitation_not_found`; `invalid_input`, also for a password that is easily guessed;
   *   `email_taken` when the first owner names an address that was invited; `rate_limited`
   */
  accept(acceptance: Acceptance): Promise<Person>;
  /**
   * Accepts the open invitation of an e-mail address that an identity provider has verified, without the token of its
   * link, and links the person to the account. With `otherwise`, a new person joins without an invitation, once the
   * workspace has an owner.
   *
   * @throws ProcedoError `invitation_not_found`, also for an active person, who is not linked, and for a deactivated
   *   one; `email_taken` for an account of another person; `invalid_input`
   */
  joinVerified(account: VerifiedAccount): Promise<Person>;
  /**
   * A token for the first owner of the workspace, valid for a day, whose acceptor names their e-mail address. It
   * replaces an earlier one. `undefined` when the workspace has an owner.
   */
  setUpToken(): Promise<string | undefined>;
}

/** Ports of people. `Key` is an API key. */
export interface PeoplePorts<Key> {
  readonly storage: Pick<Storage, "records" | "sessions">;
  readonly workspace: string;
  readonly roster: Roster;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: Log;
  /** The keys that act as a person. */
  readonly keysOf: (email: string) => Promise<readonly Key[]>;
  /** Removes keys without a check of permissions. */
  readonly removeKeys: (keys: readonly Key[], by: Principal) => Promise<void>;
}

export function createPeople<Key>(given: PeoplePorts<Key>): {
  readonly people: People<Key>;
  readonly sessions: Sessions;
  /** Looks the held sessions of a person up again; all when it is left out. */
  readonly recheck: (personId?: string) => void;
  /** Ends all sessions and withdraws all open invitations, for `reason`. It checks no permission. */
  readonly endAccess: (by: Principal, reason: string) => Promise<EndedAccess>;
  /** Writes when people were last seen, as far as it is not yet written. */
  readonly stop: () => Promise<void>;
} {
  const { storage, workspace, roster, clock, log } = given;
  const hashTurns = createHashTurns(clock);
  const throttle = createSignInThrottle({ sessions: storage.sessions, clock, workspace, log });
  const uses = createLastUses(storage.records, { workspace, kind: personKind }, clock);
  const { sessions, recheck, endOf } = createSessions({ ...given, hashTurns, throttle, uses });
  const ports: InvitationPorts = { ...given, hashTurns, endSessions: endOf };
  let isSetUp = false;

  const withLastSeen = async (rows: readonly JoinedRow[]): Promise<readonly Person[]> => {
    const seen = await uses.of(rows.map(({ personId }) => personId));
    return rows.map((row) => shownPerson(row, seen.get(row.personId)?.usedAtMs));
  };
  const get: People<Key>["get"] = async ({ personId }) => {
    const { row } = await joinedPerson(roster, personId);
    const seen = await uses.of([personId]);
    return shownPerson(row, seen.get(personId)?.usedAtMs);
  };

  const people: People<Key> = {
    isSetUp: async () => {
      // The last owner cannot be removed.
      isSetUp ||= await roster.hasOwner();
      return isSetUp;
    },
    list: async (request) => {
      const { items, nextCursor } = await roster.page({ ...request, list: "joined" }, joinedRow);
      return { items: await withLastSeen(items), nextCursor };
    },
    get,
    update: async (changes) => {
      await changePerson(ports, changes);
      return await get(changes);
    },
    deactivate: async ({ personId, removeKeys = false, by }) => {
      const email = await deactivatePerson(ports, { personId, by });
      const keys = await given.keysOf(email);
      if (removeKeys) {
        // Part of the change that was made: people who deactivate themselves have no session any more.
        const { isRevoked: _, ...authorized } = by;
        await given.removeKeys(keys, authorized);
      }
      return { keys };
    },
    invite: (invitation, answer = {}) => invite(ports, invitation, answer),
    resetPassword: (request, answer = {}) => resetPassword(ports, request, answer),
    invitations: (request) =>
      roster.page({ ...request, list: "invited" }, (row) =>
        row.body.email === undefined ? undefined : shownInvitation(row, clock.now()),
      ),
    withdraw: (request) => withdraw(ports, request),
    lookUp: ({ token }) => lookUp(ports, token),
    accept: async (acceptance) => await get({ personId: await accept(ports, acceptance) }),
    joinVerified: async (account) => await get({ personId: await joinVerified(ports, account) }),
    setUpToken: () => setUpToken(ports),
  };
  return {
    people,
    sessions,
    recheck,
    endAccess: (by, reason) => endAccess({ ...ports, storage }, by, reason),
    stop: () => uses.stop(),
  };
}
