import type { EventName } from "@procedo/contract";
import type { DeliveryRow, DeliveryStatus } from "@procedo/storage";

/** One event on its way to one webhook. */
export interface Delivery {
  /** The envelope's `id`: the same for every attempt and resend. */
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly event: EventName;
  /** Where the last attempt went; before the first one, where it will go. */
  readonly url: string;
  /** How it ended; a resend makes it `pending` again. `skipped`: it was due while the webhook was inactive. */
  readonly status: DeliveryStatus;
  /** HTTP status of the receiver's last answer; `undefined`: it gave none. */
  readonly responseCode: number | undefined;
  /** Attempts so far, one that is under way and those that a stop cut off included. */
  readonly attemptCount: number;
  /** When the event occurred. */
  readonly createdAtMs: number;
  /** When the receiver accepted it last, whatever was tried since. */
  readonly deliveredAtMs: number | undefined;
  /** Why the last attempt failed, or why none was made. */
  readonly error?: string;
  /** When it is tried next, at the latest. Only of a pending one. */
  readonly nextAttemptAtMs?: number;
}

/** One try to deliver. */
export interface DeliveryAttempt {
  /** When the answer came, or the lack of one was certain. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly url: string;
  readonly responseCode: number | undefined;
  /**
   * Class of what went wrong: `status`, `redirect`, `timeout`, `dns`, `connect`, `tls`, `connection_lost`, `response`,
   * `destination`, `aborted` … Left out: delivered.
   */
  readonly failure?: string;
  readonly error?: string;
  /** Whether a person asked for this attempt, by a test or a resend. */
  readonly manual: boolean;
}

/** @param url the webhook's address now */
export function shownDelivery(row: DeliveryRow, url: string): Delivery {
  return {
    deliveryId: row.deliveryId,
    webhookId: row.webhookId,
    // Storage holds what the engine wrote: events have passed the contract's schema.
    event: row.event as EventName,
    url: row.url ?? url,
    status: row.status,
    responseCode: row.responseCode,
    attemptCount: row.attemptCount,
    createdAtMs: row.createdAtMs,
    deliveredAtMs: row.deliveredAtMs,
    ...(row.error === undefined ? {} : { error: row.error }),
    ...(row.dueAtMs === undefined ? {} : { nextAttemptAtMs: row.dueAtMs }),
  };
}
