import { normalName } from "@procedo/contract";
import type { DecideResult, NewDecision } from "@procedo/storage";
import { decidedBody } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { NotifiedRun, WakeOrResume } from "./resume-on-notification.ts";
import type { ReviewRows } from "./review-rows.ts";
import { notifiedColumns } from "./sqlite-queue.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** Decides within a write: no other decision happens between its checks and its changes. */
export type Decide = (turn: WriteTurn, decision: NewDecision) => DecideResult;

/** The state of a review and its run that a decision needs. */
interface DecidedReview extends NotifiedRun {
  readonly review: number;
  readonly review_status: string;
  readonly effect_key: string;
  readonly ended_at_ms: number | null;
  /** 1 when the review already has a decision. */
  readonly has_votes: number;
}

export function sqliteDecide({ db, scopes }: SqliteContext, reviews: ReviewRows, wakeOrResume: WakeOrResume): Decide {
  const selectFirst = prepare<{ body: string; runId: string }>(
    db,
    `SELECT decisions.body, run_id AS "runId" FROM decisions JOIN reviews USING (review) JOIN runs USING (run)
      WHERE decisions.scope = ? AND idempotency_key = ?`,
  );
  const selectReview = prepare<DecidedReview>(
    db,
    `SELECT review, reviews.status AS review_status, effect_key, ${notifiedColumns},
            EXISTS (SELECT 1 FROM decisions WHERE decisions.review = reviews.review) AS has_votes
       FROM reviews JOIN runs USING (run) WHERE review_id = ? AND reviews.scope = ?`,
  );
  const selectEarlier = prepare<{ person: string; body: string }>(
    db,
    "SELECT person, body FROM decisions WHERE review = ? ORDER BY decision",
  );
  const insert = prepare(
    db,
    `INSERT INTO decisions (decision_id, review, person, scope, idempotency_key, body, decided_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const closeReview = prepare(db, "UPDATE reviews SET status = ?, closed_at_ms = ? WHERE review = ?");
  const selectNotification = prepare<{ found: 1 }>(db, "SELECT 1 AS found FROM inbox WHERE run = ? AND effect_key = ?");

  function notOpen(scope: number, reviewId: string): DecideResult {
    const stored = reviews.find(scope, reviewId);
    return { status: "not_open", review: stored && reviews.rowOf(stored) };
  }

  return (turn, decision) => {
    const { scope, runId, reviewId, decisionId, person, approved, idempotencyKey, body, atMs } = decision;
    const number = scopes.find(scope);
    if (number === undefined) return { status: "not_open", review: undefined };
    const first = selectFirst.get(number, idempotencyKey);
    if (first !== undefined) {
      return first.runId === runId ? { status: "replayed", body: first.body } : { status: "key_reused" };
    }
    const stored = selectReview.get(reviewId, number);
    if (stored?.run_id !== runId) return { status: "not_open", review: undefined };
    const { review, effect_key: effectKey, run } = stored;
    if (stored.review_status !== "open") return notOpen(number, reviewId);
    const earlier = stored.has_votes === 1 ? selectEarlier.all(review) : [];
    if (earlier.some((vote) => normalName(vote.person) === normalName(person))) return { status: "already_voted" };

    const closes = !approved || earlier.length + 1 >= decision.approvalsNeeded;
    if (closes && (stored.ended_at_ms !== null || selectNotification.get(run, effectKey) !== undefined)) {
      closeReview.run("settled", atMs, review);
      return notOpen(number, reviewId);
    }
    insert.run(decisionId, review, person, number, idempotencyKey, body, atMs);
    if (!closes) return { status: "recorded", closed: false, claimed: undefined };

    closeReview.run(approved ? "approved" : "rejected", atMs, review);
    const notification = { effectKey, body: decidedBody([...earlier.map((vote) => vote.body), body]) };
    return {
      status: "recorded",
      closed: true,
      ...wakeOrResume(turn, stored, notification, decision.claimFor, decision.next),
    };
  };
}
