import type { TriggerStore } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare, prepareTuple } from "./statement.ts";

/** Removes contents, ended firings and unused events, within a write. */
export function sqliteTriggerRetention({
  db,
  now,
  scopes,
}: SqliteContext): (request: Parameters<TriggerStore["removeExpired"]>[0]) => number {
  const deleteContents = prepare(
    db,
    `DELETE FROM event_contents WHERE event IN (
       SELECT event FROM event_contents INDEXED BY event_contents_by_time
        WHERE scope = ? AND received_at_ms < ?
          AND NOT EXISTS (SELECT 1 FROM firings INDEXED BY firings_of_event
                           WHERE firings.event = event_contents.event AND firings.status = 'pending')
        ORDER BY received_at_ms LIMIT +?)`,
  );
  const deleteFirings = prepare(
    db,
    `DELETE FROM firings WHERE firing IN (
       SELECT firing FROM firings INDEXED BY firings_of_scope
        WHERE scope = ? AND received_at_ms < ? AND status <> 'pending'
          AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.run = firings.run AND ended_at_ms IS NULL)
        ORDER BY received_at_ms LIMIT +?)`,
  );
  const selectUnused = prepareTuple<[event: number]>(
    db,
    `SELECT event FROM events INDEXED BY events_by_time
      WHERE scope = ? AND received_at_ms < ? AND known_until_ms <= ?
        AND NOT EXISTS (SELECT 1 FROM firings INDEXED BY firings_of_event WHERE firings.event = events.event)
      ORDER BY received_at_ms LIMIT +?`,
  );
  const deleteContent = prepare(db, "DELETE FROM event_contents WHERE event = ?");
  const deleteEvent = prepare(db, "DELETE FROM events WHERE event = ?");

  return ({ scope, contentsOlderThanMs, firingsOlderThanMs, limit }) => {
    const number = scopes.find(scope);
    if (number === undefined) return 0;
    const nowMs = now();
    const contents = Number(deleteContents.run(number, nowMs - contentsOlderThanMs, limit).changes);
    const firings = Number(deleteFirings.run(number, nowMs - firingsOlderThanMs, limit).changes);
    const unused = selectUnused.all(number, nowMs - firingsOlderThanMs, nowMs, limit);
    for (const [event] of unused) {
      deleteContent.run(event);
      deleteEvent.run(event);
    }
    return contents + firings + unused.length;
  };
}
