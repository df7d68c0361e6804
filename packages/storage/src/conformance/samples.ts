import type { Environment } from "@procedo/contract";
import type { AuditEntry } from "../audit.ts";
import type { BudgetAmount, Reservation } from "../budgets.ts";
import type { ClaimedDelivery, ClaimLimits, DeliverySettlement } from "../deliveries.ts";
import type { Post } from "../inbox.ts";
import type { NewInvocation } from "../new-invocation.ts";
import type { NewVersion } from "../procedures.ts";
import type { NewRecord } from "../records.ts";
import type { NewDecision } from "../reviews.ts";
import type { NewEvent } from "../new-event.ts";
import type { NewReview } from "../new-review.ts";
import type { CommitResult, RunCommit, RunCreation, RunPlace, RunStore } from "../runs.ts";
import type { Scope } from "../scope.ts";
import type { SessionRow } from "../sessions.ts";
import { startMs } from "./harness.ts";

export const workspace = "acme";
export const sandbox: Scope = { workspace, environment: "sandbox" };
export const live: Scope = { workspace, environment: "live" };
export const elsewhere: Scope = { workspace: "globex", environment: "sandbox" };

export const worker = "worker-1";
export const otherWorker = "worker-2";
export const hot = { kind: "hot", workerId: worker } as const satisfies RunPlace;

export function parked(wakeAtMs?: number): RunPlace {
  return { kind: "parked", status: "running", wakeAtMs };
}

export const awaiting = {
  kind: "parked",
  status: "awaiting_review",
  wakeAtMs: undefined,
} as const satisfies RunPlace;

export const completed = { kind: "ended", status: "completed", endedAtMs: startMs + 500 } as const satisfies RunPlace;

/** The row that creates a run, owned by `worker` unless a test changes it. */
export function firstRow(
  runId: string,
  changes: Partial<Omit<RunCommit, "create">> & { readonly create?: Partial<RunCreation> } = {},
): RunCommit {
  const creation = { procedureId: "vendor-payment", procedureVersion: "v1", createdAtMs: startMs, startedBy: "key-1" };
  return { ...row(runId, 1), ...changes, create: { ...creation, ...changes.create } };
}

/** A row of a run that `worker` owns, before and after it. */
export function row(runId: string, seq: number, changes: Partial<RunCommit> = {}): RunCommit {
  return {
    scope: sandbox,
    runId,
    epoch: 1,
    seq,
    hash: `hash-${runId}-${seq}`,
    body: JSON.stringify({ runId, seq }),
    then: hot,
    ...changes,
  };
}

/** Commits concurrently, and returns each result in its place. */
export function commitAll(runs: RunStore, commits: readonly RunCommit[]): Promise<readonly CommitResult[]> {
  return Promise.all(commits.map((commit) => runs.commit(commit)));
}

export function review(reviewId: string, changes: Partial<NewReview> = {}): NewReview {
  return {
    reviewId,
    nodeId: "approve",
    kind: "human_review",
    title: "Pay 100?",
    body: `{"shown":"${reviewId}"}`,
    digest: `digest-${reviewId}`,
    effectKey: `effect-${reviewId}`,
    openedAtMs: startMs,
    ...changes,
  };
}

/** A run that waits for the review with this id. */
export function waitingRun(runId: string, reviewId: string, changes: Partial<NewReview> = {}): RunCommit {
  return firstRow(runId, { openReview: review(reviewId, changes), then: awaiting });
}

export function invocation(invocationId: string, changes: Partial<NewInvocation> = {}): NewInvocation {
  return {
    invocationId,
    connectionId: "connection-1",
    functionName: "screen",
    idempotent: false,
    payload: `{"call":"${invocationId}"}`,
    effectKey: `effect-${invocationId}`,
    deadlineMs: startMs + 60_000,
    ...changes,
  };
}

/** A run that waits for the invocation with this id. */
export function invokingRun(
  runId: string,
  invocationId: string,
  changes: Partial<NewInvocation> = {},
  commit: Parameters<typeof firstRow>[1] = {},
): RunCommit {
  const call = invocation(invocationId, changes);
  return firstRow(runId, { invocation: call, then: parked(call.deadlineMs), ...commit });
}

/** The default reservation of `run-1`: 10 of `budget-1`, with a limit of 100. */
export function reservation(key: string, changes: Partial<Reservation> = {}): Reservation {
  return { scope: sandbox, key, runId: "run-1", amounts: [share("budget-1", 10, 100)], ...changes };
}

/** @param atMost omitted for no limit */
export function share(budget: string, amount: number, atMost?: number): BudgetAmount {
  return { budget, amount, atMost };
}

export function event(eventId: string, changes: Partial<NewEvent> = {}): NewEvent {
  return { eventId, event: "run_completed", createdAtMs: startMs, data: `{"event":"${eventId}"}`, ...changes };
}

export function post(runId: string, effectKey: string, changes: Partial<Post> = {}): Post {
  return { scope: sandbox, runId, effectKey, body: `{"effect":"${effectKey}"}`, ...changes };
}

/** One person's approval. It completes the review unless `approvalsNeeded` is larger. */
export function decision(runId: string, reviewId: string, changes: Partial<NewDecision> = {}): NewDecision {
  const person = changes.person ?? "ada";
  return {
    scope: sandbox,
    runId,
    reviewId,
    decisionId: `decision-${reviewId}-${person}`,
    person,
    approved: true,
    idempotencyKey: `key-${reviewId}-${person}`,
    body: JSON.stringify({ person, approved: changes.approved ?? true }),
    approvalsNeeded: 1,
    atMs: startMs + 100,
    ...changes,
  };
}

export function audit(seq: number): AuditEntry {
  return { seq, hash: `audit-${seq}`, body: `{"seq":${seq}}` };
}

export function version(name: string, changes: Partial<NewVersion> = {}): NewVersion {
  return {
    workspace: "acme",
    procedureId: "vendor-payment",
    version: name,
    name: `Vendor payment ${name}`,
    document: `{"version":"${name}"}`,
    publishedBy: "ada",
    publishedAtMs: startMs,
    ...changes,
  };
}

export function record(id: string, changes: Partial<NewRecord> = {}): NewRecord {
  return {
    workspace: "acme",
    kind: "connection",
    id,
    environment: "sandbox",
    body: `{"id":"${id}"}`,
    uniqueKeys: [],
    keys: [],
    ...changes,
  };
}

/** A live session of one person, with the digest `digest-` and this id. */
export function session(sessionId: string, changes: Partial<SessionRow> = {}): SessionRow {
  return {
    digest: `digest-${sessionId}`,
    workspace,
    personId: "per-1",
    sessionId,
    createdAtMs: startMs,
    seenAtMs: startMs,
    idleEndsAtMs: startMs + 1_000,
    endsAtMs: startMs + 10_000,
    ...changes,
  };
}

/** The same limits for both environments. */
export function claimLimits(total: number, perWebhook = 100): Readonly<Record<Environment, ClaimLimits>> {
  return { sandbox: { total, perWebhook }, live: { total, perWebhook } };
}

/** The settlement of a delivery that the receiver accepted. */
export function accepted({ scope, deliveryId, epoch, manual }: ClaimedDelivery): DeliverySettlement {
  const answer = { atMs: startMs + 5, tookMs: 5, url: "https://receiver.test/hook", responseCode: 200 };
  return {
    scope,
    deliveryId,
    epoch,
    attempt: { ...answer, failure: undefined, manual },
    next: { status: "delivered" },
  };
}

/** The settlement of a delivery that the receiver refused, and that will be retried. */
export function refused({ scope, deliveryId, epoch, manual }: ClaimedDelivery, dueAtMs: number): DeliverySettlement {
  const answer = { atMs: startMs + 5, tookMs: 5, url: "https://receiver.test/hook", responseCode: 503 };
  return {
    scope,
    deliveryId,
    epoch,
    attempt: { ...answer, failure: "status", manual },
    error: "The receiver answered 503.",
    next: { status: "pending", dueAtMs },
  };
}

export const committed = { status: "committed" } as const;
export const fenced = { status: "fenced" } as const;
