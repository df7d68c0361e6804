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
 * The storage port: all persistence that the engine needs. An adapter is conformant when it passes the conformance
 * suite (`@procedo/storage/conformance`).
 *
 * Adapters receive their clock on creation. The clock decides which runs are claimable and which leases have ended. A
 * failure of the database is a `ProcedoError` with code `storage_unavailable`.
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
   * Calls the listener after changes by this process and, as far as the adapter can tell, by others. Calls may be late
   * or missing: every change can also be found by reading. The returned function stops listening.
   */
  watch(listener: (change: Change) => void): () => void;

  /** Closes only the resources that the adapter opened itself. */
  close(): Promise<void>;
}

/** A change in storage that watchers are notified of. */
export type Change =
  /** A run of any workspace can be claimed now. */
  | { readonly type: "claimable" }
  /** A run that a worker owns has a notification. */
  | { readonly type: "notified"; readonly runId: string }
  /** A run was parked or ended. */
  | { readonly type: "settled"; readonly runId: string }
  /** A delivery of any workspace is due now. */
  | { readonly type: "deliverable" }
  /** An invocation of this connection can be leased now. */
  | { readonly type: "invocable"; readonly connectionId: string }
  /** A record was written or removed. */
  | RecordChange
  /** The default version of a procedure of any workspace was set in this environment. */
  | { readonly type: "default_changed"; readonly environment: Environment }
  /** Changes may have been missed, or another process wrote: all cached data has to be read again. */
  | { readonly type: "resync" };

/** The changed record: data that was read from other records stays valid. */
export interface RecordChange {
  readonly type: "record_changed";
  readonly kind: string;
  /** Id in any workspace. */
  readonly id: string;
  /** `undefined` for a record of the whole workspace. */
  readonly environment: Environment | undefined;
}
