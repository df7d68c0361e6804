import type { DecideResult, NewDecision, RunCommit } from "@procedo/storage";
import { assertStorableCommit, outcomeOf } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { ReviewRows } from "./review-rows.ts";
import type { CommitOne } from "./sqlite-commit.ts";
import { queuedColumns, type QueuedRow, type SqliteQueue } from "./sqlite-queue.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** Decides within a write: its checks and its changes see no other decision in between. */
export type Decide = (turn: WriteTurn, decision: NewDecision) => DecideResult;

/** What a decision has to know of its review, and of the run that waits for it. */
interface DecidedReview extends QueuedRow {
  readonly review: number;
  readonly review_status: string;
  readonly effect_key: string;
  readonly ended_at_ms: number | null;
}

export function sqliteDecide(
  { db, scopes }: SqliteContext,
  reviews: ReviewRows,
  queue: SqliteQueue,
  commitOne: CommitOne,
): Decide {
  const selectFirst = prepare<{ body: string; runId: string }>(
    db,
    `SELECT decisions.body, run_id AS "runId" FROM decisions JOIN reviews USING (review) JOIN runs USING (run)
      WHERE workspace = ? AND idempotency_key = ?`,
  );
  const selectReview = prepare<DecidedReview>(
    db,
    `SELECT review, reviews.status AS review_status, effect_key, ended_at_ms, ${queuedColumns}
       FROM reviews JOIN runs USING (run) WHERE review_id = ? AND reviews.scope = ?`,
  );
  const selectEarlier = prepare<{ person: string; body: string }>(
    db,
    "SELECT person, body FROM decisions WHERE review = ? ORDER BY decision",
  );
  const insert = prepare(
    db,
    `INSERT INTO decisions (decision_id, review, person, workspace, idempotency_key, body, decided_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const closeReview = prepare(db, "UPDATE reviews SET status = ?, closed_at_ms = ? WHERE review = ?");
  const selectNotification = prepare<{ found: 1 }>(db, "SELECT 1 AS found FROM inbox WHERE run = ? AND effect_key = ?");
  const insertNotification = prepare(db, "INSERT INTO inbox (run, effect_key, body) VALUES (?, ?, ?)");
  const countNews = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM inbox WHERE run = ? AND consumed = 0",
  );

  function notOpen(scope: number, reviewId: string): DecideResult {
    const stored = reviews.find(scope, reviewId);
    return { status: "not_open", review: stored && reviews.rowOf(stored) };
  }

  /** Hands the run over and appends the row with which it goes on. */
  function goOn(turn: WriteTurn, run: QueuedRow, workerId: string, next: RunCommit): DecideResult {
    queue.handOver(run, workerId);
    const result = turn.part(() => commitOne(turn, next));
    return result.done && result.value.status === "committed"
      ? { status: "recorded", closed: true, claimed: undefined, wentOn: true }
      : { status: "recorded", closed: true, claimed: queue.claimed(run) };
  }

  return (turn, decision) => {
    const { scope, runId, reviewId, decisionId, person, approved, idempotencyKey, body, atMs } = decision;
    const first = selectFirst.get(scope.workspace, idempotencyKey);
    if (first !== undefined) {
      return first.runId === runId ? { status: "replayed", body: first.body } : { status: "key_reused" };
    }
    const number = scopes.find(scope);
    const stored = number === undefined ? undefined : selectReview.get(reviewId, number);
    if (number === undefined || stored?.run_id !== runId) return { status: "not_open", review: undefined };
    const { review, effect_key: effectKey, run } = stored;
    if (stored.review_status !== "open") return notOpen(number, reviewId);
    const earlier = selectEarlier.all(review);
    if (earlier.some((vote) => vote.person === person)) return { status: "already_voted" };

    const closes = !approved || earlier.length + 1 >= decision.approvalsNeeded;
    if (closes && (stored.ended_at_ms !== null || selectNotification.get(run, effectKey) !== undefined)) {
      closeReview.run("settled", atMs, review);
      return notOpen(number, reviewId);
    }
    insert.run(decisionId, review, person, scope.workspace, idempotencyKey, body, atMs);
    if (!closes) return { status: "recorded", closed: false, claimed: undefined };

    closeReview.run(approved ? "approved" : "rejected", atMs, review);
    insertNotification.run(run, effectKey, outcomeOf([...earlier.map((vote) => vote.body), body]));
    const { claimFor, next } = decision;
    const parked = stored.worker_id === null;
    if (parked && claimFor !== undefined && next !== undefined && isStorable(next)) {
      if (countNews.get(run)?.count === 1) return goOn(turn, stored, claimFor, next);
    }
    return { status: "recorded", closed: true, claimed: queue.wake(turn, stored, claimFor) };
  };
}

/** A row that cannot be stored is no reason to refuse the decision. */
function isStorable(row: RunCommit): boolean {
  try {
    assertStorableCommit(row);
    return true;
  } catch {
    return false;
  }
}
