import type { NewDecision } from "@procedo/storage";
import type { StoredReview } from "./review-rows.ts";
import { selectReviews } from "./review-rows.ts";
import type { SqlValue, Statement } from "./statement.ts";

/** The facts for a decision: the first use of its key, the review, and the obstacles. */
export interface Findings extends StoredReview {
  /** Position of the decision in the request, from 1. */
  readonly number: number;
  readonly first_body: string | null;
  readonly first_run_id: string | null;
  readonly found: boolean;
  /** The people who have decided on this review, as they were stored. */
  readonly voters: readonly string[];
  /** Whether the run already has a notification for the effect, or has ended. */
  readonly too_late: boolean;
}

/** The changes to a review: a decision is stored, the review is closed, or both. */
export interface ReviewChange {
  readonly found: Findings;
  readonly decision: NewDecision;
  /** Whether the decision is stored. */
  readonly stored: boolean;
  readonly closesAs: "approved" | "rejected" | "settled" | undefined;
  /** The body of the notification for the run. */
  readonly outcome: string | undefined;
}

/** Locks runs in the order of their ids, as every transaction does. */
export function lockStatement(schema: string): Statement {
  return {
    name: "decide-lock",
    text: `SELECT run_id FROM ${schema}.runs WHERE run_id = ANY ($1::text[]) ORDER BY run_id FOR NO KEY UPDATE`,
  };
}

/** Single rows are read by limited subqueries, so that plans from the time of empty tables find them by key. */
export function findStatement(schema: string): Statement {
  return {
    name: "decide-read",
    text: `SELECT number, first.body AS first_body, first.run_id AS first_run_id, stored.*,
                  stored.review IS NOT NULL AS found,
                  ARRAY(SELECT decisions.person FROM ${schema}.decisions WHERE decisions.review = stored.review) AS voters,
                  run.ended OR inbox.notified IS TRUE AS too_late
             FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY
                    AS asked (review_id, run_id, workspace, environment, idempotency_key, number)
             LEFT JOIN LATERAL (
               SELECT body, run_id FROM ${schema}.decisions
                WHERE decisions.workspace = asked.workspace AND decisions.environment = asked.environment
                  AND decisions.idempotency_key = asked.idempotency_key LIMIT 1
             ) AS first ON true
             LEFT JOIN LATERAL (
               ${selectReviews(schema)} WHERE reviews.review_id = asked.review_id LIMIT 1
             ) AS stored ON (stored.run_id, stored.workspace, stored.environment)
                          = (asked.run_id, asked.workspace, asked.environment)
             LEFT JOIN LATERAL (
               SELECT ended_at_ms IS NOT NULL AS ended FROM ${schema}.runs WHERE runs.run_id = asked.run_id LIMIT 1
             ) AS run ON true
             LEFT JOIN LATERAL (
               SELECT true AS notified FROM ${schema}.inbox
                WHERE inbox.run_id = asked.run_id AND inbox.effect_key = stored.effect_key LIMIT 1
             ) AS inbox ON true
            ORDER BY number`,
  };
}

export function findValues(decisions: readonly NewDecision[]): readonly SqlValue[] {
  return [
    decisions.map(({ reviewId }) => reviewId),
    decisions.map(({ runId }) => runId),
    decisions.map(({ scope }) => scope.workspace),
    decisions.map(({ scope }) => scope.environment),
    decisions.map(({ idempotencyKey }) => idempotencyKey),
  ];
}

/**
 * Stores decisions and closes reviews. Returns the changes that were carried out; the idempotency keys of the others
 * were used in the meantime. Keys are inserted in order: of two transactions with the same key, the second waits for
 * the first, and then finds the key in use.
 */
export function writeStatement(schema: string): Statement {
  return {
    name: "decide-write",
    text: `
      WITH change AS MATERIALIZED (
        SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[],
                             $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[])
                        WITH ORDINALITY
                 AS change (review, review_id, run_id, stored, closes_as, effect_key, outcome, decision_id, person,
                             workspace, environment, idempotency_key, body, at_ms, number)
      ), inserted AS (
        INSERT INTO ${schema}.decisions
          (review, person, decision_id, run_id, workspace, environment, idempotency_key, body, decided_at_ms)
        SELECT review, person, decision_id, run_id, workspace, environment, idempotency_key, body, at_ms
          FROM change WHERE stored ORDER BY workspace, environment, idempotency_key
        ON CONFLICT DO NOTHING RETURNING review
      ), carried_out AS MATERIALIZED (
        SELECT * FROM change WHERE NOT stored OR review = ANY (ARRAY(SELECT review FROM inserted))
      ), closed AS (
        UPDATE ${schema}.reviews SET status = closes_as, closed_at_ms = at_ms
          FROM carried_out WHERE reviews.review_id = carried_out.review_id AND closes_as IS NOT NULL
      ), notified AS (
        INSERT INTO ${schema}.inbox (run_id, effect_key, body)
        SELECT run_id, effect_key, outcome FROM carried_out WHERE outcome IS NOT NULL
      )
      SELECT number FROM carried_out`,
  };
}

export function writeValues(changes: readonly ReviewChange[]): readonly SqlValue[] {
  return [
    changes.map(({ found }) => found.review),
    changes.map(({ found }) => found.review_id),
    changes.map(({ found }) => found.run_id),
    changes.map(({ stored }) => stored),
    changes.map(({ closesAs }) => closesAs ?? null),
    changes.map(({ found }) => found.effect_key),
    changes.map(({ outcome }) => outcome ?? null),
    changes.map(({ decision }) => decision.decisionId),
    changes.map(({ decision }) => decision.person),
    changes.map(({ decision }) => decision.scope.workspace),
    changes.map(({ decision }) => decision.scope.environment),
    changes.map(({ decision }) => decision.idempotencyKey),
    changes.map(({ decision }) => decision.body),
    changes.map(({ decision }) => decision.atMs),
  ];
}
