import type { EventName, JsonObject } from "@procedo/contract";
import type { DeliveryAttempt as AttemptRow, DeliveryRow, DeliveryStatus } from "@procedo/storage";

/** The delivery of one event to one webhook. */
export interface Delivery {
  /** The envelope's `id`: the same for every attempt and resend. */
  readonly deliveryId: string;
  /** The webhook that receives the event. */
  readonly webhookId: string;
  /** Name of the event. */
  readonly event: EventName;
  /** The run whose event it is. Absent for a test. */
  readonly runId?: string;
  /** The address of the last attempt; before the first attempt, the webhook's address. */
  readonly url: string;
  /**
   * The current status. A resend sets it to `pending` again. `skipped`: the webhook was inactive when the delivery was
   * due.
   */
  readonly status: DeliveryStatus;
  /** HTTP status of the receiver's last answer; `undefined` when there was none. */
  readonly responseCode: number | undefined;
  /** Number of attempts, including one that is under way and those that a shutdown aborted. */
  readonly attemptCount: number;
  /** When the event occurred. */
  readonly createdAtMs: number;
  /** When the receiver last accepted it. Later attempts do not change this. */
  readonly deliveredAtMs: number | undefined;
  /** Why the last attempt failed, or why none was made. */
  readonly error?: string;
  /**
   * While the delivery waits, the earliest time of its next attempt; during an attempt, the end of its claim. Absent
   * once the delivery has ended.
   */
  readonly nextAttemptAtMs?: number;
}

/** One attempt to deliver. */
export interface DeliveryAttempt {
  /** When the answer arrived, or when it was certain that none would. */
  readonly atMs: number;
  /** Duration of the attempt, in milliseconds. */
  readonly tookMs: number;
  /** The address of the attempt. */
  readonly url: string;
  /** HTTP status of the answer; `undefined` when there was none. */
  readonly responseCode: number | undefined;
  /**
   * Class of the failure: `status`, `redirect`, `timeout`, `dns`, `connect`, `tls`, `connection_lost`, `response`,
   * `destination`, `aborted` … Absent when the delivery was accepted.
   */
  readonly failure?: string;
  /** Why the attempt failed. Absent when the delivery was accepted. */
  readonly error?: string;
  /** Whether a person requested this attempt, by a test or a resend. */
  readonly manual: boolean;
}

/** A delivery with the data of its event and its attempts. */
export interface DeliveryDetails extends Delivery {
  /** The `data` of the envelope that its requests carry. */
  readonly data: JsonObject;
  /** The attempts that have ended, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** @param url the webhook's current address */
export function shownDelivery(row: DeliveryRow, url: string): Delivery {
  return {
    deliveryId: row.deliveryId,
    webhookId: row.webhookId,
    // Events were validated by the contract's schema before the engine stored them.
    event: row.event as EventName,
    ...(row.runId === undefined ? {} : { runId: row.runId }),
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

export function shownAttempt({ failure, error, ...attempt }: AttemptRow): DeliveryAttempt {
  return {
    ...attempt,
    ...(failure === undefined ? {} : { failure }),
    ...(error === undefined ? {} : { error }),
  };
}
