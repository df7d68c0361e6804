import type { DecideResult, NewDecision, ReviewStatus } from "@procedo/storage";
import { outcomeOf } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { ReviewRows, StoredReview } from "./review-rows.ts";
import type { SqliteQueue } from "./sqlite-queue.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** Decides within a write: its checks and its changes see no other decision in between. */
export type Decide = (turn: WriteTurn, decision: NewDecision) => DecideResult;

export function sqliteDecide({ db, scopes }: SqliteContext, reviews: ReviewRows, queue: SqliteQueue): Decide {
  const selectFirst = prepare<{ body: string; runId: string }>(
    db,
    `SELECT decisions.body, run_id AS "runId" FROM decisions JOIN reviews USING (review) JOIN runs USING (run)
      WHERE workspace = ? AND idempotency_key = ?`,
  );
  const selectVote = prepare<{ found: 1 }>(db, "SELECT 1 AS found FROM decisions WHERE review = ? AND person = ?");
  const insert = prepare(
    db,
    `INSERT INTO decisions (decision_id, review, person, workspace, idempotency_key, body, decided_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const closeReview = prepare(db, "UPDATE reviews SET status = ?, closed_at_ms = ? WHERE review = ?");
  const selectObstacle = prepare<{ found: 1 }>(
    db,
    `SELECT 1 AS found FROM runs WHERE run = ?1 AND ended_at_ms IS NOT NULL
      UNION ALL SELECT 1 FROM inbox WHERE run = ?1 AND effect_key = ?2`,
  );
  const insertNotification = prepare(db, "INSERT INTO inbox (run, effect_key, body) VALUES (?, ?, ?)");

  function close(stored: StoredReview, status: ReviewStatus, atMs: number): StoredReview {
    closeReview.run(status, atMs, stored.review);
    return { ...stored, status, closed_at_ms: atMs };
  }

  return (turn, decision) => {
    const { scope, runId, reviewId, decisionId, person, approved, idempotencyKey, body, atMs } = decision;
    const first = selectFirst.get(scope.workspace, idempotencyKey);
    if (first !== undefined) {
      return first.runId === runId ? { status: "replayed", body: first.body } : { status: "key_reused" };
    }
    const number = scopes.find(scope);
    const stored = number === undefined ? undefined : reviews.find(number, reviewId);
    if (stored?.run_id !== runId) return { status: "not_open", review: undefined };
    if (stored.status !== "open") return { status: "not_open", review: reviews.rowOf(stored) };
    if (selectVote.get(stored.review, person) !== undefined) return { status: "already_voted" };

    const closes = !approved || reviews.decisions(stored.review).length + 1 >= decision.approvalsNeeded;
    if (closes && selectObstacle.get(stored.run, stored.effect_key) !== undefined) {
      return { status: "not_open", review: reviews.rowOf(close(stored, "settled", atMs)) };
    }
    insert.run(decisionId, stored.review, person, scope.workspace, idempotencyKey, body, atMs);
    if (!closes) return { status: "recorded", closed: false, claimed: undefined };

    close(stored, approved ? "approved" : "rejected", atMs);
    insertNotification.run(stored.run, stored.effect_key, outcomeOf(reviews.decisions(stored.review)));
    return { status: "recorded", closed: true, claimed: queue.wake(turn, stored.run, decision.claimFor) };
  };
}
