import type { NewDecision, RunCommit } from "@procedo/storage";
import { isStorableCommit, outcomeOf } from "@procedo/storage";
import { type ArrayColumn, arrayParameters } from "./array-parameters.ts";
import { partsOf } from "./commit-columns.ts";
import type { Database } from "./database.ts";
import { lastSeq } from "./commit-statement.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { itemCount, itemsSql, type ItemCount } from "./item-rows.ts";
import type { SqlValue, Statement } from "./statement.ts";

/** Decisions that close a review and with which the run goes on by a row and nothing else: most are, and cost one statement. */
export interface GoingOn {
  /** Whether a decision is of this kind; storage may hold something against it all the same. */
  takes(decision: NewDecision): decision is GoingOnDecision;

  /**
   * Decides, and appends the rows. A decision is carried out as a whole, or nothing is changed for it.
   *
   * @returns those that were carried out
   */
  decide(decisions: readonly GoingOnDecision[]): Promise<ReadonlySet<NewDecision>>;
}

/** A decision with the row that follows from it. */
export type GoingOnDecision = NewDecision & { readonly next: RunCommit };

interface DecisionColumn extends ArrayColumn<GoingOnDecision> {
  readonly name: string;
}

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

/** What is long goes to its table straight from its array, instead of from step to step. */
const bodies: readonly DecisionColumn[] = [
  { name: "decision", type: "text", valueOf: ({ body }) => body },
  { name: "outcome", type: "text", valueOf: ({ body }) => outcomeOf([body]) },
  { name: "row", type: "text", valueOf: ({ next }) => next.body },
];

export function goingOn(database: Database): GoingOn {
  const { schema } = database;
  const statements = { one: goOnStatement(schema, "one"), many: goOnStatement(schema, "many") };
  return {
    takes: (decision): decision is GoingOnDecision => {
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
        partsOf([next]).join() === "consume" &&
        isStorableCommit(next)
      );
    },

    async decide(decisions) {
      const values = (): readonly SqlValue[] => arrayParameters([...columns, ...bodies], decisions);
      const statement = statements[itemCount(decisions)];
      const wentOn = await database.query<{ ord: number }>(statement, values);
      return new Set(wentOn.flatMap(({ ord }) => decisions[ord - 1] ?? []));
    },
  };
}

/**
 * The run's row is written first, which waits for whoever has it and judges it as it is by then. It tells whether the run is
 * parked under the epoch before, with nothing in its inbox that no row has consumed; whatever decides or closes its review,
 * or tells it of something, changes that. So what is read beside it is as it was, or a unique key refuses the whole
 * statement.
 */
function goOnStatement(schema: string, count: ItemCount): Statement {
  const [decision, outcome, row] = bodies.map((_body, index) => `($${columns.length + index + 1}::text[])[ord]`);
  return {
    name: count === "one" ? "decide-go-on-one" : "decide-go-on",
    text: `
WITH went_on AS (
  UPDATE ${schema}.runs SET status = 'running', epoch = item.epoch, worker_id = item.worker_id, wake_at_ms = NULL
    FROM ${itemsSql(columns, count)}
    CROSS JOIN LATERAL (SELECT review FROM ${schema}.reviews
                         WHERE reviews.review_id = item.review_id
                           AND ${matchesUnindexed("run_id, effect_key, status", "item.run_id, item.effect_key, 'open'")} LIMIT 1) AS asked
   WHERE runs.run_id = item.run_id
     AND ${matchesUnindexed("runs.workspace, runs.environment, runs.epoch", "item.workspace, item.environment, item.epoch - 1")}
     AND runs.worker_id IS NULL AND runs.ended_at_ms IS NULL AND runs.unread = 0
     AND (SELECT true FROM ${schema}.decisions WHERE decisions.workspace = item.workspace
             AND decisions.idempotency_key = item.idempotency_key) IS NOT TRUE
     AND (${lastSeq(schema)}) = item.seq - 1
  RETURNING asked.review, item.*
), closed AS (
  UPDATE ${schema}.reviews SET status = closes_as, closed_at_ms = at_ms FROM went_on
   WHERE reviews.review_id = went_on.review_id
), decided AS (
  INSERT INTO ${schema}.decisions
    (review, person, decision_id, run_id, workspace, idempotency_key, body, decided_at_ms)
  SELECT review, person, decision_id, run_id, workspace, idempotency_key, ${decision}, at_ms
    FROM went_on ORDER BY workspace, idempotency_key
), told AS (
  INSERT INTO ${schema}.inbox (run_id, effect_key, body, consumed) SELECT run_id, effect_key, ${outcome}, true FROM went_on
), rows AS (
  INSERT INTO ${schema}.journal (run_id, seq, hash, body) SELECT run_id, seq, hash, ${row} FROM went_on
)
SELECT ord FROM went_on`,
  };
}
