import { ProcedoError } from "@procedo/contract";
import { maxSessionsListed, type SessionRow, type SessionStore } from "../sessions.ts";
import { assertStorable } from "../storable.ts";
import type { MemoryState } from "./state.ts";

export function memorySessions(state: MemoryState): SessionStore {
  const { sessions, signInFailures, feed } = state;

  const isLive = (session: SessionRow): boolean => endOfLife(session) > state.now();

  function remove(personId: string, removed: readonly SessionRow[]): number {
    const live = removed.filter(isLive).length;
    for (const { digest } of removed) sessions.delete(digest);
    if (removed.length > 0) feed.emit({ type: "session_ended", personId });
    return live;
  }

  const sessionsOf = (workspace: string, personId: string): readonly SessionRow[] =>
    [...sessions.values()].filter((session) => session.workspace === workspace && session.personId === personId);

  return {
    async create(session) {
      assertStorable(session);
      const isKnown = [...sessions.values()].some(({ sessionId }) => sessionId === session.sessionId);
      if (isKnown || sessions.has(session.digest)) {
        throw new ProcedoError("internal", `Session "${session.sessionId}" exists already.`);
      }
      sessions.set(session.digest, { ...session });
    },

    async find({ digest }) {
      const session = sessions.get(digest);
      return session !== undefined && isLive(session) ? session : undefined;
    },

    async touch({ digest, seenAtMs, idleEndsAtMs }) {
      const session = sessions.get(digest);
      if (session === undefined || !isLive(session)) return;
      sessions.set(digest, {
        ...session,
        seenAtMs: Math.max(session.seenAtMs, seenAtMs),
        idleEndsAtMs: Math.max(session.idleEndsAtMs, idleEndsAtMs),
      });
    },

    async list({ workspace, personId }) {
      // A map keeps the order in which its entries were added.
      const live = sessionsOf(workspace, personId).filter(isLive).reverse();
      return live.sort((a, b) => b.createdAtMs - a.createdAtMs).slice(0, maxSessionsListed);
    },

    async end({ workspace, personId, sessionId }) {
      const ended = sessionsOf(workspace, personId).filter((session) => session.sessionId === sessionId);
      return remove(personId, ended) > 0;
    },

    async endOf({ workspace, personId, exceptSessionId }) {
      const ended = sessionsOf(workspace, personId).filter(({ sessionId }) => sessionId !== exceptSessionId);
      return remove(personId, ended);
    },

    async sweep({ beforeMs, limit }) {
      const ended = [...sessions.values()]
        .filter((session) => !isLive(session))
        .sort((a, b) => endOfLife(a) - endOfLife(b))
        .slice(0, limit);
      for (const { digest } of ended) sessions.delete(digest);
      const old = [...signInFailures]
        .filter(([, { lastAtMs }]) => lastAtMs < beforeMs)
        .sort(([, a], [, b]) => a.lastAtMs - b.lastAtMs)
        .slice(0, limit);
      for (const [key] of old) signInFailures.delete(key);
      return ended.length + old.length;
    },

    async noteFailure({ key, atMs }) {
      assertStorable(key);
      const known = signInFailures.get(key);
      const failures = { count: (known?.count ?? 0) + 1, lastAtMs: Math.max(known?.lastAtMs ?? atMs, atMs) };
      signInFailures.set(key, failures);
      return failures;
    },

    async failures({ key }) {
      return signInFailures.get(key);
    },

    async clearFailures({ key }) {
      signInFailures.delete(key);
    },
  };
}

function endOfLife({ idleEndsAtMs, endsAtMs }: SessionRow): number {
  return Math.min(idleEndsAtMs, endsAtMs);
}
