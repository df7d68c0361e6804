import type { AuditEntry } from "../audit.ts";
import type { ChangeFeed } from "../change-feed.ts";
import type { DeliveryAttempt, DeliveryRow } from "../deliveries.ts";
import type { NewVersion } from "../procedures.ts";
import type { KnownReservation } from "../reservations.ts";
import type { RecordRow, RecordUse } from "../records.ts";
import type { RunStub } from "../retention.ts";
import type { RunStatus } from "../run-query.ts";
import type { NewReview } from "../new-review.ts";
import type { JournalRow, RunCreation } from "../runs.ts";
import type { ReviewStatus } from "../reviews.ts";
import type { SessionRow, SignInFailures } from "../sessions.ts";
import type { NewInvocation } from "../new-invocation.ts";
import type { ClientPresence, InvocationStatus } from "../invocations.ts";
import type { Scope } from "../scope.ts";
import type { FiringRow } from "../firings.ts";
import type { EventContent, EventFacts } from "../incoming-events.ts";
import type { TriggerGate, TriggerState } from "../triggers.ts";

/** The data that the in-memory stores share. A method reads and changes it in one synchronous step. */
export interface MemoryState {
  readonly now: () => number;
  readonly feed: ChangeFeed;

  readonly runs: Map<string, MemoryRun>;
  /** Runs that have not ended: the queue. */
  readonly open: Set<MemoryRun>;
  /** By scope, procedure and key. */
  readonly idempotency: Map<string, HeldKey>;
  readonly reviews: Map<string, MemoryReview>;
  /** First decision of each idempotency key, by workspace, environment and key. */
  readonly decisionKeys: Map<string, { readonly runId: string; readonly body: string }>;
  /** End of each worker's lease. */
  readonly leases: Map<string, number>;
  /** The latest time of a heartbeat. */
  latestBeatMs: number;
  readonly invocations: Map<string, MemoryInvocation>;
  /** Invocations that a lease or its end may still change, in order of creation. */
  readonly pendingInvocations: Set<MemoryInvocation>;
  /** By scope, connection, manifest and id. */
  readonly clients: Map<string, MemoryClient>;
  /** By scope and name. */
  readonly budgets: Map<string, MemoryBudget>;
  /** By scope and key. */
  readonly reservations: Map<string, MemoryReservation>;
  readonly deliveries: Map<string, MemoryDelivery>;
  /** Deliveries that have not ended: the queue. */
  readonly pendingDeliveries: Set<MemoryDelivery>;
  /** When each webhook started to fail, by the key of its record. */
  readonly failing: Map<string, number>;
  /** Events that triggers took. */
  readonly events: Set<MemoryEvent>;
  /** The latest event of each dedupe key, by scope, source and key. */
  readonly knownEvents: Map<string, MemoryEvent>;
  /** By scope and id. */
  readonly firings: Map<string, MemoryFiring>;
  /** By scope and trigger, in order of creation. */
  readonly firingsOfTriggers: Map<string, Set<MemoryFiring>>;
  /** Firings that are pending or waiting, in order of creation: the queue. */
  readonly queuedFirings: Set<MemoryFiring>;
  /** Firings that started a run, unless it was found ended. */
  readonly openFirings: Set<MemoryFiring>;
  /** By scope and trigger. */
  readonly gates: Map<string, MemoryGate>;
  /** By workspace and procedure. */
  readonly procedures: Map<string, MemoryProcedure>;
  /** By workspace, kind and id. */
  readonly records: Map<string, RecordRow>;
  readonly recordUses: Map<string, RecordUse>;
  /** By digest. */
  readonly sessions: Map<string, SessionRow>;
  /** By key. */
  readonly signInFailures: Map<string, SignInFailures>;
  /** By workspace. */
  readonly audit: Map<string, AuditEntry[]>;
  /** 1, 2, 3 …: the order of creation of runs, reviews, invocations, deliveries and firings. Numbers are not reused. */
  readonly nextNumber: () => number;
}

export interface HeldKey {
  readonly run: MemoryRun;
  readonly digest: string;
  readonly expiresAtMs: number;
}

export interface MemoryRun {
  /** Order of creation. */
  readonly number: number;
  readonly scope: Scope;
  readonly runId: string;
  readonly creation: RunCreation;
  readonly journal: JournalRow[];
  /** In order of arrival, consumed ones included. */
  readonly inbox: Map<string, { readonly body: string; consumed: boolean }>;
  epoch: number;
  status: RunStatus;
  place: MemoryPlace;
  openReview: MemoryReview | undefined;
  /** Set when the run is archived. The journal is then empty. */
  stub: RunStub | undefined;
}

export type MemoryPlace =
  | { readonly kind: "hot"; readonly workerId: string }
  | { readonly kind: "parked"; readonly wakeAtMs: number | undefined; readonly waitsFor?: string | undefined }
  | {
      readonly kind: "ended";
      readonly endedAtMs: number;
      readonly error: string | undefined;
      readonly output: string | undefined;
    };

export interface MemoryReview {
  /** Order of opening. */
  readonly number: number;
  readonly run: MemoryRun;
  readonly review: NewReview;
  readonly decisions: { readonly person: string; readonly body: string }[];
  status: ReviewStatus;
  closedAtMs: number | undefined;
}

export interface MemoryInvocation {
  /** Order of creation. */
  readonly number: number;
  readonly run: MemoryRun;
  readonly invocation: NewInvocation;
  readonly createdAtMs: number;
  status: InvocationStatus;
  /** The last lease. */
  lease: { readonly token: string; readonly endsAtMs: number } | undefined;
}

export interface MemoryClient extends ClientPresence {
  readonly scope: Scope;
  readonly connectionId: string;
}

export interface MemoryBudget {
  readonly scope: Scope;
  taken: number;
  /** Number of stored reservations of this budget, including settled ones. */
  reservations: number;
  reservedAtMs: number;
}

export interface MemoryReservation extends KnownReservation {
  /** The run that reserved the key, or that settled it without a reservation. */
  readonly run: MemoryRun;
}

export interface MemoryDelivery {
  /** Order of creation. */
  readonly number: number;
  readonly scope: Scope;
  row: DeliveryRow;
  epoch: number;
  claimed: boolean;
  manual: boolean;
  /** Used places of the schedule. */
  placesUsed: number;
  resentAtMs: number | undefined;
  /** By epoch. */
  readonly attempts: Map<number, DeliveryAttempt>;
}

export interface MemoryEvent {
  readonly scope: Scope;
  readonly facts: EventFacts;
  /** `undefined` after retention removed it. */
  content: EventContent | undefined;
  readonly receivedAtMs: number;
  /** The end of the time in which the same event is known. */
  readonly knownUntilMs: number;
  readonly chainDepth: number;
  duplicates: number;
}

export interface MemoryFiring
  extends
    Pick<FiringRow, "scope" | "triggerId" | "firingId" | "requestedBy" | "count" | "refireOf">,
    Pick<FiringRow, "scheduledAtMs" | "occurredAtMs" | "receivedAtMs"> {
  /** Order of creation. */
  readonly number: number;
  readonly event: MemoryEvent | undefined;
  status: FiringRow["status"];
  reason: string | undefined;
  error: string | undefined;
  /** When it is due or, while it is claimed, when the lease ends. */
  dueAtMs: number;
  epoch: number;
  isClaimed: boolean;
  /** The run that it started. */
  run: MemoryRun | undefined;
}

export interface MemoryGate extends Omit<TriggerGate, "schedule"> {
  readonly scope: Scope;
  readonly triggerId: string;
  schedule: TriggerState["schedule"];
}

export interface MemoryProcedure {
  readonly workspace: string;
  readonly procedureId: string;
  /** Oldest first. */
  readonly versions: NewVersion[];
  defaults: { readonly sandbox?: string; readonly live?: string };
}

export function createMemoryState(now: () => number, feed: ChangeFeed): MemoryState {
  let numbers = 0;
  return {
    now,
    feed,
    nextNumber: () => ++numbers,
    runs: new Map(),
    open: new Set(),
    idempotency: new Map(),
    reviews: new Map(),
    decisionKeys: new Map(),
    leases: new Map(),
    latestBeatMs: -Infinity,
    invocations: new Map(),
    pendingInvocations: new Set(),
    clients: new Map(),
    budgets: new Map(),
    reservations: new Map(),
    deliveries: new Map(),
    pendingDeliveries: new Set(),
    failing: new Map(),
    events: new Set(),
    knownEvents: new Map(),
    firings: new Map(),
    firingsOfTriggers: new Map(),
    queuedFirings: new Set(),
    openFirings: new Set(),
    gates: new Map(),
    procedures: new Map(),
    records: new Map(),
    recordUses: new Map(),
    sessions: new Map(),
    signInFailures: new Map(),
    audit: new Map(),
  };
}

/** An unambiguous map key of several texts. */
export function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

export function idempotencyKeyOf({ workspace, environment }: Scope, procedureId: string, key: string): string {
  return keyOf(workspace, environment, procedureId, key);
}

export function sameScope(a: Scope, b: Scope): boolean {
  return a.workspace === b.workspace && a.environment === b.environment;
}

export function findRun(state: MemoryState, scope: Scope, runId: string): MemoryRun | undefined {
  const run = state.runs.get(runId);
  return run !== undefined && sameScope(run.scope, scope) ? run : undefined;
}
