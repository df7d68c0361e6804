import type { InboxStore, Notification, Post, PostResult } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { batchedLookup } from "./batched-lookups.ts";
import type { Statement, Transaction } from "./database.ts";
import type { PostgresQueue } from "./postgres-queue.ts";

interface LockedRun {
  readonly run_id: string;
  readonly workspace: string;
  readonly environment: string;
  readonly ended: boolean;
}

interface UnreadRow {
  readonly run_id: string;
  readonly effect_key: string;
  readonly body: string;
  readonly workspace: string;
  readonly environment: string;
}

interface Posted {
  readonly stored: boolean;
  /** The body of the stored notification with the same key. */
  readonly winner: string | null;
}

export function postgresInbox({ database }: PostgresContext, queue: PostgresQueue): InboxStore {
  const { schema } = database;
  const lockRuns: Statement = {
    name: "inbox-lock",
    text: `SELECT run_id, workspace, environment, ended_at_ms IS NOT NULL AS ended FROM ${schema}.runs
            WHERE run_id = ANY ($1::text[]) ORDER BY run_id FOR UPDATE`,
  };
  const store: Statement = {
    name: "inbox-post",
    text: `WITH stored AS (INSERT INTO ${schema}.inbox (run_id, effect_key, body)
                           SELECT $1, $2, $3 WHERE NOT $4::boolean ON CONFLICT DO NOTHING RETURNING 1),
                closed AS (UPDATE ${schema}.reviews SET status = $5, closed_at_ms = $6
                            WHERE run_id = $1 AND effect_key = $2 AND ${matchesUnindexed("status", "'open'")}
                              AND $5::text IS NOT NULL
                              AND EXISTS (SELECT FROM stored))
           SELECT EXISTS (SELECT FROM stored) AS stored,
                  (SELECT body FROM ${schema}.inbox WHERE run_id = $1 AND effect_key = $2) AS winner`,
  };
  const selectUnread: Statement = {
    name: "inbox-read",
    text: `SELECT run_id, effect_key, body,
                  (SELECT workspace FROM ${schema}.runs WHERE runs.run_id = inbox.run_id) AS workspace,
                  (SELECT environment FROM ${schema}.runs WHERE runs.run_id = inbox.run_id) AS environment
             FROM ${schema}.inbox
            WHERE run_id = ANY ($1::text[]) AND NOT consumed
            ORDER BY notification`,
  };
  const findUnread = batchedLookup({
    find: (runIds) => database.query<UnreadRow>(selectUnread, [runIds]),
    keysOf: ({ run_id }) => [run_id],
    timeLimit: database.timeLimit,
  });

  async function postOne(tx: Transaction, item: Post, runs: readonly LockedRun[]): Promise<PostResult> {
    const { scope, runId, effectKey, body, closeReview, claimFor } = item;
    const run = runs.find(({ run_id }) => run_id === runId);
    if (run?.workspace !== scope.workspace || run.environment !== scope.environment) return { status: "unknown_run" };
    const values = [runId, effectKey, body, run.ended, closeReview ?? null, tx.nowMs];
    const [posted] = await tx.query<Posted>(store, values);
    if (posted?.stored === true) return { status: "accepted", claimed: await queue.wake(tx, runId, claimFor) };
    const winner = posted?.winner ?? null;
    return winner === null ? { status: "ended" } : { status: "superseded", winner: { effectKey, body: winner } };
  }

  return {
    async post(items) {
      assertStorable(items);
      return database.transaction(async (tx) => {
        // The answers depend on these rows. Every transaction that commits, decides or claims locks them, too.
        const runs = await tx.query<LockedRun>(lockRuns, [[...new Set(items.map(({ runId }) => runId))]]);
        const results: PostResult[] = [];
        for (const item of items) results.push(await postOne(tx, item, runs));
        return results;
      });
    },

    async read({ scope: { workspace, environment }, runId }) {
      const rows = await findUnread(runId);
      return rows
        .filter((row) => row.workspace === workspace && row.environment === environment)
        .map((row): Notification => ({ effectKey: row.effect_key, body: row.body }));
    },
  };
}
