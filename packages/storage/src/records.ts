import type { Environment } from "@procedo/contract";
import type { AuditEntry } from "./audit.ts";
import type { Page, PageRequest } from "./scope.ts";

/**
 * Small records that people manage: connections, webhooks, keys. Each write replaces the whole record, guarded by its
 * revision.
 */
export interface RecordStore {
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
   * - Record, keys and audit entry MUST be one transaction.
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
}

/** The address of a managed record. */
export interface RecordAddress {
  readonly workspace: string;
  readonly kind: string;
  readonly id: string;
}

/** The managed records to list. */
export interface RecordQuery {
  readonly workspace: string;
  readonly environment?: Environment;
  readonly kind: string;
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
  readonly keys: readonly string[];
}

/** A managed record as it is stored. */
export interface RecordRow extends NewRecord {
  /** From 1. */
  readonly revision: number;
}

/** The outcome of storing a record. */
export type PutResult =
  | { readonly status: "stored"; readonly revision: number }
  | { readonly status: "conflict" }
  | { readonly status: "taken"; readonly uniqueKey: string }
  | { readonly status: "audit_behind" };
