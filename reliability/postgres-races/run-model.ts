import { decidedBody } from "../../packages/storage/src/decided-body.ts";
import type {
  ClaimedRun,
  CommitResult,
  DecideResult,
  NewDecision,
  Post,
  PostResult,
  RunCommit,
} from "@procedo/storage";

/**
 * One run as the port describes it, small enough to be tried in every order. Immutable: each step returns a new one.
 */
export interface ModelRun {
  readonly epoch: number;
  readonly hashes: readonly string[];
  readonly status: "running" | "awaiting_review" | "completed" | "failed";
  readonly place: ModelPlace;
  /** By effect key, in the order of arrival. */
  readonly inbox: Readonly<Record<string, { readonly body: string; readonly consumed: boolean }>>;
  readonly reviews: readonly ModelReview[];
  /** Bodies of decisions by idempotency key. */
  readonly decided: Readonly<Record<string, string>>;
  /** The ends of the workers' leases. */
  readonly leases: Readonly<Record<string, number>>;
}

export type ModelPlace =
  | { readonly kind: "hot"; readonly workerId: string }
  | { readonly kind: "parked"; readonly wakeAtMs: number | undefined }
  | { readonly kind: "ended" };

export interface ModelReview {
  readonly reviewId: string;
  readonly effectKey: string;
  readonly status: string;
  readonly votes: readonly { readonly person: string; readonly body: string }[];
}

/** The answer of a step, and the state after it. */
export interface Outcome<T> {
  readonly answer: T;
  readonly run: ModelRun;
}

/** A run before its first row. */
export const noRun: ModelRun = {
  epoch: 0,
  hashes: [],
  status: "running",
  place: { kind: "parked", wakeAtMs: undefined },
  inbox: {},
  reviews: [],
  decided: {},
  leases: {},
};

export function commitRow(run: ModelRun, item: RunCommit, nowMs: number): Outcome<CommitResult["status"]> {
  const unchanged = (answer: CommitResult["status"]): Outcome<CommitResult["status"]> => ({ answer, run });
  const taken = run.hashes[item.seq - 1];
  if (taken !== undefined) return unchanged(taken === item.hash && run.epoch === item.epoch ? "committed" : "fenced");
  const follows = item.seq === run.hashes.length + 1 && (item.create !== undefined) === (item.seq === 1);
  if (!follows || run.place.kind === "ended") return unchanged("fenced");
  if (item.create === undefined && run.epoch !== item.epoch) return unchanged("fenced");
  const inbox = consumed(run.inbox, item.consume ?? []);
  const hasUnread = Object.values(inbox).some((notification) => !notification.consumed);
  if (item.then.kind === "ended" && hasUnread) return unchanged("inbox_not_empty");
  const closed = item.closeReview === undefined ? run.reviews : closeOpen(run.reviews, item.closeReview.status);
  if (item.openReview !== undefined && closed.some(({ status }) => status === "open")) return unchanged("refused");
  const opened =
    item.openReview === undefined
      ? []
      : [{ reviewId: item.openReview.reviewId, effectKey: item.openReview.effectKey, status: "open", votes: [] }];
  const base = {
    ...run,
    epoch: item.epoch,
    hashes: [...run.hashes, item.hash],
    inbox,
    reviews: [...closed, ...opened],
  };
  return { answer: "committed", run: { ...base, ...placed(item.then, hasUnread, nowMs) } };
}

function placed(then: RunCommit["then"], hasUnread: boolean, nowMs: number): Pick<ModelRun, "status" | "place"> {
  switch (then.kind) {
    case "hot":
      return { status: "running", place: { kind: "hot", workerId: then.workerId } };
    case "ended":
      return { status: then.status, place: { kind: "ended" } };
    case "parked":
      return hasUnread
        ? { status: "running", place: { kind: "parked", wakeAtMs: earliest(then.wakeAtMs, nowMs) } }
        : { status: then.status, place: { kind: "parked", wakeAtMs: then.wakeAtMs } };
  }
}

export function acceptPost(
  run: ModelRun,
  { effectKey, body, closeReview, claimFor }: Post,
  nowMs: number,
): Outcome<PostResult> {
  if (run.hashes.length === 0) return { answer: { status: "unknown_run" }, run };
  const winner = run.inbox[effectKey];
  if (winner !== undefined) {
    return { answer: { status: "superseded", winner: { effectKey, body: winner.body } }, run };
  }
  if (run.place.kind === "ended") return { answer: { status: "ended" }, run };
  const reviews =
    closeReview === undefined
      ? run.reviews
      : closeOpen(run.reviews, closeReview, (review) => review.effectKey === effectKey);
  const told = { ...run, reviews, inbox: { ...run.inbox, [effectKey]: { body, consumed: false } } };
  const woken = wake(told, claimFor, nowMs);
  return { answer: { status: "accepted", claimed: woken.answer }, run: woken.run };
}

/** @param continuesRun whether the row `next` is stored if it may be; a storage is free not to store it */
export function decideOn(
  run: ModelRun,
  decision: NewDecision,
  nowMs: number,
  continuesRun: boolean,
): Outcome<DecideResult> {
  const first = run.decided[decision.idempotencyKey];
  if (first !== undefined) return { answer: { status: "replayed", body: first }, run };
  const at = run.reviews.findIndex(({ reviewId }) => reviewId === decision.reviewId);
  const review = run.reviews[at];
  if (review?.status !== "open") return { answer: { status: "not_open", review: undefined }, run };
  if (review.votes.some(({ person }) => person === decision.person)) {
    return { answer: { status: "already_voted" }, run };
  }
  const replaced = (change: Partial<ModelReview>): readonly ModelReview[] =>
    run.reviews.with(at, { ...review, ...change });
  const closes = !decision.approved || review.votes.length + 1 >= decision.approvalsNeeded;
  if (closes && (run.inbox[review.effectKey] !== undefined || run.place.kind === "ended")) {
    return {
      answer: { status: "not_open", review: undefined },
      run: { ...run, reviews: replaced({ status: "settled" }) },
    };
  }
  const votes = [...review.votes, { person: decision.person, body: decision.body }];
  const decided = { ...run.decided, [decision.idempotencyKey]: decision.body };
  if (!closes) {
    const answer = { status: "recorded", closed: false, claimed: undefined } as const;
    return { answer, run: { ...run, decided, reviews: replaced({ votes }) } };
  }
  const status = decision.approved ? "approved" : "rejected";
  const body = decidedBody(votes.map((vote) => vote.body));
  const inbox = { ...run.inbox, [review.effectKey]: { body, consumed: false } };
  const woken = wake({ ...run, decided, inbox, reviews: replaced({ votes, status }) }, decision.claimFor, nowMs);
  const recorded = { status: "recorded", closed: true } as const;
  if (continuesRun && decision.next !== undefined && woken.answer?.inbox.length === 1) {
    const next = commitRow(woken.run, decision.next, nowMs);
    if (next.answer === "committed")
      return { answer: { ...recorded, claimed: undefined, continued: true }, run: next.run };
  }
  return { answer: { ...recorded, claimed: woken.answer }, run: woken.run };
}

/** Claims the run; `undefined` if it is not claimable. */
export function claimRun(run: ModelRun, workerId: string, nowMs: number): Outcome<ClaimedRun> | undefined {
  if (!isClaimable(run, workerId, nowMs)) return undefined;
  const dueAtMs = run.place.kind === "parked" ? run.place.wakeAtMs : undefined;
  return handTo(run, workerId, { takenOver: run.place.kind === "hot", dueAtMs });
}

export function isClaimable({ place, leases }: ModelRun, workerId: string, nowMs: number): boolean {
  switch (place.kind) {
    case "hot":
      return place.workerId !== workerId && (leases[place.workerId] ?? 0) <= nowMs;
    case "parked":
      return place.wakeAtMs !== undefined && place.wakeAtMs <= nowMs;
    case "ended":
      return false;
  }
}

export function heartbeat(run: ModelRun, workerId: string, endsAtMs: number): ModelRun {
  return { ...run, leases: { ...run.leases, [workerId]: endsAtMs } };
}

export function endLease(run: ModelRun, workerId: string): ModelRun {
  return heartbeat(run, workerId, 0);
}

/** Parks the worker's runs, claimable at once. */
export function release(run: ModelRun, workerId: string, nowMs: number): ModelRun {
  return run.place.kind === "hot" && run.place.workerId === workerId
    ? { ...run, place: { kind: "parked", wakeAtMs: nowMs } }
    : run;
}

export function unreadKeys({ inbox }: ModelRun): readonly string[] {
  return Object.entries(inbox).flatMap(([effectKey, notification]) => (notification.consumed ? [] : [effectKey]));
}

function wake(run: ModelRun, claimFor: string | undefined, nowMs: number): Outcome<ClaimedRun | undefined> {
  if (run.place.kind !== "parked") return { answer: undefined, run };
  if (claimFor !== undefined) return handTo(run, claimFor, { takenOver: false, dueAtMs: undefined });
  const place = { kind: "parked", wakeAtMs: earliest(run.place.wakeAtMs, nowMs) } as const;
  return { answer: undefined, run: { ...run, status: "running", place } };
}

/** Compares only the parts of an answer that differ from run to run; the rest is stored data. */
function handTo(
  run: ModelRun,
  workerId: string,
  found: Pick<ClaimedRun, "takenOver" | "dueAtMs">,
): Outcome<ClaimedRun> {
  const held = { ...run, epoch: run.epoch + 1, status: "running", place: { kind: "hot", workerId } } as const;
  const answer: ClaimedRun = {
    scope: { workspace: "", environment: "sandbox" },
    runId: "",
    procedureId: "",
    procedureVersion: "",
    epoch: held.epoch,
    ...found,
    journal: run.hashes.map((hash, index) => ({ seq: index + 1, hash, body: "" })),
    inbox: unreadKeys(run).map((effectKey) => ({ effectKey, body: run.inbox[effectKey]?.body ?? "" })),
  };
  return { answer, run: held };
}

function consumed(inbox: ModelRun["inbox"], keys: readonly string[]): ModelRun["inbox"] {
  const entries = Object.entries(inbox);
  return Object.fromEntries(entries.map(([key, one]) => [key, keys.includes(key) ? { ...one, consumed: true } : one]));
}

function closeOpen(
  reviews: readonly ModelReview[],
  status: string,
  which: (review: ModelReview) => boolean = () => true,
): readonly ModelReview[] {
  return reviews.map((review) => (review.status === "open" && which(review) ? { ...review, status } : review));
}

function earliest(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.min(a, b);
}
