import type { AuditEntry } from "./audit.ts";
import type { ClaimedRun, RunCommit } from "./runs.ts";
import type { Scope } from "./scope.ts";
import type { NewInvocation } from "./new-invocation.ts";

/** The number of clients that storage keeps per connection and environment. */
export const maxClientsKept = 1_000;

/**
 * Calls of functions behind private connections. `runs.commit` creates an **invocation** together with the row that
 * holds its intent. Clients that poll lease it, and its result arrives in the run's inbox. A run that waits for one is
 * a parked row.
 *
 * An invocation is **queued**; **leased** once a client holds it, possibly from the commit that creates it;
 * **acknowledged** once the client has extended its lease, which it does before it calls a function that is not
 * idempotent. It ends as **settled** by a result, **withdrawn** by the run, or **lapsed**: acknowledged, and its lease
 * has ended, so that its outcome is unknown. A result may still settle a lapsed one.
 *
 * Leases use the storage's clock, as workers' leases do.
 */
export interface InvocationStore {
  /**
   * Leases invocations of one connection for `leaseMs`: queued ones, leased ones whose lease has ended, and idempotent
   * acknowledged ones whose lease has ended.
   *
   * - An invocation MUST be leased to one caller only, under that caller's token. Older tokens MUST become invalid.
   * - Invocations whose lease has ended MUST come first, in the order in which the leases ended, then queued ones,
   *   oldest first.
   * - An invocation MUST NOT be leased at or after its deadline, after its run has ended, or when its function is not
   *   in the list.
   * - Concurrent callers MAY get fewer than are available; `invocable` MUST then be announced again.
   */
  lease(request: {
    readonly scope: Scope;
    readonly connectionId: string;
    /** The functions that the caller serves. */
    readonly functions: readonly string[];
    readonly limit: number;
    readonly leaseMs: number;
    /** Never used before. Every invocation that this call leases carries it. */
    readonly leaseToken: string;
  }): Promise<readonly LeasedInvocation[]>;

  /**
   * Extends leases to `leaseMs` from now, and acknowledges their invocations. Returns one status per lease, in order.
   *
   * - `held`: the client holds it. A lease that has ended MUST be held again unless its invocation was leased to
   *   another caller or reported as lapsed.
   * - `lapsed`: the invocation was reported as lapsed, under its last token, and its run has not ended. It stays as it
   *   is; its result may still settle it.
   * - `lost`: the id is unknown or belongs to another connection, the token is not the last one, the invocation is
   *   settled or withdrawn, its run has ended, or no client acknowledged it before its deadline.
   */
  extend(request: {
    readonly scope: Scope;
    readonly connectionId: string;
    readonly leases: readonly InvocationLease[];
    readonly leaseMs: number;
  }): Promise<readonly ("held" | "lapsed" | "lost")[]>;

  /**
   * Stores a result: `body` becomes the notification of the invocation's effect key in the run's inbox.
   *
   * - Settling, notification, wake-up, and closing the run's open review of that effect key as `settled` MUST be one
   *   transaction, durable when the promise resolves.
   * - `accepted`: the token is the last one, even if its lease has ended, the invocation has lapsed, or the deadline
   *   has passed. Of concurrent results exactly one MUST be accepted.
   * - `repeated`: a result was already accepted under this token. The first body counts.
   * - `ended`: the invocation was withdrawn, its run has ended, or its run already had a notification of this effect.
   * - `stale`: any other token. `not_found`: this connection has no such invocation.
   * - With `claimFor`, a parked run MUST be claimed for that worker in the same transaction; a hot run stays with its
   *   owner.
   * - With `next` as well, that row MUST be committed in the same transaction by the rules of `runs.commit` when the
   *   run was parked and its inbox contains nothing else; the answer then has `continued`. When the row cannot be
   *   committed, the result MUST be stored as if `next` were absent. An adapter MAY ignore `next`.
   */
  settle(request: NewResult): Promise<InvocationSettlement>;

  /**
   * Marks acknowledged invocations that are not idempotent and whose lease has ended as lapsed, the earliest end first,
   * and notifies their runs: `body` becomes the notification `lapsedKeyOf(effectKey)`. Any node may call it at any
   * time.
   *
   * - Mark, notification and wake-up MUST be one transaction, and each invocation MUST be returned to one caller only.
   * - Invocations of runs that have ended MUST NOT be marked.
   */
  expireLeases(request: {
    readonly workspace: string;
    readonly limit: number;
    readonly body: string;
  }): Promise<readonly { readonly scope: Scope; readonly runId: string; readonly invocationId: string }[]>;

  /**
   * Withdraws an invocation that the run's owner no longer waits for, unless a client may have called the function.
   *
   * - `withdrawn`: it was queued, or it was leased, not acknowledged, and is not idempotent. It MUST NOT be
   *   acknowledged, leased or settled any more. Repeating the call MUST give the same answer.
   * - `acknowledged`: a client may have called it: it was acknowledged, or it is idempotent and was leased (clients call
   *   idempotent functions at once). It stays as it is.
   * - `lapsed`, `settled`: it stays as it is. The result of a settled one is in the inbox.
   */
  withdraw(request: {
    readonly scope: Scope;
    readonly runId: string;
    readonly effectKey: string;
  }): Promise<"withdrawn" | "acknowledged" | "lapsed" | "settled" | "not_found">;

  /**
   * Marks open invocations of a scope as acknowledged by clients that no longer exist. In a database that was restored
   * from a copy, clients may have called them since the copy was made. Idempotent invocations and those of ended runs
   * stay as they are.
   *
   * - At most `limit` MUST be marked, so that the transaction is short; fewer only when there are no more. Each is
   *   marked once.
   * - They MUST count as acknowledged under a lease that has ended: they are not leased any more, and `expireLeases`
   *   reports them. A result under the last token, if there was one, is accepted.
   * - Change and audit entry MUST be one transaction.
   */
  markUncertain(request: {
    readonly scope: Scope;
    readonly limit: number;
    readonly audit?: AuditEntry;
  }): Promise<{ readonly status: "marked"; readonly invocations: number } | { readonly status: "audit_behind" }>;

  /** The run's invocations, oldest first. */
  ofRun(request: { readonly scope: Scope; readonly runId: string }): Promise<readonly InvocationRow[]>;

  /** The open invocations of a connection: neither lapsed nor past their deadline, of runs that have not ended. */
  backlog(request: { readonly scope: Scope; readonly connectionId: string }): Promise<InvocationBacklog>;

  /**
   * Records that a client polled now.
   *
   * - A client is identified by connection, manifest and `clientId`. The last poll counts.
   * - Clients of the connection that have not polled for a day MUST be removed, and so MUST all but the {@link
   *   maxClientsKept} that polled last: a client may use another id in each poll.
   * - MUST NOT announce a change.
   */
  recordClient(request: {
    readonly scope: Scope;
    readonly connectionId: string;
    /** Digest of the functions that the client serves. */
    readonly manifest: string;
    /** @defaultValue `""`: clients without an id count as one */
    readonly clientId?: string;
    readonly version?: string;
  }): Promise<void>;

  /** The clients that have polled, the most recent first. */
  listClients(request: { readonly scope: Scope; readonly connectionId: string }): Promise<readonly ClientPresence[]>;
}

/** Identifies a lease: a client that presents it may acknowledge and settle the invocation. */
export interface InvocationLease {
  /** Identifier of the invocation. */
  readonly invocationId: string;
  /** The secret of the lease, which only its client knows. */
  readonly leaseToken: string;
}

/** An invocation that a client now holds. */
export interface LeasedInvocation extends InvocationLease {
  /** The run that makes the call. */
  readonly runId: string;
  /** Name of the function. */
  readonly functionName: string;
  /** Whether the call may be made again after its lease ended. */
  readonly idempotent: boolean;
  /** The call as the client receives it, as JSON text. */
  readonly payload: string;
  /** End of the lease, in milliseconds since the epoch. */
  readonly leaseEndsAtMs: number;
}

/** A client's result. */
export interface NewResult extends InvocationLease {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** The private connection of the client. */
  readonly connectionId: string;
  /** The result, as JSON text: the body of the notification. */
  readonly body: string;
  /**
   * The worker that claims the run if it is parked, in the same transaction. @defaultValue the run becomes claimable
   */
  readonly claimFor?: string;
  /**
   * The row with which the run continues when its inbox contains only this result, under the epoch of that claim. The
   * row consumes the notification.
   */
  readonly next?: RunCommit;
}

/** The answer to a result. */
export type InvocationSettlement =
  /** `continued`: the row `next` was committed, and the run is in the place that this row names. */
  | {
      readonly status: "accepted";
      /** The run, if this request claimed it. */
      readonly claimed: ClaimedRun | undefined;
      /** Present if the row `next` was committed. */
      readonly continued?: true;
    }
  | {
      /** Why the result was not stored; see {@link InvocationStore.settle}. */
      readonly status: "repeated" | "stale" | "ended" | "not_found";
    };

/** The status of an invocation; see {@link InvocationStore}. */
export type InvocationStatus = "queued" | "leased" | "acknowledged" | "lapsed" | "settled" | "withdrawn";

/** An invocation as it is stored, without its payload. */
export interface InvocationRow extends Omit<NewInvocation, "payload" | "lease"> {
  /** Status of the invocation. */
  readonly status: InvocationStatus;
  /** Time of the commit that created it, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** Present while it is leased or acknowledged. */
  readonly leaseEndsAtMs: number | undefined;
}

/** Numbers of queued and leased invocations, and the age of the oldest. */
export interface InvocationBacklog {
  /** Number of invocations that no client holds. */
  readonly queued: number;
  /** Leased or acknowledged, whether the lease has ended or not. */
  readonly leased: number;
  /** Time of the oldest queued invocation, in milliseconds since the epoch; `undefined` if none is queued. */
  readonly oldestQueuedAtMs: number | undefined;
}

/** A client of a private connection, as of its last poll. */
export interface ClientPresence {
  /** Digest of the manifest that the client serves. */
  readonly manifest: string;
  /** The client's description of itself; `""` for a client without an id. */
  readonly clientId: string;
  /** Version of the client's program; `undefined` if it stated none. */
  readonly version: string | undefined;
  /** Time of its last poll, in milliseconds since the epoch. */
  readonly lastSeenMs: number;
}

/** The effect key of the notification that an effect's invocation has lapsed. */
export function lapsedKeyOf(effectKey: string): string {
  return `lapsed:${effectKey}`;
}
