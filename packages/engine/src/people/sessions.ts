import { nameProblem, normalName, ProcedoError } from "@procedo/contract";
import { sourceOf } from "@procedo/contract/syntax";
import { toStorable, type SessionRow, type Storage } from "@procedo/storage";
import { createHeldCredentials } from "../access/held-credentials.ts";
import type { LastUses } from "../access/last-uses.ts";
import { actor, refuseRevoked, type Principal } from "../access/principal.ts";
import { digestOf, hasFormOfToken, newRawToken } from "../access/raw-token.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { notAwaited, writeShownOnce, type ShownOnce } from "../audit/shown-once.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import { authorizeWorkspace, joinedPerson } from "./change-person.ts";
import type { HashTurns } from "./hash-turns.ts";
import { checkPassword } from "./password-rules.ts";
import { hashPassword, isOutdated, isPassword } from "./passwords.ts";
import { shownPerson } from "./person.ts";
import { joinedRow, personRecord, type PersonRow } from "./person-record.ts";
import type { Roster } from "./roster.ts";
import { shownSession, type Sessions, type SignedIn, type SignInOrigin } from "./session.ts";
import { createSessionLookup } from "./session-holders.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";
import { writePerson } from "./write-person.ts";

export interface SessionPorts {
  readonly storage: Pick<Storage, "records" | "sessions">;
  readonly workspace: string;
  readonly roster: Roster;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Pick<Random, "bytes">;
  readonly hashTurns: HashTurns;
  readonly throttle: SignInThrottle;
  readonly log: Pick<Log, "info">;
  /** When people were last seen. */
  readonly uses: Pick<LastUses, "note">;
}

/** Prefix of a session's token. */
const prefix = "ses_";
const minuteMs = 60_000;
const idleMs = 12 * 60 * minuteMs;
const lifeMs = 7 * 24 * 60 * minuteMs;
/** Sessions that a person may have. Enough for every device, and far fewer than a list of sessions can hold. */
const maxSessions = 50;
/** Interval at which held sessions are looked up. A stream ends within it when a session expires. */
const recheckMs = 5_000;
/** Failures are kept for longer than any delay. */
const failuresKeptMs = 24 * 60 * minuteMs;
/**
 * A sweep a minute removes more than a process adds: two passwords at once are hashed, each in 0.1 s or more, and a
 * failure has two counts.
 */
const sweepLimit = 4_000;
const maxUserAgentLength = 300;
const maxAddressLength = 100;

export function createSessions(ports: SessionPorts): {
  readonly sessions: Sessions;
  /** Looks the held sessions of a person up again; all when it is left out. */
  readonly recheck: (personId?: string) => void;
  /** Ends all sessions of a person. */
  readonly endOf: (personId: string) => Promise<void>;
} {
  const { workspace, roster, clock } = ports;
  const store = ports.storage.sessions;
  const find = createSessionLookup(store, roster, workspace);
  const held = createHeldCredentials(clock, { find, reread: find }, recheckMs);
  let sweptAtMs = -Infinity;

  /** Storage grows by sign-ins only, so that these remove what has expired. */
  const sweep = async (): Promise<void> => {
    if (clock.monotonic() - sweptAtMs < minuteMs) return;
    sweptAtMs = clock.monotonic();
    await store.sweep({ beforeMs: clock.now() - failuresKeptMs, limit: sweepLimit });
  };

  const endHeld = (matches: (row: SessionRow) => boolean): void => {
    held.ended((_digest, holder) => holder !== undefined && matches(holder.row));
  };

  /** Ends the sessions that were unused for longest, so that the person may have one more. */
  const makeRoom = async (personId: string): Promise<void> => {
    const listed = await store.list({ workspace, personId });
    const byUse = listed.toSorted((one, other) => other.seenAtMs - one.seenAtMs);
    for (const { sessionId } of byUse.slice(maxSessions - 1)) {
      await store.end({ workspace, personId, sessionId });
      endHeld((row) => row.sessionId === sessionId);
    }
  };

  const begin = async (personId: string, { address, userAgent }: SignInOrigin): Promise<Begun> => {
    await makeRoom(personId);
    const token = newRawToken(prefix, ports.random);
    const nowMs = clock.now();
    const row: SessionRow = {
      digest: digestOf(token),
      workspace,
      personId,
      sessionId: ports.ids("ssn"),
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      idleEndsAtMs: nowMs + idleMs,
      endsAtMs: nowMs + lifeMs,
      ...(userAgent !== undefined && { userAgent: shortened(userAgent, maxUserAgentLength) }),
      ...(address !== undefined && { address: shortened(address, maxAddressLength) }),
    };
    await store.create(row);
    ports.uses.note(personId);
    return { token, row };
  };

  /**
   * Begins a session of the person as they were read. If the person was deactivated or got another password or access
   * meanwhile, their sessions may have been ended before this one began, which is therefore ended as well.
   */
  const beginFor = async (read: PersonRow, origin: SignInOrigin): Promise<SignedIn> => {
    const { token, row } = await begin(read.personId, origin);
    const found = await roster.byId(read.personId);
    const now = found && joinedRow(found);
    if (now?.body.joined.isActive === true && credentialsOf(now) === credentialsOf(read)) {
      return { token, session: shownSession(row), person: shownPerson(now, row.seenAtMs) };
    }
    await store.end({ workspace, personId: row.personId, sessionId: row.sessionId });
    throw wrong();
  };

  /** Begins a session, which no caller keeps whose answer with the token was not awaited. */
  const enter = async (read: PersonRow, origin: SignInOrigin, answer: ShownOnce): Promise<SignedIn> => {
    const signedIn = await writeShownOnce(answer, {
      write: () => beginFor(read, origin),
      undo: ({ session: { personId, sessionId } }) => store.end({ workspace, personId, sessionId }),
    });
    const { personId, sessionId, address } = signedIn.session;
    ports.log.info("A person signed in.", { personId, sessionId, address });
    return signedIn;
  };

  /** Replaces a hash of an earlier cost. Returns the person as they are then. */
  const rehash = async (read: PersonRow, password: string): Promise<PersonRow> => {
    const { personId, revision, body } = read;
    if (body.joined?.password === undefined || !isOutdated(body.joined.password)) return read;
    const joined = { ...body.joined, password: await hashPassword(password, ports.random) };
    const record = personRecord(workspace, personId, { ...body, joined });
    const result = await ports.storage.records.put({ record, ifRevision: revision });
    if (result.status === "stored") return { personId, revision: result.revision, body: { ...body, joined } };
    // Another sign-in may have replaced the hash.
    const now = await roster.byId(personId);
    return now !== undefined && (await isPassword(password, now.body.joined?.password)) ? now : read;
  };

  const endAll = async (personId: string, exceptSessionId?: string): Promise<void> => {
    const request = { workspace, personId };
    await store.endOf(exceptSessionId === undefined ? request : { ...request, exceptSessionId });
    endHeld((row) => row.personId === personId && row.sessionId !== exceptSessionId);
  };

  /** Whether another person ends the sessions; they have to be an owner. */
  const isByOther = (by: Principal, email: string): boolean => {
    if (normalName(by.person) !== email) {
      authorizeWorkspace(by, "The end of another person's session");
      return true;
    }
    refuseRevoked(by);
    return false;
  };
  /** Records that another person ends sessions. The person's record stays as it is. */
  const recordEnd = async (personId: string, by: Principal, sessionId?: string): Promise<void> => {
    await writePerson(ports, async () => {
      const { row, email } = await joinedPerson(roster, personId);
      const details = { email, ...(sessionId !== undefined && { sessionId }) };
      const fact = { ...actor(by), action: "session.ended_by_other", subject: personId, details };
      return { row, body: row.body, fact };
    });
  };

  const touch = async ({ digest, personId, seenAtMs, endsAtMs }: SessionRow): Promise<void> => {
    const nowMs = clock.now();
    if (nowMs - seenAtMs < minuteMs) return;
    ports.uses.note(personId);
    // A refused write does not keep a person from reading.
    await store
      .touch({ digest, seenAtMs: nowMs, idleEndsAtMs: Math.min(nowMs + idleMs, endsAtMs) })
      .catch(() => undefined);
  };

  const sessions: Sessions = {
    signIn: async ({ email: given, password, ...origin }, answer = {}) => {
      // No person has an address without a valid name. It is treated as an unknown one.
      const email = nameProblem(given) === undefined ? normalName(given) : "";
      await sweep();
      const { address } = origin;
      const attempt = { by: "guest", email, address } as const;
      await ports.throttle.check(attempt);
      const source = address === undefined ? undefined : `address ${sourceOf(address)}`;
      return await ports.hashTurns({ source, isAwaited: answer.isAwaited }, async () => {
        await ports.throttle.begin(attempt);
        const row = await roster.byEmail(email);
        const isRight = await isPassword(password, row?.body.joined?.password);
        if (!isRight || row?.body.joined?.isActive !== true) throw wrong();
        await ports.throttle.succeeded(attempt);
        return await enter(await rehash(row, password), origin, answer);
      });
    },
    signInAs: async ({ personId, identity, ...origin }, answer = {}) => {
      if ((personId === undefined) === (identity === undefined)) {
        throw new ProcedoError("invalid_input", "sessions.signInAs takes either a personId or an identity.");
      }
      const row = identity === undefined ? await roster.byId(personId ?? "") : await roster.byIdentity(identity);
      if (row?.body.joined?.isActive !== true) throw new ProcedoError("unauthorized", "This account was not invited.");
      await sweep();
      return await enter(row, origin, answer);
    },
    hold: async (token, { isUse = true } = {}) => {
      if (!hasFormOfToken(prefix, token)) return undefined;
      const hold = await held.hold(digestOf(token));
      if (hold?.holder === undefined) return undefined;
      const { row } = hold.holder;
      if (isUse) await touch(row);
      return Object.assign(hold, { session: shownSession(row) });
    },
    list: async ({ personId }) => (await store.list({ workspace, personId })).map(shownSession),
    end: async ({ personId, sessionId, by }) => {
      const { email } = await joinedPerson(roster, personId);
      if (isByOther(by, email)) {
        const listed = await store.list({ workspace, personId });
        if (!listed.some((row) => row.sessionId === sessionId)) throw sessionNotFound(sessionId);
        await recordEnd(personId, by, sessionId);
      }
      const isEnded = await store.end({ workspace, personId, sessionId });
      endHeld((row) => row.sessionId === sessionId);
      if (!isEnded) throw sessionNotFound(sessionId);
    },
    endOthers: async ({ personId, sessionId, by }) => {
      const { email } = await joinedPerson(roster, personId);
      if (isByOther(by, email)) await recordEnd(personId, by);
      await endAll(personId, sessionId);
    },
    changePassword: async ({ personId, sessionId, current, next }, { isAwaited = () => true } = {}) => {
      const { email } = await joinedPerson(roster, personId);
      checkPassword(next, email, "/next");
      const session = (await store.list({ workspace, personId })).find((row) => row.sessionId === sessionId);
      if (session === undefined) throw sessionNotFound(sessionId);
      const attempt = { by: "session", email } as const;
      await ports.throttle.check(attempt);
      return await ports.hashTurns({ source: `person ${personId}`, isAwaited }, async () => {
        await ports.throttle.begin(attempt);
        const read = await joinedPerson(roster, personId);
        if (!(await isPassword(current, read.joined.password)) || !read.joined.isActive) throw wrongPassword();
        await ports.throttle.succeeded(attempt);
        const password = await hashPassword(next, ports.random);
        if (!isAwaited()) throw notAwaited();
        // Also ended before: a crash after the write leaves no session that the present password opened.
        await endAll(personId, sessionId);
        await writePerson(ports, async () => {
          const { row, joined } = await joinedPerson(roster, personId);
          // Another request changed the password meanwhile.
          if (joined.password !== read.joined.password || !joined.isActive) throw wrongPassword();
          return {
            row,
            // Without the link by which the password could be replaced.
            body: { email, joined: { ...joined, password } },
            fact: {
              by: email,
              via: sessionId,
              action: "person.password_changed",
              subject: personId,
              details: { email },
            },
          };
        });
        const begun = await begin(personId, session);
        if (!isAwaited()) {
          await endAll(personId);
          throw new ProcedoError("overloaded", "The caller no longer waits for the answer. The password was changed.");
        }
        await endAll(personId, begun.row.sessionId);
        return { token: begun.token, session: shownSession(begun.row) };
      });
    },
  };

  return {
    sessions,
    recheck: (personId) => held.recheck(personId === undefined ? undefined : ({ row }) => row.personId === personId),
    endOf: (personId) => endAll(personId),
  };
}

interface Begun {
  readonly token: string;
  readonly row: SessionRow;
}

/** Text of all that opens a session. A deactivated person may have been activated again. */
function credentialsOf({ body: { joined } }: PersonRow): string {
  return JSON.stringify([joined?.password, joined?.identity, joined?.access, joined?.groups]);
}

/** The beginning of a text of the request, in a form that every database returns unchanged. */
function shortened(text: string, length: number): string {
  return toStorable(text.slice(0, length));
}

function wrong(): ProcedoError {
  return new ProcedoError("unauthorized", "E-mail or password is wrong.");
}

function wrongPassword(): ProcedoError {
  const message = "is not your present password";
  return new ProcedoError("invalid_input", `The field current ${message}.`, {
    details: [{ path: "/current", message }],
  });
}

function sessionNotFound(sessionId: string): ProcedoError {
  const id = JSON.stringify(sessionId.slice(0, 100));
  return new ProcedoError("session_not_found", `The person has no session ${id}. It may have ended.`);
}
