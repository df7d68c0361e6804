import type { Page, PageRequest, Scope } from "./scope.ts";

/** The outbox: what is to be sent to whom. Rows are written by `runs.commit`, together with what caused them. */
export interface DeliveryStore {
  /** Newest first. */
  list(request: { readonly scope: Scope; readonly webhookId: string } & PageRequest): Promise<Page<DeliveryRow>>;
}

export interface DeliveryRow {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly runId: string;
  readonly event: string;
  readonly createdAtMs: number;
  /** The envelope's `data`, as JSON text. */
  readonly data: string;
  readonly status: "pending" | "delivered" | "failed";
  readonly attemptCount: number;
}

/** The record key by which a webhook subscribes to an event. */
export function webhookEventKey(scope: Scope, event: string): string {
  return `${scope.workspace}/${scope.environment}/${event}`;
}
