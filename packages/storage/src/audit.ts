/**
 * The workspace's chain of changes: publishing, defaults, connections, keys. Each entry is stored together with its
 * change.
 */
export interface AuditStore {
  /** The last entry; `undefined` while there is none. */
  head(request: { readonly workspace: string }): Promise<AuditEntry | undefined>;

  /** Entries in order, those after `afterSeq` (0: from the beginning). */
  list(request: {
    readonly workspace: string;
    readonly afterSeq: number;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]>;
}

/**
 * An entry to append. Its `seq` MUST be one more than the head's. Otherwise the write that carries it changes nothing
 * and is answered `audit_behind`; the caller then reads the head again.
 */
export interface AuditEntry {
  /** From 1. */
  readonly seq: number;
  /** Keyed hash over the preceding entry and this body. */
  readonly hash: string;
  /** JSON text. */
  readonly body: string;
}
