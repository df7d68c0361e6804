import type { Environment } from "@procedo/contract";
import type { AuditEntry } from "./audit.ts";
import type { EventBatch, EventContent, TakeResult } from "./incoming-events.ts";
import type { AddedFiring, FiringClaim, FiringQuery, FiringRow, FiringSettlement } from "./firings.ts";
import type { Page, PageRequest, Scope } from "./scope.ts";

/**
 * Incoming events, the schedules of triggers, and their firings.
 *
 * A **trigger** is a record of kind `trigger` with a {@link TriggerGate}. An **event** is stored once. A **firing** is
 * one occurrence for one trigger: an event that it takes, a time of its schedule, or the request of a person. A firing
 * is `pending` until it is claimed and settled. It ends as `started` by the commit that creates its run
 * (`RunCreation.firing`), as `skipped` or as `failed`. A firing that its trigger's gate holds back is `waiting`, and is
 * claimed as soon as the gate lets it pass.
 *
 * A firing is **open** while its run has not ended.
 */
export interface TriggerStore {
  /**
   * Stores events and their firings, in one transaction: either all of the batch is stored or none of it. MUST be
   * durable when it is answered.
   *
   * - Each event MUST get one pending firing for each trigger of its scope that holds at least one of its keys
   *   (`skip` makes the firing `skipped`), under the dedupe key `eventDedupeKey`. The firings of an event are stored in the order of
   *   their triggers' ids.
   * - `known`: an event of the same scope, source and dedupe key was stored, also earlier in this batch, and its
   *   `dedupeForMs` has not passed since. Nothing is stored but the number of duplicates.
   * - `untaken`: no trigger holds a key of it. Nothing is stored.
   * - The whole batch MUST be answered `backlog`, and nothing stored, when a trigger for which it would store a pending
   *   firing has `maxBacklog` pending or waiting firings already. The bound is soft: firings of the batch itself, and of
   *   batches that are taken at the same time, MAY exceed it.
   *
   * Storage SHOULD make concurrent batches durable together.
   */
  take(batch: EventBatch): Promise<"backlog" | readonly TakeResult[]>;

  /**
   * Schedules whose due time is at or before `beforeMs`, by default the time of storage's clock; the earliest first.
   * `nextDueAtMs` is the earliest due time after it. Reads only.
   */
  due(request: {
    readonly workspace: string;
    readonly limit: number;
    readonly beforeMs?: number;
  }): Promise<DueSchedules>;

  /**
   * Accounts for times of a schedule: stores their firings and sets the next due time, in one transaction.
   *
   * - MUST be answered `stale`, and change nothing, unless the trigger's record has `revision` and its schedule has
   *   `dueAtMs`.
   * - A firing whose dedupe key the trigger has already MUST be left out: its time was accounted for
   *   (`scheduledDedupeKey`).
   * - MUST NOT change the revision of the record, and announces no `record_changed`.
   */
  advance(items: readonly ScheduleAdvance[]): Promise<readonly ("advanced" | "stale")[]>;

  /**
   * Adds firings of one trigger: those that a person asked for, and times of a backfill. `known` for a dedupe key that
   * the trigger has already; then nothing is stored for it. `not_found` when the trigger or `refireOf` does not exist.
   */
  add(request: {
    readonly scope: Scope;
    readonly triggerId: string;
    readonly firings: readonly AddedFiring[];
  }): Promise<readonly { readonly status: "added" | "known" | "not_found"; readonly firingId: string }[]>;

  /**
   * Leases pending and waiting firings that are due to a worker, in both environments.
   *
   * - A firing MUST be claimed by one worker only, under an epoch larger than any before. Its lease ends after
   *   `leaseMs`; then it can be claimed again.
   * - At most `limits[environment]` firings of an environment MUST be claimed. Triggers of an environment MUST take turns, so that a
   *   backlog of one trigger does not delay another. Of one trigger, the oldest firing comes first.
   * - The gate of a trigger MUST be judged under a lock of the gate:
   *   - a firing with `requestedBy` passes every gate;
   *   - `isHeld`: none passes, and all are `waiting`;
   *   - `allow`: all pass, or as many as keep leased and open firings within `maxOpenRuns`; the others are `waiting`;
   *   - otherwise, while a firing of the trigger is leased, none passes: whether it starts a run is not known yet. While
   *     one is open, `skip` MUST settle all others as `skipped` for `overlap`; `queue_one` MUST settle all but the newest
   *     as `skipped` for `superseded`, and the newest is `waiting`; `queue` makes all `waiting`. With none leased or
   *     open, the oldest passes; with `queue_one` the newest, and older ones are superseded. A firing that passes is
   *     claimed when it is due.
   *   `judgeGate` is this rule.
   * - Fewer MAY be claimed while another transaction holds a gate or a firing.
   * - `nextDueAtMs` MUST be the earliest time, after now, at which a firing of this workspace becomes due that was pending
   *   or waiting before this claim: the end of its lease, or of the time for which it was given back. If due firings
   *   were left to another transaction, it MUST be now. So no firing becomes claimable before it without another write,
   *   apart from those that this claim returns and those beyond its limits.
   */
  claim(request: {
    readonly workspace: string;
    /** Per environment, 0 or more. */
    readonly limits: Readonly<Record<Environment, number>>;
    readonly leaseMs: number;
  }): Promise<FiringClaim>;

  /**
   * Ends claimed firings without a run, or gives them back.
   *
   * - An item MUST be answered `fenced`, and change nothing, unless its firing is claimed under its epoch.
   * - A firing that is given back MUST be due `afterMs` later, by storage's clock.
   * - MUST be durable when it is answered `settled`.
   */
  settle(items: readonly FiringSettlement[]): Promise<readonly ("settled" | "fenced")[]>;

  /**
   * Ends pending and waiting firings of a scope as `skipped`, including claimed ones. In a database that was restored
   * from a copy, their runs may have been started since the copy was made.
   *
   * - At most `limit` firings MUST be ended, so that the transaction is short; fewer only when no more are pending or
   *   waiting.
   * - A worker that has claimed one MUST be fenced. The content of its event stays, so that it MAY be fired again by
   *   `add`.
   * - The change and the audit entry MUST be one transaction.
   */
  endPending(request: {
    readonly scope: Scope;
    /** Why no run starts. */
    readonly reason: string;
    readonly limit: number;
    readonly audit?: AuditEntry;
  }): Promise<{ readonly status: "ended"; readonly firings: number } | { readonly status: "audit_behind" }>;

  /**
   * The firings of a trigger, newest first, also of a removed one.
   *
   * - A page MUST examine at most `maxExamined` rows of the list. It may therefore be short or even empty, and still
   *   have a `nextCursor`.
   * - A cursor of another scope or query MUST be refused with `invalid_cursor`.
   */
  list(request: FiringQuery & PageRequest): Promise<Page<FiringRow>>;

  /** A firing with its event's content; `undefined` when the trigger has none with this id. */
  get(request: {
    readonly scope: Scope;
    readonly triggerId: string;
    readonly firingId: string;
  }): Promise<(FiringRow & { readonly content: EventContent | undefined }) | undefined>;

  /** The state of these triggers, in any order. One without a gate is left out. */
  states(request: { readonly scope: Scope; readonly triggerIds: readonly string[] }): Promise<readonly TriggerState[]>;

  /**
   * Removes the contents of events that are older than `contentsOlderThanMs`, and ended firings, with events that no
   * firing refers to any more, that are older than `firingsOlderThanMs`.
   *
   * - Ages MUST be judged by storage's clock, which wrote the times of the rows.
   * - Firings that are pending, waiting or open MUST stay, and so MUST the content of the event of a pending or waiting
   *   firing, and an event within its `dedupeForMs`.
   *
   * @returns the number of removed contents and rows, at most `limit` of each
   */
  removeExpired(request: {
    readonly scope: Scope;
    /** In milliseconds, like the other age. */
    readonly contentsOlderThanMs: number;
    readonly firingsOlderThanMs: number;
    readonly limit: number;
  }): Promise<number>;
}

/** How firings of a trigger that overlap with an open one are treated. */
export type Overlap = "skip" | "queue_one" | "queue" | "allow";

/**
 * What storage itself has to know of a trigger. It is stored with the trigger's record (`NewRecord.trigger`), in one
 * transaction, and removed with it. Removing it MUST settle its pending and waiting firings as `skipped` for `deleted`.
 */
export interface TriggerGate {
  /** How overlapping firings are treated. */
  readonly overlap: Overlap;
  /** For `allow`: how many may be open at a time; `undefined` for no bound. */
  readonly maxOpenRuns: number | undefined;
  /** Whether firings wait until the trigger is resumed. */
  readonly isHeld: boolean;
  /** `kept`: as it is stored. `undefined`: the trigger has no schedule. */
  readonly schedule: ScheduleState | "kept" | undefined;
}

/** The place of a schedule in time, in milliseconds since the epoch. */
export interface ScheduleState {
  /** Every nominal time up to this one is accounted for. */
  readonly accountedAtMs: number;
  /** The next nominal time with its spread; `undefined` while the schedule is paused or over. */
  readonly dueAtMs: number | undefined;
}

/** Due schedules, and the time of the next one. */
export interface DueSchedules {
  /** Storage's clock, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** The earliest first. */
  readonly schedules: readonly DueSchedule[];
  /** The earliest due time after these; `undefined` if there is none. */
  readonly nextDueAtMs: number | undefined;
}

export interface DueSchedule extends ScheduleState {
  /** The workspace and environment of the trigger. */
  readonly scope: Scope;
  /** The trigger of the schedule. */
  readonly triggerId: string;
  /** Of the trigger's record. */
  readonly revision: number;
  readonly dueAtMs: number;
}

/** Times of one schedule that are accounted for. */
export interface ScheduleAdvance {
  /** The workspace and environment of the trigger. */
  readonly scope: Scope;
  /** The trigger of the schedule. */
  readonly triggerId: string;
  /** Of the record that was read. */
  readonly revision: number;
  /** The due time that was read; `undefined` for a schedule that has none. */
  readonly dueAtMs: number | undefined;
  /** The firings of the times, in their order. */
  readonly firings: readonly ScheduledFiring[];
  /** The state after it. */
  readonly next: ScheduleState;
}

/** The firing of a nominal time, or one for several that are skipped. Its dedupe key is that of `scheduledDedupeKey`. */
export interface ScheduledFiring {
  /** The nominal time; of several, the last one. */
  readonly scheduledAtMs: number;
  /** Skipped times have a reason; the others are pending. */
  readonly skipped?: {
    /** Why no run starts. */
    readonly reason: "missed" | "paused" | "restored";
    /** Number of the times. */
    readonly count: number;
  };
}

/** The state of a trigger. */
export interface TriggerState {
  /** Identifier of the trigger. */
  readonly triggerId: string;
  /** `undefined` for a trigger without a schedule. */
  readonly schedule: ScheduleState | undefined;
  /** Time of the creation of its newest firing. */
  readonly lastFiringAtMs: number | undefined;
  /** Number of pending and waiting firings, counted up to 1,000. */
  readonly waiting: number;
  /**
   * How many of its newest firings failed, or had a failed run, without one in between whose run completed; at most 100.
   * Skipped firings and open runs do not count.
   */
  readonly consecutiveFailures: number;
}
