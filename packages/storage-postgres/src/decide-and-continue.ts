import type { NewDecision, RunCommit } from "@procedo/storage";
import { isStorableCommit, decidedBody } from "@procedo/storage";
import { fencedItems, journalRows } from "./commit-statement.ts";
import type { Database } from "./database.ts";
import { itemArrays, type ItemColumn } from "./item-rows.ts";
import type { Statement } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

/** Decisions that close a review and resume its run with a row. Most are of this kind, and take one statement. */
export interface DecideAndContinue {
  /** Whether a decision is of this kind. Storage may still reject it. */
  takes(decision: NewDecision): decision is ContinuingDecision;

  /**
   * Stores decisions and the rows that follow. A decision is either stored completely or changes nothing.
   *
   * @returns the decisions that were stored
   */
  decide(decisions: readonly ContinuingDecision[]): Promise<ReadonlySet<NewDecision>>;
}

/** A decision with the row that follows from it. */
export type ContinuingDecision = NewDecision & { readonly next: RunCommit };

type DecisionColumn = ItemColumn<ContinuingDecision>;

const columns: readonly DecisionColumn[] = [
  { name: "run_id", type: "text", valueOf: ({ runId }) => runId },
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "review_id", type: "text", valueOf: ({ reviewId }) => reviewId },
  { name: "decision_id", type: "text", valueOf: ({ decisionId }) => decisionId },
  { name: "person", type: "text", valueOf: ({ person }) => person },
  { name: "idempotency_key", type: "text", valueOf: ({ idempotencyKey }) => idempotencyKey },
  { name: "closes_as", type: "text", valueOf: ({ approved }) => (approved ? "approved" : "rejected") },
  { name: "at_ms", type: "bigint", valueOf: ({ atMs }) => atMs },
  { name: "worker_id", type: "text", valueOf: ({ claimFor }) => claimFor ?? "" },
  { name: "effect_key", type: "text", valueOf: ({ next }) => next.consume?.[0] ?? "" },
  { name: "epoch", type: "integer", valueOf: ({ next }) => next.epoch },
  { name: "seq", type: "integer", valueOf: ({ next }) => next.seq },
  { name: "hash", type: "text", valueOf: ({ next }) => next.hash },
];

/** Bodies are inserted directly from their arrays. No other part of the statement copies them. */
const bodies: readonly DecisionColumn[] = [
  { name: "row", type: "text", valueOf: ({ next }) => next.body },
  { name: "decision", type: "text", valueOf: ({ body }) => body },
  { name: "outcome", type: "text", valueOf: ({ body }) => decidedBody([body]) },
];

export function decideAndContinue(database: Database): DecideAndContinue {
  const statement = decideAndContinueStatement(database.schema);
  return {
    takes: (decision): decision is ContinuingDecision => {
      const { scope, runId, approvalsNeeded, claimFor, next } = decision;
      return (
        next !== undefined &&
        approvalsNeeded === 1 &&
        next.runId === runId &&
        next.scope.workspace === scope.workspace &&
        next.scope.environment === scope.environment &&
        next.then.kind === "hot" &&
        next.then.workerId === claimFor &&
        next.consume?.length === 1 &&
        !hasMore(next) &&
        isStorableCommit(next)
      );
    },

    async decide(decisions) {
      const values = itemArrays([...columns, ...bodies], decisions);
      const [answer] = await database.query<{ carried_out: readonly number[] | null }>(statement, values);
      return new Set((answer?.carried_out ?? []).flatMap((ordinal) => decisions[ordinal - 1] ?? []));
    },
  };
}

/** Whether the row has effects besides the notification that it consumes. */
function hasMore({ create, openReview, closeReview, invocation, settle, events }: RunCommit): boolean {
  return [create, openReview, closeReview, invocation, settle, events].some((effect) => effect !== undefined);
}

/**
 * A run that passes the fence is parked, under the epoch before that of the row, and has no unread notification. Any
 * write that decides or closes its review, or notifies it, changes one of these facts. This statement therefore sees
 * the current review and inbox.
 */
function decideAndContinueStatement(schema: string): Statement {
  const [decision, outcome] = [1, 2].map((index) => `($${columns.length + index + 1}::text[])[ord]`);
  const fit = fencedItems(schema, columns, {
    heldEpoch: "item.epoch - 1",
    select: "item.*, review.review",
    join: `CROSS JOIN LATERAL (SELECT review FROM ${schema}.reviews
                         WHERE reviews.review_id = item.review_id
                           AND ${matchesUnindexed("run_id, effect_key, status", "item.run_id, item.effect_key, 'open'")} LIMIT 1) AS review`,
    condition: `run.worker_id IS NULL AND run.unread = 0
     AND (SELECT true FROM ${schema}.decisions WHERE decisions.workspace = item.workspace
             AND decisions.environment = item.environment AND decisions.idempotency_key = item.idempotency_key) IS NOT TRUE`,
  });
  return {
    name: "decide-and-continue",
    text: `
WITH fit AS MATERIALIZED (${fit}
), placed AS (
  UPDATE ${schema}.runs SET status = 'running', epoch = fit.epoch, worker_id = fit.worker_id, wake_at_ms = NULL
    FROM fit WHERE runs.run_id = fit.run_id
), closed AS (
  UPDATE ${schema}.reviews SET status = closes_as, closed_at_ms = at_ms FROM fit WHERE reviews.review_id = fit.review_id
), decided AS (
  INSERT INTO ${schema}.decisions
    (review, person, decision_id, run_id, workspace, environment, idempotency_key, body, decided_at_ms)
  SELECT review, person, decision_id, run_id, workspace, environment, idempotency_key, ${decision}, at_ms
    FROM fit ORDER BY workspace, environment, idempotency_key
), notified AS (
  INSERT INTO ${schema}.inbox (run_id, effect_key, body, consumed) SELECT run_id, effect_key, ${outcome}, true FROM fit
), ${journalRows(schema, columns)}
SELECT array_agg(ord::integer) AS carried_out FROM fit`,
  };
}
