import type { SessionRow, SessionStore, SignInFailures } from "@procedo/storage";
import { assertStorable, maxSessionsListed } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

interface StoredSession extends Omit<SessionRow, "userAgent" | "address"> {
  readonly userAgent: string | null;
  readonly address: string | null;
}

interface RemovedSession {
  readonly isLive: 0 | 1;
}

/** The end of a session, in the form of the index `sessions_by_end`. */
const end = "min(idle_ends_at_ms, ends_at_ms)";

export function sqliteSessions({ db, now, reader, writer }: SqliteContext): SessionStore {
  const insert = prepare(
    db,
    `INSERT INTO sessions (digest, workspace, person_id, session_id, created_at_ms, seen_at_ms, idle_ends_at_ms,
                           ends_at_ms, user_agent, address)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = `SELECT digest, workspace, person_id AS "personId", session_id AS "sessionId",
           created_at_ms AS "createdAtMs", seen_at_ms AS "seenAtMs", idle_ends_at_ms AS "idleEndsAtMs",
           ends_at_ms AS "endsAtMs", user_agent AS "userAgent", address
      FROM sessions`;
  const selectLive = prepare<StoredSession>(db, `${select} WHERE digest = ? AND ${end} > ?`);
  const selectOfPerson = prepare<StoredSession>(
    db,
    `${select} INDEXED BY sessions_of_person WHERE workspace = ? AND person_id = ? AND ${end} > ?
      ORDER BY created_at_ms DESC, session DESC LIMIT ${maxSessionsListed}`,
  );
  const touchLive = prepare(
    db,
    `UPDATE sessions SET seen_at_ms = max(seen_at_ms, ?1), idle_ends_at_ms = max(idle_ends_at_ms, ?2)
      WHERE digest = ?3 AND ${end} > ?4`,
  );
  const removed = `RETURNING ${end} > ?3 AS "isLive"`;
  const removeOne = prepare<RemovedSession>(
    db,
    `DELETE FROM sessions WHERE session_id = ?4 AND workspace = ?1 AND person_id = ?2 ${removed}`,
  );
  const removeOthers = prepare<RemovedSession>(
    db,
    `DELETE FROM sessions INDEXED BY sessions_of_person
      WHERE workspace = ?1 AND person_id = ?2 AND session_id IS NOT ?4 ${removed}`,
  );
  const sweepSessions = prepare(
    db,
    `DELETE FROM sessions WHERE session IN (
       SELECT session FROM sessions INDEXED BY sessions_by_end WHERE ${end} <= ? ORDER BY ${end} LIMIT +?)`,
  );
  const sweepFailures = prepare(
    db,
    `DELETE FROM sign_in_failures WHERE failure IN (
       SELECT failure FROM sign_in_failures INDEXED BY sign_in_failures_by_time
        WHERE last_at_ms < ? ORDER BY last_at_ms LIMIT +?)`,
  );
  const addFailure = prepare<SignInFailures>(
    db,
    `INSERT INTO sign_in_failures (failure_key, count, last_at_ms) VALUES (?, 1, ?)
     ON CONFLICT (failure_key)
     DO UPDATE SET count = count + 1, last_at_ms = max(last_at_ms, excluded.last_at_ms)
     RETURNING count, last_at_ms AS "lastAtMs"`,
  );
  const selectFailures = prepare<SignInFailures>(
    db,
    `SELECT count, last_at_ms AS "lastAtMs" FROM sign_in_failures WHERE failure_key = ?`,
  );
  const removeFailures = prepare(db, "DELETE FROM sign_in_failures WHERE failure_key = ?");

  function countLive(turn: WriteTurn, personId: string, rows: readonly RemovedSession[]): number {
    if (rows.length > 0) turn.announce({ type: "session_ended", personId });
    return rows.filter(({ isLive }) => isLive === 1).length;
  }

  return {
    async create(session) {
      assertStorable(session);
      const { digest, workspace, personId, sessionId, createdAtMs, seenAtMs, idleEndsAtMs, endsAtMs } = session;
      const { userAgent = null, address = null } = session;
      const times = [createdAtMs, seenAtMs, idleEndsAtMs, endsAtMs];
      await writer.write(() => {
        insert.run(digest, workspace, personId, sessionId, ...times, userAgent, address);
      });
    },

    find: ({ digest }) =>
      reader.read(() => {
        const stored = selectLive.get(digest, now());
        return stored === undefined ? undefined : rowOf(stored);
      }),

    touch: ({ digest, seenAtMs, idleEndsAtMs }) =>
      writer.write(() => {
        touchLive.run(seenAtMs, idleEndsAtMs, digest, now());
      }),

    list: ({ workspace, personId }) => reader.read(() => selectOfPerson.all(workspace, personId, now()).map(rowOf)),

    end: ({ workspace, personId, sessionId }) =>
      writer.write((turn) => countLive(turn, personId, removeOne.all(workspace, personId, now(), sessionId)) > 0),

    endOf: ({ workspace, personId, exceptSessionId }) =>
      writer.write((turn) =>
        countLive(turn, personId, removeOthers.all(workspace, personId, now(), exceptSessionId ?? null)),
      ),

    sweep: ({ beforeMs, limit }) =>
      writer.write(
        () => Number(sweepSessions.run(now(), limit).changes) + Number(sweepFailures.run(beforeMs, limit).changes),
      ),

    async noteFailure({ key, atMs }) {
      assertStorable(key);
      return writer.write(() => failuresOf(addFailure.get(key, atMs)) ?? { count: 1, lastAtMs: atMs });
    },

    failures: ({ key }) => reader.read(() => failuresOf(selectFailures.get(key))),

    clearFailures: ({ key }) =>
      writer.write(() => {
        removeFailures.run(key);
      }),
  };
}

function rowOf({ userAgent, address, ...row }: StoredSession): SessionRow {
  return { ...row, ...(userAgent === null ? {} : { userAgent }), ...(address === null ? {} : { address }) };
}

/** Copies the row: rows of the database have no prototype. */
function failuresOf(row: SignInFailures | undefined): SignInFailures | undefined {
  return row === undefined ? undefined : { ...row };
}
