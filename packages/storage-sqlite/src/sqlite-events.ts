import type { EventBatch, EventContent, EventFacts, IncomingEvent, NewEvent, TakeResult } from "@procedo/storage";
import { eventDedupeKey, firingIdOf } from "@procedo/storage";
import { ProcedoError } from "@procedo/contract";
import type { SqliteContext } from "./context.ts";
import type { SqliteFirings } from "./sqlite-firings.ts";
import { prepare, prepareTuple } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** The events that triggers take, within a write. */
export interface SqliteEvents {
  take(turn: WriteTurn, batch: EventBatch): "backlog" | readonly TakeResult[];
  /** Stores a custom event of a run with its firings, if a trigger takes it. @returns the number of firings */
  emit(scope: number, event: NewEvent): number;
  /** Stores an event that no later one is compared with. @returns its number */
  add(scope: number, event: EventFacts & EventContent): number;
}

interface NewEventRow extends EventFacts, EventContent {
  readonly scope: number;
  readonly source: string;
  readonly dedupeKey: string | null;
  readonly knownForMs: number;
  readonly chainDepth: number;
}

export function sqliteEvents({ db, now, scopes }: SqliteContext, firings: SqliteFirings): SqliteEvents {
  const selectTakers = prepareTuple<[triggerId: string]>(
    db,
    // CROSS JOIN keeps the order: SQLite would read the keys of all triggers first.
    `SELECT DISTINCT records.id FROM json_each(?) AS wanted
       CROSS JOIN record_keys ON record_keys.kind = 'trigger' AND record_key = wanted.value
       CROSS JOIN records USING (record)
      WHERE workspace = ? AND environment = ? ORDER BY records.id`,
  );
  const selectSame = prepareTuple<[event: number, knownUntilMs: number]>(
    db,
    "SELECT event, known_until_ms FROM events WHERE scope = ? AND source = ? AND dedupe_key = ?",
  );
  const countDuplicate = prepare(db, "UPDATE events SET duplicates = duplicates + 1 WHERE event = ?");
  const forget = prepare(db, "UPDATE events SET dedupe_key = NULL WHERE event = ?");
  const insertEvent = prepare(
    db,
    `INSERT INTO events (scope, source, dedupe_key, known_until_ms, event_id, type, digest, received_at_ms, chain_depth)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertContent = prepare(
    db,
    "INSERT INTO event_contents (event, scope, received_at_ms, body, headers) VALUES (?, ?, ?, ?, ?)",
  );

  const takersOf = (scope: number, keys: readonly string[]): readonly string[] => {
    const { workspace, environment } = scopes.get(scope);
    return selectTakers.all(JSON.stringify(keys), workspace, environment).map(([triggerId]) => triggerId);
  };

  function insert({ scope, source, dedupeKey, knownForMs, chainDepth, ...of }: NewEventRow): number {
    const atMs = now();
    const { id, type, digest, body, headers = null } = of;
    const facts = [id, type, digest, atMs, chainDepth];
    const event = Number(insertEvent.run(scope, source, dedupeKey, atMs + knownForMs, ...facts).lastInsertRowid);
    insertContent.run(event, scope, atMs, body, headers);
    return event;
  }

  function takeOne(scope: number, source: string, event: IncomingEvent): TakeResult {
    const { keys, dedupeKey, dedupeForMs, occurredAtMs, skip } = event;
    const [same, knownUntilMs = 0] = selectSame.get(scope, source, dedupeKey) ?? [];
    if (same !== undefined && knownUntilMs > now()) {
      countDuplicate.run(same);
      return { status: "known" };
    }
    const takers = takersOf(scope, keys);
    if (takers.length === 0) return { status: "untaken" };
    if (same !== undefined) forget.run(same);
    const number = insert({ ...event, scope, source, knownForMs: dedupeForMs, chainDepth: 0 });
    const key = eventDedupeKey(source, dedupeKey, now());
    const skipped = skip === undefined ? undefined : { reason: skip, count: 1 };
    for (const triggerId of takers) {
      firings.add({ scope, triggerId, firingId: firingIdOf(triggerId, key), event: number, occurredAtMs, skipped });
    }
    return { status: "taken", firings: takers.length };
  }

  /** Whether a trigger that would get a pending firing is full. */
  function isRefused({ scope, source, events, maxBacklog }: EventBatch): boolean {
    const number = scopes.find(scope);
    if (number === undefined) return false;
    const judged = new Map<string, boolean>();
    const isFull = (triggerId: string): boolean => {
      const answer = judged.get(triggerId) ?? firings.hasBacklog(number, triggerId, maxBacklog);
      judged.set(triggerId, answer);
      return answer;
    };
    return events.some(({ skip, dedupeKey, keys }) => {
      if (skip !== undefined) return false;
      const isKnown = (selectSame.get(number, source, dedupeKey)?.[1] ?? 0) > now();
      return !isKnown && takersOf(number, keys).some(isFull);
    });
  }

  return {
    take(turn, batch) {
      if (isRefused(batch)) return "backlog";
      const scope = scopes.intern(batch.scope);
      const results = batch.events.map((event) => takeOne(scope, batch.source, event));
      if (results.some(({ status }) => status === "taken")) turn.announce({ type: "fireable" });
      return results;
    },

    emit(scope, { eventId: id, event: type, createdAtMs, fires }) {
      const takers = fires === undefined ? [] : takersOf(scope, fires.keys);
      if (fires === undefined || takers.length === 0) return 0;
      const { body, digest, chainDepth } = fires;
      const source = "procedures";
      const content = { id, type, digest, body, headers: undefined };
      const event = insert({ ...content, scope, source, dedupeKey: null, knownForMs: 0, chainDepth });
      const key = eventDedupeKey(source, id, now());
      for (const triggerId of takers) {
        const firingId = firingIdOf(triggerId, key);
        const isStored = firings.add({ scope, triggerId, firingId, event, occurredAtMs: createdAtMs });
        if (!isStored) throw new ProcedoError("internal", `Event "${id}" exists already.`);
      }
      return takers.length;
    },

    add: (scope, event) => insert({ ...event, scope, source: "manual", dedupeKey: null, knownForMs: 0, chainDepth: 0 }),
  };
}
