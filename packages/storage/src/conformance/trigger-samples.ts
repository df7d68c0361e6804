import type { Scope } from "../scope.ts";
import type { Storage } from "../storage.ts";
import { triggerEventKey } from "../incoming-events.ts";
import type { TriggerGate } from "../triggers.ts";
import type { AddedFiring, ClaimedFiring, FiringClaim, FiringRow, FiringSettlement } from "../firings.ts";
import type { EventBatch, IncomingEvent, TakeResult } from "../incoming-events.ts";
import type { ScheduleAdvance, TriggerState } from "../triggers.ts";
import type { NewRecord, PutResult } from "../records.ts";
import type { NewEvent } from "../new-event.ts";
import type { RunCommit, RunPlace } from "../runs.ts";
import { event, firstRow, hot, record, sandbox, workspace } from "./samples.ts";

export const leaseMs = 1_000;

/** The origin of the events that {@link incoming} makes. */
export const source = "con-1";

/** The record of a trigger that takes the events of {@link incoming}. */
export function trigger(
  id: string,
  gate: Partial<TriggerGate> = {},
  { scope = sandbox, ...changes }: Partial<NewRecord> & { readonly scope?: Scope } = {},
): NewRecord {
  return record(id, {
    ...scope,
    kind: "trigger",
    keys: [triggerEventKey(scope, source, "payment")],
    trigger: { overlap: "allow", maxOpenRuns: undefined, isHeld: false, schedule: undefined, ...gate },
    ...changes,
  });
}

/** Stores a trigger, in place of the one with its id. */
export async function put(storage: Storage, written: NewRecord): Promise<PutResult> {
  const stored = await storage.records.get(written);
  return storage.records.put({ record: written, ifRevision: stored?.revision ?? 0 });
}

/** An event that the triggers of its scope take. */
export function incoming(
  id: string,
  { scope = sandbox, ...changes }: Partial<IncomingEvent> & { readonly scope?: Scope } = {},
): IncomingEvent {
  return {
    keys: [triggerEventKey(scope, source, "payment")],
    id,
    type: "payment",
    digest: `digest-${id}`,
    body: `{"id":"${id}"}`,
    headers: undefined,
    dedupeKey: id,
    dedupeForMs: 100_000,
    occurredAtMs: undefined,
    ...changes,
  };
}

export function take(
  storage: Storage,
  events: readonly IncomingEvent[],
  changes: Partial<Omit<EventBatch, "events">> = {},
): Promise<"backlog" | readonly TakeResult[]> {
  return storage.triggers.take({ scope: sandbox, source, maxBacklog: 1_000, ...changes, events });
}

/** Takes an event with each of these ids, one after another, so that their firings have this order. */
export async function takeEach(storage: Storage, ids: readonly string[], scope: Scope = sandbox): Promise<void> {
  for (const id of ids) await take(storage, [incoming(id, { scope })], { scope });
}

export function claim(
  storage: Storage,
  {
    limit = 100,
    limits = { sandbox: limit, live: limit },
    of = workspace,
    forMs = leaseMs,
  }: { limit?: number; limits?: { readonly sandbox: number; readonly live: number }; of?: string; forMs?: number } = {},
): Promise<FiringClaim> {
  return storage.triggers.claim({ workspace: of, limits, leaseMs: forMs });
}

/** The ids of the events of claimed firings, in their order. */
export async function claimEvents(storage: Storage, request: Parameters<typeof claim>[1] = {}): Promise<unknown> {
  return (await claim(storage, request)).firings.map(({ event }) => event?.id);
}

export async function claimOne(storage: Storage): Promise<ClaimedFiring> {
  const [firing] = (await claim(storage, { limit: 1 })).firings;
  if (firing === undefined) throw new Error("No firing is due.");
  return firing;
}

/** The part of a claim by which its holder settles it. */
type Held = Pick<ClaimedFiring, "scope" | "firingId" | "epoch">;

export function skipped({ scope, firingId, epoch }: Held, reason = "filtered"): FiringSettlement {
  return { scope, firingId, epoch, next: { status: "skipped", reason } };
}

export function failed({ scope, firingId, epoch }: Held): FiringSettlement {
  return { scope, firingId, epoch, next: { status: "failed", reason: "input_invalid", error: '{"code":"x"}' } };
}

export function returned({ scope, firingId, epoch }: Held, afterMs: number): FiringSettlement {
  return { scope, firingId, epoch, next: { status: "pending", afterMs } };
}

/** The commit that starts the run of a claimed firing. */
export function starting(
  { scope, triggerId, firingId, epoch }: Held & Pick<ClaimedFiring, "triggerId">,
  runId: string,
  then: RunPlace = hot,
): RunCommit {
  const body = JSON.stringify({ kind: "integration", triggerId, firingId });
  return firstRow(runId, {
    scope,
    then,
    create: { trigger: { triggerId, body }, firing: { triggerId, firingId, epoch } },
  });
}

/** An emitted event that triggers of {@link incoming} take. */
export function emitted(eventId: string, changes: Partial<NonNullable<NewEvent["fires"]>> = {}): NewEvent {
  const keys = [triggerEventKey(sandbox, source, "payment")];
  const fires = { keys, body: `{"emitted":"${eventId}"}`, digest: `digest-${eventId}`, chainDepth: 2, ...changes };
  return event(eventId, { event: "custom.paid", fires });
}

export function advance(triggerId: string, changes: Partial<ScheduleAdvance>): ScheduleAdvance {
  const next = { accountedAtMs: 0, dueAtMs: undefined };
  return { scope: sandbox, triggerId, revision: 1, dueAtMs: undefined, firings: [], next, ...changes };
}

export function asked(dedupeKey: string, changes: Partial<AddedFiring> = {}): AddedFiring {
  return { dedupeKey, requestedBy: "ada", ...changes };
}

/** The firings of a trigger, the oldest first. */
export async function firingsOf(
  storage: Storage,
  triggerId: string,
  scope: Scope = sandbox,
): Promise<readonly FiringRow[]> {
  const { items } = await storage.triggers.list({ scope, triggerId, limit: 1_000 });
  return [...items].reverse();
}

/** The events of the firings of a trigger, each with its status or reason, the oldest first. */
export async function outcomes(
  storage: Storage,
  triggerId: string,
  scope: Scope = sandbox,
): Promise<readonly string[]> {
  const firings = await firingsOf(storage, triggerId, scope);
  return firings.map(({ event, status, reason }) => `${event?.id ?? "none"}: ${reason ?? status}`);
}

export async function stateOf(
  storage: Storage,
  triggerId: string,
  scope: Scope = sandbox,
): Promise<TriggerState | undefined> {
  return (await storage.triggers.states({ scope, triggerIds: [triggerId] }))[0];
}
