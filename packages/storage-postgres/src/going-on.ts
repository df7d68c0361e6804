import type { NewDecision, RunCommit } from "@procedo/storage";
import { isStorableCommit, outcomeOf } from "@procedo/storage";
import { arrayParameter, type ColumnType } from "./array-parameters.ts";
import { partsOf } from "./commit-columns.ts";
import type { Database } from "./database.ts";
import { having } from "./having.ts";
import type { Statement } from "./statement.ts";

/** Decisions that close a review and with which the run goes on by a row and nothing else: most are, and cost one statement. */
export interface GoingOn {
  /** Whether a decision is of this kind; storage may hold something against it all the same. */
  takes(decision: NewDecision): boolean;

  /**
   * Decides, and appends the rows. A decision is carried out as a whole, or nothing is changed for it.
   *
   * @returns those that were carried out
   */
  decide(decisions: readonly NewDecision[]): Promise<ReadonlySet<NewDecision>>;
}

interface DecisionColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly valueOf: (decision: NewDecision, next: RunCommit) => string | number;
}

const columns: readonly DecisionColumn[] = [
  { name: "run_id", type: "text", valueOf: ({ runId }) => runId },
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "review_id", type: "text", valueOf: ({ reviewId }) => reviewId },
  { name: "decision_id", type: "text", valueOf: ({ decisionId }) => decisionId },
  { name: "person", type: "text", valueOf: ({ person }) => person },
  { name: "idempotency_key", type: "text", valueOf: ({ idempotencyKey }) => idempotencyKey },
  { name: "decision", type: "text", valueOf: ({ body }) => body },
  { name: "outcome", type: "text", valueOf: ({ body }) => outcomeOf([body]) },
  { name: "closes_as", type: "text", valueOf: ({ approved }) => (approved ? "approved" : "rejected") },
  { name: "at_ms", type: "bigint", valueOf: ({ atMs }) => atMs },
  { name: "worker_id", type: "text", valueOf: ({ claimFor }) => claimFor ?? "" },
  { name: "effect_key", type: "text", valueOf: (_decision, { consume }) => consume?.[0] ?? "" },
  { name: "epoch", type: "integer", valueOf: (_decision, { epoch }) => epoch },
  { name: "seq", type: "integer", valueOf: (_decision, { seq }) => seq },
  { name: "hash", type: "text", valueOf: (_decision, { hash }) => hash },
  { name: "body", type: "text", valueOf: (_decision, { body }) => body },
];

export function goingOn(database: Database): GoingOn {
  const statement = goOnStatement(database.schema);
  return {
    takes: ({ scope, runId, approvalsNeeded, claimFor, next }) =>
      next !== undefined &&
      approvalsNeeded === 1 &&
      next.runId === runId &&
      next.scope.workspace === scope.workspace &&
      next.scope.environment === scope.environment &&
      next.then.kind === "hot" &&
      next.then.workerId === claimFor &&
      next.consume?.length === 1 &&
      partsOf([next]).join() === "consume" &&
      isStorableCommit(next),

    async decide(decisions) {
      const values = columns.map(({ type, valueOf }) =>
        arrayParameter(
          type,
          decisions.map((decision) => valueOf(decision, decision.next as RunCommit)),
        ),
      );
      const wentOn = await database.query<{ ord: number }>(statement, values);
      return new Set(wentOn.flatMap(({ ord }) => decisions[ord - 1] ?? []));
    },
  };
}

/**
 * The run's row is locked before anything is judged, as for commits. It tells whether the run is parked under the epoch before,
 * with nothing in its inbox that no row has consumed; whatever decides or closes its review, or tells it of something, changes
 * that. So what is read without a lock is as it was, or a unique key refuses the whole statement.
 */
function goOnStatement(schema: string): Statement {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ");
  const names = columns.map(({ name }) => name).join(", ");
  return {
    name: "decide-go-on",
    text: `
WITH judged AS MATERIALIZED (
  SELECT item.*, review.review
    FROM (SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS item (${names}, ord) ORDER BY run_id) AS item
    CROSS JOIN LATERAL (SELECT workspace, environment, epoch, worker_id, ended_at_ms, unread FROM ${schema}.runs
                         WHERE runs.run_id = item.run_id FOR NO KEY UPDATE) AS run
    CROSS JOIN LATERAL (SELECT review, effect_key FROM ${schema}.reviews
                         WHERE reviews.review_id = item.review_id
                           AND ${having("reviews.run_id, reviews.status", "item.run_id, 'open'")} LIMIT 1) AS review
   WHERE (run.workspace, run.environment, run.epoch) = (item.workspace, item.environment, item.epoch - 1)
     AND run.worker_id IS NULL AND run.ended_at_ms IS NULL AND run.unread = 0
     AND review.effect_key = item.effect_key
     AND (SELECT true FROM ${schema}.inbox WHERE inbox.run_id = item.run_id AND inbox.effect_key = item.effect_key) IS NOT TRUE
     AND (SELECT seq FROM ${schema}.journal WHERE journal.run_id = item.run_id ORDER BY seq DESC LIMIT 1) = item.seq - 1
), decided AS (
  INSERT INTO ${schema}.decisions
    (review, person, decision_id, run_id, workspace, idempotency_key, body, decided_at_ms)
  SELECT review, person, decision_id, run_id, workspace, idempotency_key, decision, at_ms
    FROM judged ORDER BY workspace, idempotency_key
  ON CONFLICT DO NOTHING RETURNING review
), fit AS MATERIALIZED (
  SELECT * FROM judged WHERE review = ANY (ARRAY(SELECT review FROM decided))
), closed AS (
  UPDATE ${schema}.reviews SET status = fit.closes_as, closed_at_ms = fit.at_ms FROM fit
   WHERE reviews.review_id = fit.review_id
), told AS (
  INSERT INTO ${schema}.inbox (run_id, effect_key, body, consumed) SELECT run_id, effect_key, outcome, true FROM fit
), went_on AS (
  UPDATE ${schema}.runs SET status = 'running', epoch = fit.epoch, worker_id = fit.worker_id, wake_at_ms = NULL FROM fit
   WHERE runs.run_id = fit.run_id
), rows AS (
  INSERT INTO ${schema}.journal (run_id, seq, hash, body) SELECT run_id, seq, hash, body FROM fit
)
SELECT ord FROM fit`,
  };
}
