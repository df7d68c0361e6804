import type { Environment } from "@procedo/contract";
import type { AuditEntry } from "./audit.ts";
import type { Page, PageRequest } from "./scope.ts";

/** Small things that people manage: connections, webhooks, keys. Each is written whole, by revision. */
export interface RecordStore {
  get(request: RecordAddress): Promise<RecordRow | undefined>;

  /** By a unique key. */
  find(request: { readonly kind: string; readonly uniqueKey: string }): Promise<RecordRow | undefined>;

  /**
   * By id; with `after` those whose id comes after it, unless there is a cursor. `environment` left out: those of the
   * workspace whatever their environment.
   */
  list(request: RecordQuery & PageRequest): Promise<Page<RecordRow>>;

  /**
   * - `ifRevision` 0 creates; else the stored revision MUST be equal: `conflict` otherwise, and nothing changes.
   * - A unique key that another record of this kind holds: `taken`, and nothing changes.
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

/** Names a managed record. */
export interface RecordAddress {
  readonly workspace: string;
  readonly kind: string;
  readonly id: string;
}

/** Which managed records to list. */
export interface RecordQuery {
  readonly workspace: string;
  readonly environment?: Environment;
  readonly kind: string;
  readonly after?: string;
}

/** A managed record to be stored. */
export interface NewRecord extends RecordAddress {
  /** `undefined`: of the workspace as a whole. */
  readonly environment: Environment | undefined;
  /** JSON text; secrets in it are encrypted already. */
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
