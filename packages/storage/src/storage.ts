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
import type { Scope } from "./scope.ts";
import type { SessionStore } from "./sessions.ts";
import type { TriggerStore } from "./triggers.ts";
import type { WorkerStore } from "./workers.ts";

/**
 * The storage port: all persistence that the engine needs. An adapter is conformant when it passes the conformance
 * suite (`@procedo/storage/conformance`).
 *
 * Adapters receive their clock on creation. The clock decides which runs are claimable and which leases have ended. A
 * failure of the database is a `ProcedoError` with code `storage_unavailable`.
 */
export interface Storage {
  /** Runs, their journals, and the queue of claimable runs. */
  readonly runs: RunStore;
  /** Notifications to runs from anyone but their owners. */
  readonly inbox: InboxStore;
  /** Reviews and their decisions. */
  readonly reviews: ReviewStore;
  /** Calls of functions that clients of private connections execute. */
  readonly invocations: InvocationStore;
  /** Sums, budgets and the amounts reserved of them. */
  readonly budgets: BudgetStore;
  /** Heartbeats of workers, and the runs that they own. */
  readonly workers: WorkerStore;
  /** Deliveries of events to webhooks, and the queue of those that are due. */
  readonly deliveries: DeliveryStore;
  /** Incoming events, the schedules of triggers, and their firings. */
  readonly triggers: TriggerStore;
  /** Published versions, and the default version of each environment. */
  readonly procedures: ProcedureStore;
  /** Small records that people manage: connections, webhooks, keys. */
  readonly records: RecordStore;
  /** Sessions of people, and failed sign-ins. */
  readonly sessions: SessionStore;
  /** The chain of the workspace's changes. */
  readonly audit: AuditStore;
  /** Removal of archived and expired data. */
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
  | {
      readonly type: "notified";
      /** Identifier of the run. */
      readonly runId: string;
    }
  /** A run was parked or ended. */
  | {
      readonly type: "settled";
      /** Identifier of the run. */
      readonly runId: string;
      /** The workspace and environment of the run. */
      readonly scope: Scope;
    }
  /** A delivery of any workspace is due now. */
  | { readonly type: "deliverable" }
  /** A firing of any workspace can be claimed now, or a schedule was set. */
  | { readonly type: "fireable" }
  /** An invocation of this connection can be leased now. */
  | {
      readonly type: "invocable";
      /** Identifier of the private connection. */
      readonly connectionId: string;
    }
  /** A record was written or removed. */
  | RecordChange
  /** The default version of a procedure of any workspace was set in this environment. */
  | {
      readonly type: "default_changed";
      /** The environment in which the default was set. */
      readonly environment: Environment;
    }
  /** Sessions of a person were ended. */
  | {
      readonly type: "session_ended";
      /** Identifier of the person, in any workspace. */
      readonly personId: string;
    }
  /**
   * Another process started runs, settled deliveries, recorded decisions or published versions in this scope, and no other
   * change names them. At most one a second from each process and scope.
   */
  | {
      readonly type: "written";
      /** The workspace and environment of what was written. */
      readonly scope: Scope;
    }
  /** Changes may have been missed, or another process wrote: all cached data has to be read again. */
  | {
      readonly type: "resync";
      /**
       * Whether the adapter says so at intervals, and knows of nothing that was missed or written. @defaultValue false
       */
      readonly isTimed?: true;
    };

/** The changed record: data that was read from other records stays valid. */
export interface RecordChange {
  readonly type: "record_changed";
  /** Kind of the record. */
  readonly kind: string;
  /** Id in any workspace. */
  readonly id: string;
  /** `undefined` for a record of the whole workspace. */
  readonly environment: Environment | undefined;
}
