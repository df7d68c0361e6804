import type { Environment } from "@procedo/contract";
import type { AuditEntry } from "./audit.ts";
import type { CursorQuery } from "./cursor.ts";
import type { NewEvent } from "./new-event.ts";
import type { Page, PageRequest, Scope } from "./scope.ts";

/**
 * The queue of webhook deliveries. `runs.commit` stores deliveries together with the events that caused them; senders claim
 * those that are due, send them and settle them.
 *
 * A delivery is **pending** until it ends as `delivered`, `failed` or `skipped`. A pending delivery waits until it is due,
 * or is **claimed**: a sender holds it until it settles it, at the latest until the lease ends. A skipped delivery was due
 * while its webhook was inactive, and was not attempted then.
 */
export interface DeliveryStore {
  /**
   * Leases due deliveries of a workspace, of both environments, to a sender.
   *
   * - A delivery is due when its time has come, or when the lease under which it was claimed has ended.
   * - A delivery MUST be claimed by one sender only, under an epoch larger than any before. The claim counts the
   *   attempt and uses its place in the schedule, so that an attempt during which the sender died is counted.
   * - At most `total` deliveries of each environment MUST be claimed.
   * - At most `perWebhook` deliveries of one webhook MUST be claimed at the same time, by all senders together.
   * - Webhooks of an environment MUST take turns: a webhook with fewer claimed deliveries comes before one with more, so
   *   that no backlog keeps others waiting. Of one webhook, the deliveries that have been due longest come first.
   * - Fewer MAY be claimed while another transaction changes a due delivery.
   * - `nextDueAtMs` is the earliest time at which a pending delivery of this workspace becomes due that is not due now.
   */
  claim(request: {
    readonly workspace: string;
    readonly limits: Readonly<Record<Environment, ClaimLimits>>;
    readonly leaseMs: number;
  }): Promise<DeliveryClaim>;

  /**
   * Records the results of claimed deliveries.
   *
   * - All items that are answered `settled` MUST be durable when the promise resolves.
   * - An item whose delivery is not claimed under its epoch MUST be answered `fenced`: another sender has claimed it, or it
   *   was settled before. A fenced item changes nothing but the history of attempts.
   * - An item with an attempt MUST add it to the history, once per epoch. An item without an attempt MUST give back the
   *   attempt that the claim had counted, with its place in the schedule.
   * - An attempt that the sender cut off itself (`cutOff`) MUST give back its place in the schedule, and MUST NOT count for
   *   or against its webhook.
   * - Any other failed attempt (one that has an `error`) MUST mark its webhook as failing unless the attempt is `manual`. An
   *   attempt without an error MUST clear that mark, manual or not. `failingSinceMs` is the time of the first failed attempt
   *   since the mark was last cleared. A mark MUST NOT be stored for a webhook that was removed.
   */
  settle(items: readonly DeliverySettlement[]): Promise<readonly SettleResult[]>;

  /**
   * Stores a delivery without a run, for one webhook, due now and with a single attempt. Its id is the one that a run's
   * delivery of the same event would have.
   *
   * - Delivery and audit entry MUST be one transaction.
   */
  post(request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly event: NewEvent;
    readonly audit?: AuditEntry;
  }): Promise<{ readonly status: "posted"; readonly delivery: DeliveryRow } | { readonly status: "audit_behind" }>;

  /**
   * Sends a delivery again under its id.
   *
   * - A delivery that has ended MUST become pending and due, for one attempt, however many attempts were made before.
   * - A waiting delivery MUST become due. The rest of its schedule stays as it is, unless the request is `manual`. A claimed
   *   delivery is being sent already, and stays as it is.
   * - A request that follows another for the same delivery within `repeatMs` MUST be answered `repeated`, and change
   *   nothing: of many requests at the same time, one causes an attempt.
   * - The change and the audit entry MUST be one transaction.
   */
  resend(request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly deliveryId: string;
    readonly repeatMs: number;
    /** A waiting delivery, too, gets a single attempt in place of its schedule. @defaultValue false */
    readonly manual?: boolean;
    readonly audit?: AuditEntry;
  }): Promise<ResendResult>;

  /**
   * Sends the failed and skipped deliveries of a webhook again, one page at a time, oldest first.
   *
   * - At most `limit` deliveries MUST be examined, so that the transaction is short: those of events at `sinceMs` or later
   *   that follow the `cursor`, ordered by the time of the event and then by the order in which they were stored.
   * - Each of them whose status is one of `statuses` MUST become pending and due, with its whole schedule ahead, however
   *   many attempts were made before. All others MUST stay as they are, and so MUST those that were resent less than
   *   `repeatMs` ago.
   * - Of those that become due, the ones that were stored first MUST be claimed first.
   * - The changes and the audit entry MUST be one transaction. Where nothing changes, the audit entry MUST NOT be stored.
   * - `nextCursor` MUST be answered where more deliveries are left to examine. It is valid with the same webhook and
   *   `sinceMs`.
   */
  resendUndelivered(request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly statuses: readonly UndeliveredStatus[];
    readonly sinceMs: number;
    readonly limit: number;
    readonly cursor?: string;
    readonly repeatMs: number;
    readonly audit?: AuditEntry;
  }): Promise<ResendUndeliveredResult>;

  /**
   * Ends pending deliveries of a scope as failed, including claimed ones. In a database that was restored from a copy,
   * they may have been delivered since the copy was made.
   *
   * - At most `limit` deliveries MUST be ended, so that the transaction is short; fewer only when no more are pending.
   * - Each MUST look like a delivery whose last attempt failed with `error`, and MAY be resent by `resend`. A sender
   *   that has claimed it is fenced. Attempts and webhooks stay as they are.
   * - The change and the audit entry MUST be one transaction.
   */
  endPending(request: {
    readonly scope: Scope;
    readonly error: string;
    readonly limit: number;
    readonly audit?: AuditEntry;
  }): Promise<{ readonly status: "ended"; readonly deliveries: number } | { readonly status: "audit_behind" }>;

  /**
   * Newest first.
   *
   * - A page MUST examine at most `maxExamined` rows of the list. It may therefore be short or even empty, and still
   *   have a `nextCursor`.
   * - A cursor of another scope or query MUST be refused with `invalid_cursor`.
   */
  list(request: DeliveryQuery & PageRequest): Promise<Page<DeliveryRow>>;

  /** A delivery by its id; `undefined` when the webhook has no such delivery in this scope. */
  get(request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly deliveryId: string;
  }): Promise<DeliveryRow | undefined>;

  /** Its attempts, oldest first; empty when there is no such delivery in this scope. */
  attempts(request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly deliveryId: string;
  }): Promise<readonly DeliveryAttempt[]>;

  /**
   * The marks that `settle` has stored for these webhooks, at most 1000, in any order. A webhook that is not failing, or
   * is not in this scope, is left out.
   */
  failing(request: { readonly scope: Scope; readonly webhookIds: readonly string[] }): Promise<readonly FailingMark[]>;
}

/** A webhook that is failing. */
export interface FailingMark {
  /** Identifier of the webhook. */
  readonly webhookId: string;
  /** Time of the first failed attempt since the last accepted one, in milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** The deliveries of a webhook to list. */
export interface DeliveryQuery {
  /** The workspace and environment of the webhook. */
  readonly scope: Scope;
  /** The webhook that receives the deliveries. */
  readonly webhookId: string;
  /** Only deliveries of this status. @defaultValue any status */
  readonly status?: DeliveryStatus;
  /** Only deliveries of this event. @defaultValue any event */
  readonly event?: string;
  /** Only deliveries of events of this run. @defaultValue any run, and tests */
  readonly runId?: string;
  /** Earliest time of the event, inclusive. @defaultValue any time */
  readonly fromMs?: number;
  /** Latest time of the event, exclusive. @defaultValue any time */
  readonly toMs?: number;
}

/** Limits of a claim in one environment. */
export interface ClaimLimits {
  /** 0 or more. */
  readonly total: number;
  /** Claimed deliveries of one webhook at the same time, by all senders: 1 or more. */
  readonly perWebhook: number;
}

/** Status of a delivery that ended without acceptance. */
export type UndeliveredStatus = "failed" | "skipped";

/** Status of a delivery. */
export type DeliveryStatus = "pending" | "delivered" | UndeliveredStatus;

/** A delivery as it is stored. */
export interface DeliveryRow {
  /** Identifier of the delivery: the envelope's `id`. */
  readonly deliveryId: string;
  /** The webhook that receives the event. */
  readonly webhookId: string;
  /** Identifier of the event, common to its deliveries. */
  readonly eventId: string;
  /** `undefined` for a test. */
  readonly runId: string | undefined;
  /** Name of the event. */
  readonly event: string;
  /** Time of the event, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** The envelope's `data`, as JSON text. */
  readonly data: string;
  /** Status of the delivery. */
  readonly status: DeliveryStatus;
  /** Includes an attempt that is under way. */
  readonly attemptCount: number;
  /** The address of the last attempt that was settled. */
  readonly url: string | undefined;
  /** HTTP status of the last answer. */
  readonly responseCode: number | undefined;
  /** Why the last attempt did not deliver it. */
  readonly error: string | undefined;
  /** When a receiver last accepted it, regardless of later attempts. */
  readonly deliveredAtMs: number | undefined;
  /** For a pending delivery: when it is due or, while it is claimed, when the lease ends. */
  readonly dueAtMs: number | undefined;
}

/** All that a sender needs to send a delivery. */
export interface ClaimedDelivery {
  /** The workspace and environment of the delivery. */
  readonly scope: Scope;
  /** Identifier of the delivery: the envelope's `id`. */
  readonly deliveryId: string;
  /** The webhook that receives the event. */
  readonly webhookId: string;
  /** Name of the event. */
  readonly event: string;
  /** Time of the event, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** The envelope's `data`, as JSON text. */
  readonly data: string;
  /** Number of the claim, larger than that of any earlier claim of this delivery. A settlement states it. */
  readonly epoch: number;
  /**
   * This attempt's place in the schedule, from 1. An attempt that the sender cut off takes no place, and the resend of a
   * delivery that had ended starts at 1 again.
   */
  readonly attempt: number;
  /** A person asked for this one attempt: a test or a resend. */
  readonly manual: boolean;
}

/** The claimed deliveries, and the time of the next claim. */
export interface DeliveryClaim {
  /** The claimed deliveries. */
  readonly deliveries: readonly ClaimedDelivery[];
  /**
   * The earliest time at which a further delivery is due, in milliseconds since the epoch; `undefined` if there is
   * none.
   */
  readonly nextDueAtMs: number | undefined;
}

/** The outcome of a claimed delivery. */
export interface DeliverySettlement {
  /** The workspace and environment of the delivery. */
  readonly scope: Scope;
  /** Identifier of the delivery. */
  readonly deliveryId: string;
  /** The epoch of the claim. */
  readonly epoch: number;
  /** Absent when no request was sent. */
  readonly attempt?: NewDeliveryAttempt;
  /** Why it was not delivered. Absent when it was. */
  readonly error?: string;
  /**
   * The sender aborted the attempt, so that the result does not count for or against the receiver. @defaultValue false
   */
  readonly cutOff?: boolean;
  /** The delivery's next status. */
  readonly next:
    | { readonly status: "delivered" }
    | { readonly status: "failed" }
    /** Only for an item without an attempt. */
    | { readonly status: "skipped" }
    /** It will be claimed again. */
    | {
        readonly status: "pending";
        /** When it is due again, in milliseconds since the epoch. */
        readonly dueAtMs: number;
      };
}

/** An attempt to be recorded. */
export interface NewDeliveryAttempt {
  /** The address of the attempt. */
  readonly url: string;
  /** When the answer arrived, or it was certain that none would. */
  readonly atMs: number;
  /** Duration of the attempt, in milliseconds. */
  readonly tookMs: number;
  /** HTTP status of the response; `undefined` without a response. */
  readonly responseCode: number | undefined;
  /** Class of the failure, such as `timeout`; `undefined` without a failure. */
  readonly failure: string | undefined;
  /** Copied from the claim. */
  readonly manual: boolean;
}

/** A recorded attempt of a delivery. */
export interface DeliveryAttempt extends NewDeliveryAttempt {
  /** Why the attempt did not deliver it; `undefined` when it did. */
  readonly error: string | undefined;
}

/** The outcome of settling a delivery. */
export type SettleResult =
  | {
      readonly status: "settled";
      /**
       * When the webhook started to fail. `undefined` when no attempt was made, or when the attempt was manual, was cut
       * off or did not fail.
       */
      readonly failingSinceMs: number | undefined;
    }
  | { readonly status: "fenced" };

/** The outcome of sending a delivery again. */
export type ResendResult =
  | {
      /** `repeated`: it follows another request for this delivery within `repeatMs`, and changed nothing. */
      readonly status: "resent" | "repeated";
      /** The delivery after the request. */
      readonly delivery: DeliveryRow;
    }
  | {
      readonly status: "not_found";
    }
  | {
      readonly status: "audit_behind";
    };

/** The outcome of one page of resending undelivered deliveries. */
export type ResendUndeliveredResult =
  | {
      readonly status: "resent";
      /** Number of deliveries that became pending. */
      readonly deliveries: number;
      /** Opaque; pass it to the next call. `undefined` when all deliveries have been examined. */
      readonly nextCursor: string | undefined;
    }
  | { readonly status: "audit_behind" };

/** The query to which a cursor of `resendUndelivered` belongs, for adapters. */
export function resendCursorQuery({
  scope,
  webhookId,
  sinceMs,
}: Pick<Parameters<DeliveryStore["resendUndelivered"]>[0], "scope" | "webhookId" | "sinceMs">): CursorQuery {
  return ["resend", scope.workspace, scope.environment, webhookId, String(sinceMs)];
}

/** The record key by which a webhook subscribes to an event. */
export function webhookEventKey(scope: Scope, event: string): string {
  return `${scope.workspace}/${scope.environment}/${event}`;
}
