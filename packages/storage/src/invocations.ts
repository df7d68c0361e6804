import type { AuditEntry } from "./audit.ts";
import type { ClaimedRun, RunCommit } from "./runs.ts";
import type { Scope } from "./scope.ts";

/** Clients that are kept of one connection in one environment. */
export const maxClientsKept = 1_000;

/**
 * Calls of functions behind private connections. `runs.commit` creates an **invocation** together with the row that holds
 * its intent; clients that poll lease it, and its result comes back into the run's inbox. A run that waits for one is a
 * parked row.
 *
 * An invocation is **queued**; **leased** once it was handed out, which the commit that creates it may do; **acknowledged**
 * once the client has extended its lease, which it does before it calls a function that is not idempotent. It ends as
 * **settled** by a result, **withdrawn** by the run, or **lapsed**: acknowledged and lost, so that its outcome is not known;
 * a result may settle it still.
 *
 * Leases are of the storage's clock, as workers' are.
 */
export interface InvocationStore {
  /**
   * Hands out invocations of one connection for `leaseMs`: queued ones, and leased or (if idempotent) acknowledged ones
   * whose lease has ended.
   *
   * - An invocation MUST be handed to one caller only, as `leased` under that caller's token; no older token holds it.
   * - Those whose lease ended MUST come first, in the order in which that happened, then queued ones, oldest first.
   * - None MUST be handed out at or after its deadline, nor when its run has ended, nor of a function that is not named.
   * - Callers that ask at the same time MAY get fewer than there are; then `invocable` is told once more.
   */
  lease(request: {
    readonly scope: Scope;
    readonly connectionId: string;
    /** Those that the caller can call. */
    readonly functions: readonly string[];
    readonly limit: number;
    readonly leaseMs: number;
    /** Never used before; all that this call hands out carry it. */
    readonly leaseToken: string;
  }): Promise<readonly LeasedInvocation[]>;

  /**
   * Makes leases end `leaseMs` from now, and acknowledges what was not yet. Answers each in its place: the client holds it,
   * or is to leave it.
   *
   * - A lease that has ended MUST be held again when its invocation was neither handed on nor reported as lapsed.
   * - MUST be `lapsed`: one that was reported so, under its last token, while its run has not ended. It stays as it is; its
   *   result would still settle it.
   * - MUST be `lost`: an unknown id, one of another connection, another token than the last, an invocation that is settled
   *   or withdrawn, one whose run has ended, and one that no client acknowledged before its deadline.
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
   * - `accepted`: under the last token, whether its lease has ended or lapsed, and whatever the deadline. Of many one MUST
   *   be accepted.
   * - `repeated`: the token under which it was accepted; the first body counts.
   * - `ended`: the invocation was withdrawn, its run has ended, or the run was told of this effect by somebody else.
   * - `stale`: any other token. `not_found`: no such invocation of this connection.
   * - With `claimFor`, a parked run MUST be handed to that worker in the same transaction; a hot run stays where it is.
   * - With `next` as well, that row MUST be committed in the same transaction by the rules of `runs.commit` where the run
   *   was parked and has nothing else to read; then it is answered `wentOn`. Where it cannot be committed, the result MUST
   *   be stored as without it. An adapter MAY leave `next` out of account.
   */
  settle(request: NewResult): Promise<InvocationSettlement>;

  /**
   * Marks acknowledged invocations that are not idempotent and whose lease has ended as lapsed, those first whose lease
   * ended first, and tells their runs: `body` becomes the notification `lapsedKeyOf(effectKey)`. Any node may ask at any
   * time.
   *
   * - Mark, notification and wake-up MUST be one transaction, and each invocation MUST be answered once, whoever asks.
   * - None of a run that has ended.
   */
  lapse(request: {
    readonly workspace: string;
    readonly limit: number;
    readonly body: string;
  }): Promise<readonly { readonly scope: Scope; readonly runId: string; readonly invocationId: string }[]>;

  /**
   * For the run's owner, who waits no longer: takes back an invocation that no client can have begun with, and tells what
   * is known of any other.
   *
   * - `withdrawn`: it was queued, or handed out and not acknowledged though it is not idempotent. It MUST NOT be
   *   acknowledged, handed out or settled any more. Answered again whenever it is asked again.
   * - `acknowledged`: a client may have called it: it was acknowledged, or it is idempotent and was handed out (clients
   *   call idempotent functions at once). It stays as it is.
   * - `lapsed`, `settled`: it stays as it is; of the settled one the result is in the inbox.
   */
  withdraw(request: {
    readonly scope: Scope;
    readonly runId: string;
    readonly effectKey: string;
  }): Promise<"withdrawn" | "acknowledged" | "lapsed" | "settled" | "not_found">;

  /**
   * Takes the open invocations of a scope that are not idempotent, of runs that have not ended, for begun with by clients that are gone: in a database that
   * was restored they may have been called since.
   *
   * - At most `limit` MUST be taken, so that the transaction is short; fewer only when there are no more. None is taken twice.
   * - They MUST count as acknowledged under a lease that has ended: not handed out any more, and reported by `lapse`. A
   *   result under the last token, if there was one, is accepted.
   * - Change and audit entry MUST be one transaction.
   */
  lose(request: {
    readonly scope: Scope;
    readonly limit: number;
    readonly audit?: AuditEntry;
  }): Promise<{ readonly status: "lost"; readonly invocations: number } | { readonly status: "audit_behind" }>;

  /** The run's invocations, oldest first. */
  ofRun(request: { readonly scope: Scope; readonly runId: string }): Promise<readonly InvocationRow[]>;

  /** What is open of a connection: neither lapsed nor past its deadline, of runs that have not ended. */
  backlog(request: { readonly scope: Scope; readonly connectionId: string }): Promise<InvocationBacklog>;

  /**
   * Notes that a client has polled now.
   *
   * - A client is known by connection, manifest and `clientId`; the last poll counts.
   * - Clients of the connection that have not polled for a day MUST be forgotten, and so MUST all but the {@link maxClientsKept} that
   *   polled last: a client may give itself another name for each poll.
   * - MUST NOT announce a change.
   */
  seen(request: {
    readonly scope: Scope;
    readonly connectionId: string;
    /** Digest of what the client serves. */
    readonly manifest: string;
    /** @defaultValue `""`: clients that do not say who they are count as one */
    readonly clientId?: string;
    readonly version?: string;
  }): Promise<void>;

  /** The clients that have polled, the last one first. */
  presence(request: { readonly scope: Scope; readonly connectionId: string }): Promise<readonly ClientPresence[]>;
}

/** What `RunCommit.invocation` creates; its run and scope are the commit's. */
export interface NewInvocation {
  /** Never used before, in whatever scope. */
  readonly invocationId: string;
  readonly connectionId: string;
  readonly functionName: string;
  /** Whether a call that was acknowledged and lost may be handed out again. */
  readonly idempotent: boolean;
  /** What is handed out, as JSON text. Kept until the invocation is settled, withdrawn or lapsed. */
  readonly payload: string;
  /** The notification that its result becomes; unique for the run. */
  readonly effectKey: string;
  /** From when on it is not handed out any more. */
  readonly deadlineMs: number;
  /**
   * Hands it out with the commit itself, for `leaseMs`, as `lease` would: it is leased when it is created, no change
   * announces it, and it is handed out again only once this lease has ended. At or after its deadline it MUST stay queued.
   */
  readonly handedTo?: { readonly leaseToken: string; readonly leaseMs: number };
}

/** Names a lease of an invocation: a client that shows it may acknowledge and settle. */
export interface InvocationLease {
  readonly invocationId: string;
  readonly leaseToken: string;
}

/** An invocation that a client now has. */
export interface LeasedInvocation extends InvocationLease {
  readonly runId: string;
  readonly functionName: string;
  readonly idempotent: boolean;
  readonly payload: string;
  readonly leaseEndsAtMs: number;
}

/** What a client answered. */
export interface NewResult extends InvocationLease {
  readonly scope: Scope;
  readonly connectionId: string;
  readonly body: string;
  readonly claimFor?: string;
  /**
   * The row with which the run goes on when this result is all that it has to read, under the epoch of that claim: it
   * consumes the notification.
   */
  readonly next?: RunCommit;
}

/** The outcome of a settled invocation. */
export type InvocationSettlement =
  /** `wentOn`: the row `next` is committed, and the run where that row says. */
  | { readonly status: "accepted"; readonly claimed: ClaimedRun | undefined; readonly wentOn?: true }
  | { readonly status: "repeated" | "stale" | "ended" | "not_found" };

/** Status of an invocation. */
export type InvocationStatus = "queued" | "leased" | "acknowledged" | "lapsed" | "settled" | "withdrawn";

/** An invocation as it is stored, without its payload. */
export interface InvocationRow extends Omit<NewInvocation, "payload" | "handedTo"> {
  readonly status: InvocationStatus;
  readonly createdAtMs: number;
  /** Of a leased or acknowledged one. */
  readonly leaseEndsAtMs: number | undefined;
}

/** Numbers of queued and leased invocations, and the age of the oldest. */
export interface InvocationBacklog {
  readonly queued: number;
  /** Leased or acknowledged, whether the lease has ended or not. */
  readonly leased: number;
  readonly oldestQueuedAtMs: number | undefined;
}

/** A client of a private connection, as it was last seen. */
export interface ClientPresence {
  readonly manifest: string;
  readonly clientId: string;
  readonly version: string | undefined;
  readonly lastSeenMs: number;
}

/** The effect key of the notification that the invocation of an effect has lapsed. */
export function lapsedKeyOf(effectKey: string): string {
  return `lapsed:${effectKey}`;
}
