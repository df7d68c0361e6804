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

  /**
   * Entries that match all given filters, newest first.
   *
   * - A page MUST examine a bounded number of entries. It may therefore be short or even empty, and still have a
   *   `nextBeforeSeq`.
   * - With `fromMs`, the list MAY end at an entry that is more than a day older: entries are in the order of their
   *   times, apart from the differences between the clocks of their writers.
   */
  listNewest(request: AuditSearch): Promise<AuditPage>;
}

/** The entries to list. The filters compare members of an entry's body, which is a JSON object. */
export interface AuditSearch {
  /** The workspace of the chain. */
  readonly workspace: string;
  /** 1 to 1000 */
  readonly limit: number;
  /** Only entries before this one. @defaultValue all */
  readonly beforeSeq?: number;
  /** Only entries whose `action` is this one. @defaultValue any action */
  readonly action?: string;
  /** Only entries whose `by` is this person, in exactly this spelling. @defaultValue any person */
  readonly by?: string;
  /** Only entries whose `subject` is this one. @defaultValue any subject */
  readonly subject?: string;
  /** Earliest `atMs`, inclusive. @defaultValue any time */
  readonly fromMs?: number;
  /** Latest `atMs`, exclusive. @defaultValue any time */
  readonly toMs?: number;
}

/** One page of entries, newest first. */
export interface AuditPage {
  /** The entries of the page. */
  readonly entries: readonly AuditEntry[];
  /** Pass it to the next call as `beforeSeq`. Absent on the last page. */
  readonly nextBeforeSeq?: number;
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
