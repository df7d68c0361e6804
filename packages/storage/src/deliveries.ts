import type { Environment } from "@procedo/contract";
import type { AuditEntry } from "./audit.ts";
import type { CursorQuery } from "./cursor.ts";
import type { NewEvent } from "./runs.ts";
import type { Page, PageRequest, Scope } from "./scope.ts";

/**
 * The outbox: what is to be sent to whom. `runs.commit` writes deliveries together with what caused them; senders claim
 * those that are due, send, and settle them.
 *
 * A delivery is **pending** until it ends as `delivered`, `failed` or `skipped`. A pending one is waiting for its time, or
 * **claimed**: a sender has it until it settles it, at the latest until its lease ends. A skipped one was due while its
 * webhook was inactive, and was not attempted then.
 */
export interface DeliveryStore {
  /**
   * Hands deliveries of a workspace that are due, in both environments, to a sender for `leaseMs`.
   *
   * - A delivery is due when its time has come, or when the lease under which it was claimed has ended.
   * - A delivery MUST be handed to one sender only, under an epoch larger than any before. The attempt counts from here
   *   on, and takes its place in the schedule, so that one in which the sender died is counted.
   * - At most `perWebhook` deliveries of one webhook MUST be claimed at the same time, by whichever senders; of one that
   *   `wider` names, as many as stands there.
   * - Webhooks MUST be served in turn: one that has fewer claimed comes before one that has more, so that no backlog
   *   keeps others waiting. Of one webhook those that have been due longest come first.
   * - At most `limit` deliveries MUST be handed over, and of each environment at most as many as `most` says. Those beyond
   *   `perWebhook`, of webhooks that `wider` names, do not count; they MUST NOT be handed over when one of these limits is
   *   reached without them.
   * - `nextDueAtMs` is the earliest time at which a pending delivery of this workspace becomes due that is not due now.
   */
  claim(request: {
    readonly workspace: string;
    readonly senderId: string;
    /** In all. */
    readonly limit: number;
    readonly perWebhook: number;
    /** Takes the place of `perWebhook`, and bounds each environment. @defaultValue `limit` and `perWebhook` for each */
    readonly most?: Readonly<Record<Environment, EnvironmentBound>>;
    /** At most one for each webhook. @defaultValue none */
    readonly wider?: readonly WebhookBound[];
    readonly leaseMs: number;
  }): Promise<DeliveryClaim>;

  /**
   * Says what became of claimed deliveries.
   *
   * - All items that are answered `settled` MUST be durable when the promise resolves.
   * - An item whose delivery is not claimed under its epoch MUST be answered `fenced`: another sender has it, or it was
   *   settled already. It changes nothing but the history of attempts.
   * - An item with an attempt MUST add it to the history, once per epoch. An item without one MUST give back the attempt
   *   that the claim had counted, with its place in the schedule.
   * - An attempt that the sender cut off itself (`cutOff`) MUST give back its place in the schedule, and MUST NOT say
   *   anything of its webhook.
   * - Any other failed attempt (one that has an `error`) MUST mark its webhook as failing unless it is `manual`, and one
   *   without an error MUST end that, manual or not; `failingSinceMs` is the time of the first failed attempt since then.
   *   Nothing of this MUST be left of a webhook that was removed.
   */
  settle(items: readonly DeliverySettlement[]): Promise<readonly SettleResult[]>;

  /**
   * Stores a delivery that no run caused, for one webhook, to be attempted once and at once. It has the id that the same
   * event would have from a run.
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
   * Has a delivery sent again under its id.
   *
   * - One that has ended MUST become pending and due, for one attempt, whatever was attempted before.
   * - A waiting one MUST become due; what its schedule allows after that stays as it is, unless it is asked for as
   *   `manual`. A claimed one is under way as it is wanted, and stays.
   * - When the same was asked for less than `repeatMs` ago it MUST be answered `repeated`, and change nothing: of many who
   *   ask at the same time one causes an attempt.
   * - Change and audit entry MUST be one transaction.
   */
  resend(request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly deliveryId: string;
    readonly repeatMs: number;
    /** Also one that waits gets this one attempt in place of its schedule. @defaultValue false */
    readonly manual?: boolean;
    readonly audit?: AuditEntry;
  }): Promise<ResendResult>;

  /**
   * Has deliveries of a webhook sent again that ended without being delivered, one page at a time, oldest first.
   *
   * - At most `limit` deliveries MUST be looked at: those of events at `sinceMs` or later, by the time of the event and then
   *   in the order in which they were stored, after the `cursor`. So each transaction is short.
   * - Each of them whose status is one of `statuses` MUST become pending and due, with its whole schedule before it,
   *   whatever was attempted before. All others MUST stay as they are, and so MUST one for which the same or `resend` was
   *   asked less than `repeatMs` ago.
   * - Of those that become due, the ones that were stored first MUST be claimed first.
   * - Changes and audit entry MUST be one transaction. Where nothing changes, the audit entry MUST NOT be stored.
   * - `nextCursor` MUST be answered where there are more to look at. It is valid with the same webhook and `sinceMs`.
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
   * Ends pending deliveries of a scope as failed, claimed ones too: what was pending in a database that was restored may
   * have been made since.
   *
   * - At most `limit` MUST be ended, so that the transaction is short; fewer only when there are no more.
   * - Each MUST be as one whose last attempt failed, with `error`, and MAY be sent again by `resend`. Who has claimed one
   *   is fenced. Attempts and webhooks stay as they are.
   * - Change and audit entry MUST be one transaction.
   */
  endPending(request: {
    readonly scope: Scope;
    readonly error: string;
    readonly limit: number;
    readonly audit?: AuditEntry;
  }): Promise<{ readonly status: "ended"; readonly deliveries: number } | { readonly status: "audit_behind" }>;

  /** Newest first. */
  list(request: { readonly scope: Scope; readonly webhookId: string } & PageRequest): Promise<Page<DeliveryRow>>;

  /** What was attempted, oldest first; empty when there is no such delivery in this scope. */
  attempts(request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly deliveryId: string;
  }): Promise<readonly DeliveryAttempt[]>;
}

/** What a claim may hand over of one environment. */
export interface EnvironmentBound {
  /** 0 or more. */
  readonly limit: number;
  /** Of one webhook, 1 or more. */
  readonly perWebhook: number;
}

/** A webhook that may have more deliveries claimed than others. */
export interface WebhookBound {
  readonly environment: Scope["environment"];
  readonly webhookId: string;
  /** Takes the place of the `perWebhook` of the claim or of its environment, which is smaller. */
  readonly perWebhook: number;
}

/** How a delivery ended that its receiver did not accept. */
export type UndeliveredStatus = "failed" | "skipped";

/** Status of a delivery. */
export type DeliveryStatus = "pending" | "delivered" | UndeliveredStatus;

/** A delivery as it is stored. */
export interface DeliveryRow {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** `undefined`: a test. */
  readonly runId: string | undefined;
  readonly event: string;
  readonly createdAtMs: number;
  /** The envelope's `data`, as JSON text. */
  readonly data: string;
  readonly status: DeliveryStatus;
  /** One that is under way is counted. */
  readonly attemptCount: number;
  /** Where the last attempt that was settled went. */
  readonly url: string | undefined;
  /** Status of the last answer. */
  readonly responseCode: number | undefined;
  /** Why it was not delivered the last time. */
  readonly error: string | undefined;
  /** When a receiver accepted it last, whatever was tried since. */
  readonly deliveredAtMs: number | undefined;
  /** Of a pending one: when it is due; while it is claimed: when the lease ends. */
  readonly dueAtMs: number | undefined;
}

/** What a sender needs to send a delivery. */
export interface ClaimedDelivery {
  readonly scope: Scope;
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly createdAtMs: number;
  readonly data: string;
  readonly epoch: number;
  /**
   * This attempt's place in the schedule, from 1. Those that the sender cut off have none, and each resend of one that had
   * ended begins anew.
   */
  readonly attempt: number;
  /** A person asked for this one attempt: a test or a resend. */
  readonly manual: boolean;
}

/** A delivery that a sender holds, with all that an attempt needs. */
export interface DeliveryClaim {
  readonly deliveries: readonly ClaimedDelivery[];
  readonly nextDueAtMs: number | undefined;
}

/** The outcome of a claimed delivery. */
export interface DeliverySettlement {
  readonly scope: Scope;
  readonly deliveryId: string;
  readonly epoch: number;
  /** Left out: nothing has left. */
  readonly attempt?: NewDeliveryAttempt;
  /** Why it was not delivered; left out when it was. */
  readonly error?: string;
  /** The sender ended the attempt itself, so that nothing is known of the receiver. @defaultValue false */
  readonly cutOff?: boolean;
  readonly then:
    | { readonly status: "delivered" }
    | { readonly status: "failed" }
    /** Only of an item without an attempt. */
    | { readonly status: "skipped" }
    /** To be claimed again. */
    | { readonly status: "pending"; readonly dueAtMs: number };
}

/** An attempt to be recorded. */
export interface NewDeliveryAttempt {
  readonly url: string;
  /** When the answer came, or the lack of one was certain. */
  readonly atMs: number;
  readonly tookMs: number;
  /** HTTP status of the answer; `undefined`: there was none. */
  readonly responseCode: number | undefined;
  /** Class of what went wrong, such as `timeout`; `undefined`: nothing. */
  readonly failure: string | undefined;
  /** As the claim said. */
  readonly manual: boolean;
}

/** One attempt of a delivery, as it is shown. */
export interface DeliveryAttempt extends NewDeliveryAttempt {
  readonly error: string | undefined;
}

/** The outcome of settling a delivery. */
export type SettleResult =
  | {
      readonly status: "settled";
      /** `undefined`: nothing was attempted, or the attempt was manual, cut off or did not fail. */
      readonly failingSinceMs: number | undefined;
    }
  | { readonly status: "fenced" };

/** The outcome of sending a delivery again. */
export type ResendResult =
  | { readonly status: "resent" | "repeated"; readonly delivery: DeliveryRow }
  | { readonly status: "not_found" }
  | { readonly status: "audit_behind" };

/** The outcome of one step of sending undelivered deliveries again. */
export type ResendUndeliveredResult =
  | {
      readonly status: "resent";
      /** How many became pending. */
      readonly deliveries: number;
      readonly nextCursor: string | undefined;
    }
  | { readonly status: "audit_behind" };

/** What the cursor of `resendUndelivered` belongs to, for adapters. */
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
