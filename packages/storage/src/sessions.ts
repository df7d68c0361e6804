/**
 * The sessions of people, and their failed sign-ins.
 *
 * A session is **live** while both of its ends are later than the adapter's time. Each method treats a session that is
 * not live as one that does not exist, whether `sweep` has removed it or not.
 *
 * `create`, `touch`, `noteFailure` and `clearFailures` are frequent, and MUST announce nothing.
 */
export interface SessionStore {
  /**
   * Stores a session. It MUST be durable when the promise resolves. A known digest or `sessionId` MUST be refused with
   * `internal`.
   */
  create(session: SessionRow): Promise<void>;

  /**
   * The live session with this digest, in any workspace: the caller compares the workspace.
   *
   * - A session whose `end` or `endOf` was answered before this call MUST NOT be returned.
   */
  find(request: { readonly digest: string }): Promise<SessionRow | undefined>;

  /**
   * Records a use of a live session. Of the stored and the given times, the later ones MUST be kept. A session that is
   * not live MUST stay so: a use that overlaps with its end does not bring it back.
   */
  touch(request: { readonly digest: string; readonly seenAtMs: number; readonly idleEndsAtMs: number }): Promise<void>;

  /** The live sessions of a person, newest first; of more than {@link maxSessionsListed}, the newest. */
  list(request: { readonly workspace: string; readonly personId: string }): Promise<readonly SessionRow[]>;

  /**
   * Ends one session of a person. Returns whether it was live.
   *
   * - The end MUST be durable when the promise resolves, and MUST be announced as `session_ended`.
   */
  end(request: { readonly workspace: string; readonly personId: string; readonly sessionId: string }): Promise<boolean>;

  /**
   * Ends all sessions of a person except one, in one transaction. Returns the number of those that were live.
   *
   * - The ends MUST be durable when the promise resolves, and MUST be announced as one `session_ended`.
   * - A session that is created during this call MAY stay.
   */
  endOf(request: {
    readonly workspace: string;
    readonly personId: string;
    /** The session that stays. @defaultValue none */
    readonly exceptSessionId?: string;
  }): Promise<number>;

  /**
   * Removes sessions that are not live, those that ended first before others, and the failures of keys whose last
   * failure was before `beforeMs`, in all workspaces. Returns the number of removed items.
   *
   * - At most `limit` of each MUST be removed, so that the transaction is short. Items that are not removed MUST NOT be
   *   read.
   */
  sweep(request: { readonly beforeMs: number; readonly limit: number }): Promise<number>;

  /**
   * Adds one to the failed sign-ins of a key, and returns them with this one.
   *
   * - Each of any number of concurrent calls MUST be counted, and MUST return another count.
   */
  noteFailure(request: {
    /** Digest of workspace, e-mail and source, whether a person has this e-mail or not. */
    readonly key: string;
    readonly atMs: number;
  }): Promise<SignInFailures>;

  /** The failed sign-ins of a key since they were last cleared; `undefined` when there are none. */
  failures(request: { readonly key: string }): Promise<SignInFailures | undefined>;

  /** Forgets the failed sign-ins of a key. */
  clearFailures(request: { readonly key: string }): Promise<void>;
}

/** The number of sessions that `list` returns at most. */
export const maxSessionsListed = 1_000;

/** A session as it is stored. */
export interface SessionRow {
  /** Digest of the token; unique over all workspaces. */
  readonly digest: string;
  /** The workspace of the person. */
  readonly workspace: string;
  /** The person who signed in. */
  readonly personId: string;
  /** Identifier of the session; unique over all workspaces. */
  readonly sessionId: string;
  /** Time of the sign-in, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** Time of the last recorded use, in milliseconds since the epoch. */
  readonly seenAtMs: number;
  /** When the session ends unless it is used, in milliseconds since the epoch. */
  readonly idleEndsAtMs: number;
  /** When the session ends in any case, in milliseconds since the epoch. */
  readonly endsAtMs: number;
  /** The `User-Agent` of the sign-in. */
  readonly userAgent?: string;
  /** The address from which the person signed in. */
  readonly address?: string;
}

/** The failed sign-ins of a key since they were last cleared. */
export interface SignInFailures {
  /** Number of failures, from 1. */
  readonly count: number;
  /** Latest time of a failure, in milliseconds since the epoch. */
  readonly lastAtMs: number;
}
