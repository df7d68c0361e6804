/** The workspace's own chain: publishing, defaults, connections, keys. Rows arrive with the change that they tell of. */
export interface AuditStore {
  /** The last row; `undefined` while there is none. */
  head(request: { readonly workspace: string }): Promise<AuditEntry | undefined>;

  /** In order, from after `afterSeq` (0: from the beginning). */
  list(request: {
    readonly workspace: string;
    readonly afterSeq: number;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]>;
}

/**
 * A row to append. Its `seq` MUST be one more than the head's; the write that carries it is answered `audit_behind`
 * and changes nothing otherwise, and its author reads the head again.
 */
export interface AuditEntry {
  /** From 1. */
  readonly seq: number;
  readonly hash: string;
  /** JSON text. */
  readonly body: string;
}
