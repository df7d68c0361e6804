import type { Environment } from "@procedo/contract";
import type { AuditStore } from "./audit.ts";
import type { BudgetStore } from "./budgets.ts";
import type { DeliveryStore } from "./deliveries.ts";
import type { InboxStore } from "./inbox.ts";
import type { InvocationStore } from "./invocations.ts";
import type { ProcedureStore } from "./procedures.ts";
import type { RecordStore } from "./records.ts";
import type { RetentionStore } from "./retention.ts";
import type { ReviewStore } from "./reviews.ts";
import type { RunStore } from "./runs.ts";
import type { WorkerStore } from "./workers.ts";

/**
 * The storage port: what the engine needs kept. An adapter is whatever passes the conformance suite
 * (`@procedo/storage/conformance`).
 *
 * Adapters take their clock when they are made; it decides what is claimable and which leases have ended. A failure of
 * the database is a `ProcedoError` with code `storage_unavailable`.
 */
export interface Storage {
  readonly runs: RunStore;
  readonly inbox: InboxStore;
  readonly reviews: ReviewStore;
  readonly invocations: InvocationStore;
  readonly budgets: BudgetStore;
  readonly workers: WorkerStore;
  readonly deliveries: DeliveryStore;
  readonly procedures: ProcedureStore;
  readonly records: RecordStore;
  readonly audit: AuditStore;
  readonly retention: RetentionStore;

  /**
   * Calls the listener after changes, this process's own and (as far as the adapter can tell) others'. Lossy and late
   * by nature: whatever matters is also found by reading. Ends by calling the returned function.
   */
  watch(listener: (change: Change) => void): () => void;

  /** Closes only what the adapter opened itself. */
  close(): Promise<void>;
}

/** A change in storage that its watchers hear of. */
export type Change =
  /** A run can be claimed now, of whatever workspace. */
  | { readonly type: "claimable" }
  /** A run that a worker holds has a notification. */
  | { readonly type: "notified"; readonly runId: string }
  /** A run was parked or ended. */
  | { readonly type: "settled"; readonly runId: string }
  /** A delivery is due now, of whatever workspace. */
  | { readonly type: "deliverable" }
  /** An invocation of this connection can be leased now. */
  | { readonly type: "invocable"; readonly connectionId: string }
  /** A record was written or removed. */
  | RecordChange
  /** A procedure's default version in this environment was set, of any workspace. */
  | { readonly type: "default_changed"; readonly environment: Environment }
  /** Changes may have been missed, or another process wrote: everything has to be read again. */
  | { readonly type: "resync" };

/** Which record, so that what was read of others need not be read again. */
export interface RecordChange {
  readonly type: "record_changed";
  readonly kind: string;
  /** Of any workspace. */
  readonly id: string;
  /** `undefined`: the record belongs to the workspace. */
  readonly environment: Environment | undefined;
}
