import type { SessionRow, SessionStore, SignInFailures } from "@procedo/storage";
import { assertStorable, maxSessionsListed } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { SqlValue, Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

interface StoredSession extends Omit<SessionRow, "userAgent" | "address"> {
  readonly userAgent: string | null;
  readonly address: string | null;
}

interface RemovedSession {
  readonly isLive: boolean;
}

/** The end of a session, in the form of the index `sessions_by_end`. */
const end = "least(idle_ends_at_ms, ends_at_ms)";

/** The time as a subquery: it is read once, and an index can serve a comparison with it. */
const timeOf = (parameter: string): string => `(SELECT ${sqlNow(parameter)})`;

/** The condition on a session that is found by other columns, in a form that no index serves. */
const isLive = (parameter: string): string => `${end} + 0 > ${timeOf(parameter)}`;

/** Statements that change several sessions lock them in the order of their digests, so that none deadlocks another. */
export function postgresSessions({ database, nowMs, announce }: PostgresContext): SessionStore {
  const { schema } = database;
  const insert: Statement = {
    name: "sessions-create",
    text: `INSERT INTO ${schema}.sessions (digest, workspace, person_id, session_id, created_at_ms, seen_at_ms,
                                           idle_ends_at_ms, ends_at_ms, user_agent, address)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  };
  const select = `SELECT digest, workspace, person_id AS "personId", session_id AS "sessionId",
                  created_at_ms AS "createdAtMs", seen_at_ms AS "seenAtMs", idle_ends_at_ms AS "idleEndsAtMs",
                  ends_at_ms AS "endsAtMs", user_agent AS "userAgent", address
             FROM ${schema}.sessions`;
  const selectLive: Statement = {
    name: "sessions-find",
    text: `${select} WHERE digest = $1 AND ${isLive("$2")}`,
  };
  const selectOfPerson: Statement = {
    name: "sessions-list",
    text: `${select} WHERE workspace = $1 AND person_id = $2 AND ${isLive("$3")}
            ORDER BY created_at_ms DESC, session DESC LIMIT ${maxSessionsListed}`,
  };
  const touchLive: Statement = {
    name: "sessions-touch",
    text: `UPDATE ${schema}.sessions
              SET seen_at_ms = greatest(seen_at_ms, $2::bigint), idle_ends_at_ms = greatest(idle_ends_at_ms, $3::bigint)
            WHERE digest = $1 AND ${isLive("$4")}`,
  };
  const remove = (which: string): string => `
           DELETE FROM ${schema}.sessions
            WHERE digest = ANY (ARRAY(SELECT digest FROM ${schema}.sessions WHERE ${which} ORDER BY digest FOR UPDATE))
           RETURNING ${isLive("$3")} AS "isLive"`;
  const removeOne: Statement = {
    name: "sessions-end",
    text: remove(`session_id = $4 AND ${matchesUnindexed("workspace, person_id", "$1, $2")}`),
  };
  const removeOthers: Statement = {
    name: "sessions-end-of",
    text: remove("workspace = $1 AND person_id = $2 AND session_id IS DISTINCT FROM $4::text"),
  };
  // Skips rows that another statement holds: that one removes them, or has just used the session.
  const sweep: Statement = {
    name: "sessions-sweep",
    text: `WITH swept AS (
             DELETE FROM ${schema}.sessions WHERE digest = ANY (ARRAY(
               SELECT digest FROM ${schema}.sessions WHERE ${end} <= ${timeOf("$1")}
                ORDER BY ${end} LIMIT $2 FOR UPDATE SKIP LOCKED))
             RETURNING 1
           ), forgotten AS (
             DELETE FROM ${schema}.sign_in_failures WHERE failure_key = ANY (ARRAY(
               SELECT failure_key FROM ${schema}.sign_in_failures WHERE last_at_ms < $3
                ORDER BY last_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED))
             RETURNING 1
           )
           SELECT (SELECT count(*) FROM swept) + (SELECT count(*) FROM forgotten) AS removed`,
  };
  const addFailure: Statement = {
    name: "sessions-note-failure",
    text: `INSERT INTO ${schema}.sign_in_failures AS known (failure_key, count, last_at_ms) VALUES ($1, 1, $2)
           ON CONFLICT (failure_key)
           DO UPDATE SET count = known.count + 1, last_at_ms = greatest(known.last_at_ms, excluded.last_at_ms)
           RETURNING count, last_at_ms AS "lastAtMs"`,
  };
  const selectFailures: Statement = {
    name: "sessions-failures",
    text: `SELECT count, last_at_ms AS "lastAtMs" FROM ${schema}.sign_in_failures WHERE failure_key = $1`,
  };
  const removeFailures: Statement = {
    name: "sessions-clear-failures",
    text: `DELETE FROM ${schema}.sign_in_failures WHERE failure_key = $1`,
  };

  async function removeSessions(statement: Statement, personId: string, values: readonly SqlValue[]): Promise<number> {
    const rows = await database.query<RemovedSession>(statement, values);
    if (rows.length > 0) announce([{ type: "session_ended", personId }]);
    return rows.filter((row) => row.isLive).length;
  }

  return {
    async create(session) {
      assertStorable(session);
      const { digest, workspace, personId, sessionId, createdAtMs, seenAtMs, idleEndsAtMs, endsAtMs } = session;
      const { userAgent = null, address = null } = session;
      const times = [createdAtMs, seenAtMs, idleEndsAtMs, endsAtMs];
      await database.query(insert, [digest, workspace, personId, sessionId, ...times, userAgent, address]);
    },

    async find({ digest }) {
      const [stored] = await database.query<StoredSession>(selectLive, [digest, nowMs()]);
      return stored === undefined ? undefined : rowOf(stored);
    },

    async touch({ digest, seenAtMs, idleEndsAtMs }) {
      await database.query(touchLive, [digest, seenAtMs, idleEndsAtMs, nowMs()]);
    },

    async list({ workspace, personId }) {
      return (await database.query<StoredSession>(selectOfPerson, [workspace, personId, nowMs()])).map(rowOf);
    },

    end: async ({ workspace, personId, sessionId }) =>
      (await removeSessions(removeOne, personId, [workspace, personId, nowMs(), sessionId])) > 0,

    endOf: ({ workspace, personId, exceptSessionId }) =>
      removeSessions(removeOthers, personId, [workspace, personId, nowMs(), exceptSessionId ?? null]),

    async sweep({ beforeMs, limit }) {
      const [answer] = await database.query<{ removed: number }>(sweep, [nowMs(), limit, beforeMs]);
      return answer?.removed ?? 0;
    },

    async noteFailure({ key, atMs }) {
      assertStorable(key);
      const [failures] = await database.query<SignInFailures>(addFailure, [key, atMs]);
      return failures ?? { count: 1, lastAtMs: atMs };
    },

    async failures({ key }) {
      const [failures] = await database.query<SignInFailures>(selectFailures, [key]);
      return failures;
    },

    async clearFailures({ key }) {
      await database.query(removeFailures, [key]);
    },
  };
}

function rowOf({ userAgent, address, ...row }: StoredSession): SessionRow {
  return { ...row, ...(userAgent === null ? {} : { userAgent }), ...(address === null ? {} : { address }) };
}
