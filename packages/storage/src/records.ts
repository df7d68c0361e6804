import type { Environment } from "@procedo/contract";
import type { AuditEntry } from "./audit.ts";
import type { Page, PageRequest } from "./scope.ts";
import type { TriggerGate } from "./triggers.ts";

/**
 * Small records that people manage: connections, webhooks, keys. Each write replaces the whole record, guarded by its
 * revision.
 */
export interface RecordStore {
  /** A record by its address; `undefined` when there is none. */
  get(request: RecordAddress): Promise<RecordRow | undefined>;

  /** By a unique key. */
  find(request: { readonly kind: string; readonly uniqueKey: string }): Promise<RecordRow | undefined>;

  /**
   * Sorted by id. `after` lists the records whose id follows it; a cursor takes precedence. Without `environment`,
   * records of the workspace in any environment and in none.
   */
  list(request: RecordQuery & PageRequest): Promise<Page<RecordRow>>;

  /**
   * - `ifRevision` 0 creates the record. Otherwise the stored revision MUST be equal, or the answer is `conflict` and
   *   nothing changes.
   * - When another record of this kind holds one of the unique keys, the answer is `taken`, and nothing changes.
   * - Record, keys, trigger gate and audit entry MUST be one transaction.
   * - Storing the record of a trigger MUST give its claimed firings back, due now: a claim that was judged by the trigger
   *   as it was is then fenced.
   * - A trigger whose environment changes is removed from its previous one.
   */
  put(request: {
    readonly record: NewRecord;
    readonly ifRevision: number;
    readonly audit?: AuditEntry;
  }): Promise<PutResult>;

  /** Removes the record with its keys. */
  remove(
    request: RecordAddress & { readonly ifRevision?: number; readonly audit?: AuditEntry },
  ): Promise<"removed" | "not_found" | "conflict" | "audit_behind">;

  /**
   * Notes uses of records.
   *
   * - The latest use of each record MUST remain, of those given and the stored one. Among uses at the same time, either.
   * - A use of a record that does not exist MUST be ignored.
   * - Uses MUST NOT change the record or its revision, and MUST announce nothing. They are removed with the record.
   */
  noteUses(request: RecordKind & { readonly uses: readonly RecordUse[] }): Promise<void>;

  /** The latest uses of these records, in any order. Those that were never used are left out. */
  latestUses(request: RecordKind & { readonly ids: readonly string[] }): Promise<readonly RecordUse[]>;
}

/** The records of one kind in a workspace. */
export type RecordKind = Pick<RecordAddress, "workspace" | "kind">;

/** A use of a managed record. */
export interface RecordUse {
  /** Identifier of the record. */
  readonly id: string;
  /** Time of the use, in milliseconds since the epoch. */
  readonly usedAtMs: number;
  /** Network address of the user. Left out if it is not known. */
  readonly address?: string;
}

/** The address of a managed record. */
export interface RecordAddress {
  /** The workspace of the record. */
  readonly workspace: string;
  /** Kind of the record, such as `connection` or `webhook`. */
  readonly kind: string;
  /** Identifier of the record; unique within the workspace and kind. */
  readonly id: string;
}

/** The managed records to list. */
export interface RecordQuery {
  /** The workspace of the records. */
  readonly workspace: string;
  /** Only records of this environment. @defaultValue records of any environment and of none */
  readonly environment?: Environment;
  /** Kind of the records. */
  readonly kind: string;
  /** Only records whose id follows this one; a cursor takes precedence. @defaultValue all */
  readonly after?: string;
}

/** A managed record to be stored. */
export interface NewRecord extends RecordAddress {
  /** `undefined` for a record of the whole workspace. */
  readonly environment: Environment | undefined;
  /** JSON text. Its secrets are already encrypted. */
  readonly body: string;
  /** Unique within the kind, over all workspaces. */
  readonly uniqueKeys: readonly string[];
  /** Keys by which several records of the kind are found. They need not be unique. */
  readonly keys: readonly string[];
  /** Of a record of kind `trigger`, which MUST have one, and of no other. Reads of records leave it out. */
  readonly trigger?: TriggerGate;
}

/** A managed record as it is stored. */
export interface RecordRow extends NewRecord {
  /** From 1. */
  readonly revision: number;
}

/** The outcome of storing a record. */
export type PutResult =
  | {
      readonly status: "stored";
      /** The new revision of the record. */
      readonly revision: number;
    }
  | { readonly status: "conflict" }
  | {
      readonly status: "taken";
      /** The key that another record holds. */
      readonly uniqueKey: string;
    }
  | { readonly status: "audit_behind" };
