import { ProcedoError } from "@procedo/contract";
import { eventDedupeKey, firingIdOf } from "../firing-id.ts";
import type { RunCommit } from "../runs.ts";
import type { Scope } from "../scope.ts";
import type { EventBatch, EventContent, EventFacts, IncomingEvent, TakeResult } from "../incoming-events.ts";
import { addFiring, findFiring, queuedOf } from "./memory-firings.ts";
import { keyOf, type MemoryEvent, type MemoryState } from "./state.ts";

/** Stores the events of a batch with their firings: all of them or none. */
export function takeBatch(
  state: MemoryState,
  { scope, source, events, maxBacklog }: EventBatch,
): "backlog" | readonly TakeResult[] {
  const isFull = (triggerId: string): boolean => queuedOf(state, scope, triggerId).length >= maxBacklog;
  const isRefused = (event: IncomingEvent): boolean =>
    event.skip === undefined &&
    knownEvent(state, scope, source, event.dedupeKey) === undefined &&
    takersOf(state, scope, event.keys).some(isFull);
  if (events.some(isRefused)) return "backlog";
  const results = events.map((event) => takeOne(state, scope, source, event));
  if (results.some(({ status }) => status === "taken")) state.feed.emit({ type: "fireable" });
  return results;
}

function takeOne(state: MemoryState, scope: Scope, source: string, event: IncomingEvent): TakeResult {
  const { keys, dedupeKey, dedupeForMs, occurredAtMs, skip } = event;
  const known = knownEvent(state, scope, source, dedupeKey);
  if (known !== undefined) {
    known.duplicates += 1;
    return { status: "known" };
  }
  const takers = takersOf(state, scope, keys);
  if (takers.length === 0) return { status: "untaken" };
  const receivedAtMs = state.now();
  const stored = addEvent(state, scope, event, { receivedAtMs, knownUntilMs: receivedAtMs + dedupeForMs });
  state.knownEvents.set(keyOf(scope.workspace, scope.environment, source, dedupeKey), stored);
  for (const triggerId of takers) {
    const firingId = firingIdOf(triggerId, eventDedupeKey(source, dedupeKey, receivedAtMs));
    const skipped = skip === undefined ? undefined : { reason: skip, count: 1 };
    addFiring(state, { scope, triggerId, firingId, event: stored, occurredAtMs, skipped });
  }
  return { status: "taken", firings: takers.length };
}

function knownEvent(state: MemoryState, scope: Scope, source: string, dedupeKey: string): MemoryEvent | undefined {
  const event = state.knownEvents.get(keyOf(scope.workspace, scope.environment, source, dedupeKey));
  return event !== undefined && event.knownUntilMs > state.now() ? event : undefined;
}

export function addEvent(
  state: MemoryState,
  scope: Scope,
  { id, type, digest, body, headers }: EventFacts & EventContent,
  times: { readonly receivedAtMs: number; readonly knownUntilMs: number; readonly chainDepth?: number },
): MemoryEvent {
  const event = {
    ...{ scope, facts: { id, type, digest }, content: { body, headers }, duplicates: 0, chainDepth: 0 },
    ...times,
  };
  state.events.add(event);
  return event;
}

/** A custom event, and the triggers that take it. */
interface Emitted {
  readonly event: EventFacts & EventContent;
  readonly occurredAtMs: number;
  readonly chainDepth: number;
  readonly firings: readonly { readonly triggerId: string; readonly firingId: string }[];
}

/**
 * The custom events of a row that triggers take.
 *
 * @throws ProcedoError `internal` when one of them was stored already
 */
export function emittedBy(state: MemoryState, { scope, events = [] }: RunCommit): readonly Emitted[] {
  const seen = new Set<string>();
  return events.flatMap(({ eventId, event: type, createdAtMs, fires }) => {
    const takers = fires === undefined ? [] : takersOf(state, scope, fires.keys);
    if (fires === undefined || takers.length === 0) return [];
    const dedupeKey = eventDedupeKey("procedures", eventId, state.now());
    const firings = takers.map((triggerId) => ({ triggerId, firingId: firingIdOf(triggerId, dedupeKey) }));
    for (const { firingId } of firings) {
      if (seen.has(firingId) || findFiring(state, scope, firingId) !== undefined) {
        throw new ProcedoError("internal", `Event "${eventId}" exists already.`);
      }
      seen.add(firingId);
    }
    const event = { id: eventId, type, digest: fires.digest, body: fires.body, headers: undefined };
    return [{ event, occurredAtMs: createdAtMs, chainDepth: fires.chainDepth, firings }];
  });
}

export function fireEmitted(state: MemoryState, scope: Scope, emitted: readonly Emitted[]): void {
  const receivedAtMs = state.now();
  for (const { event, occurredAtMs, chainDepth, firings } of emitted) {
    const stored = addEvent(state, scope, event, { receivedAtMs, knownUntilMs: receivedAtMs, chainDepth });
    for (const firing of firings) addFiring(state, { scope, ...firing, event: stored, occurredAtMs });
  }
  if (emitted.length > 0) state.feed.emit({ type: "fireable" });
}

/** The triggers of a scope that hold one of the keys, sorted by id. */
function takersOf(
  { records }: MemoryState,
  { workspace, environment }: Scope,
  keys: readonly string[],
): readonly string[] {
  const takers = [...records.values()].filter(
    (record) =>
      record.kind === "trigger" &&
      record.workspace === workspace &&
      record.environment === environment &&
      record.keys.some((key) => keys.includes(key)),
  );
  return takers.map(({ id }) => id).sort();
}
