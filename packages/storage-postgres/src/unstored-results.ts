import type { CommitResult, RunCommit } from "@procedo/storage";
import { type CommitColumn, firingColumns, keyColumn, rowColumns } from "./commit-columns.ts";
import type { Database } from "./database.ts";
import { itemArrays, itemsSql } from "./item-rows.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

/** Results of items that a commit statement did not store. */
export interface UnstoredResults {
  /** Returns the result of each item in order: `committed` for a repeated row; `undefined` if no obstacle remains and the item must be retried. */
  of(items: readonly RunCommit[]): Promise<readonly (CommitResult | undefined)[]>;
}

/** The stored rows that concern an item. */
interface Found {
  /** The epoch of the run with the item's id, in any scope; `null` if there is none. */
  readonly epoch: number | null;
  readonly in_scope: boolean | null;
  readonly ended: boolean | null;
  /** The number of the run's last row. */
  readonly last_seq: number | null;
  /** The hash of the row with the item's number. */
  readonly row_hash: string | null;
  /** Whether the run has a notification that the item does not consume. */
  readonly has_unread: boolean;
  /** Whether the firing that starts the run is claimed under its epoch. */
  readonly is_claimed: boolean;
  /** The run that holds the item's idempotency key. */
  readonly holder_run_id: string | null;
  readonly holder_digest: string | null;
}

const columns: readonly CommitColumn[] = [
  ...rowColumns,
  keyColumn,
  ...firingColumns,
  { name: "consume", type: "text", valueOf: ({ consume }) => JSON.stringify(consume ?? []) },
];

const committed: CommitResult = { status: "committed" };
const fenced: CommitResult = { status: "fenced" };

export function unstoredResults(database: Database, nowMs: () => number | null): UnstoredResults {
  const statement = findStatement(database.schema);
  return {
    async of(items) {
      const found = await database.query<Found>(statement, [...itemArrays(columns, items), nowMs()]);
      return items.map((item, index) => resultOf(item, found[index]));
    },
  };
}

function resultOf({ create, epoch, seq, hash, then }: RunCommit, found: Found | undefined): CommitResult | undefined {
  if (found === undefined) return undefined;
  if (found.row_hash !== null) return found.row_hash === hash && found.epoch === epoch ? committed : fenced;
  if (create !== undefined) {
    const { holder_run_id: runId, holder_digest: digest } = found;
    if (found.in_scope === true) return fenced;
    if (runId !== null && digest !== null) return { status: "exists", runId, digest };
    if (found.epoch !== null) return fenced;
    return create.firing === undefined || found.is_claimed ? undefined : fenced;
  }
  if (found.in_scope !== true || found.ended === true || found.epoch !== epoch) return fenced;
  if (found.last_seq !== seq - 1) return fenced;
  return then.kind === "ended" && found.has_unread ? { status: "inbox_not_empty" } : undefined;
}

function findStatement(schema: string): Statement {
  const ofItem = matchesUnindexed(
    "firings.workspace, firings.environment, firings.trigger_id",
    "item.workspace, item.environment, item.firing_trigger_id",
  );
  return {
    name: "commit-unstored-results",
    text: `
SELECT run.epoch, run.in_scope, run.ended, last.seq AS last_seq, held.run_id AS holder_run_id, held.digest AS holder_digest,
       CASE WHEN run.in_scope THEN (SELECT journal.hash FROM ${schema}.journal
                                     WHERE journal.run_id = item.run_id AND journal.seq = item.seq) END AS row_hash,
       EXISTS (SELECT FROM ${schema}.inbox WHERE inbox.run_id = item.run_id AND NOT consumed
                  AND NOT item.consume::jsonb ? effect_key) AS has_unread,
       queued.state IS NOT DISTINCT FROM 'leased' AND queued.epoch = item.firing_epoch AS is_claimed
  FROM ${itemsSql(columns)}
  LEFT JOIN LATERAL (SELECT epoch, ended_at_ms IS NOT NULL AS ended,
                            (runs.workspace, runs.environment) = (item.workspace, item.environment) AS in_scope
                       FROM ${schema}.runs WHERE runs.run_id = item.run_id LIMIT 1) AS run ON true
  LEFT JOIN LATERAL (SELECT seq FROM ${schema}.journal WHERE journal.run_id = item.run_id
                      ORDER BY journal.seq DESC LIMIT 1) AS last ON true
  LEFT JOIN LATERAL (SELECT held.run_id, held.digest FROM ${schema}.idempotency AS held
                      WHERE held.key = item.key AND held.expires_at_ms > ${sqlNow(`$${columns.length + 1}`)} LIMIT 1) AS held
         ON true
  LEFT JOIN LATERAL (SELECT firing FROM ${schema}.firings WHERE firings.firing_id = item.firing_id AND ${ofItem} LIMIT 1)
         AS found ON true
  LEFT JOIN LATERAL (SELECT state, epoch FROM ${schema}.firing_queue WHERE firing_queue.firing = found.firing LIMIT 1)
         AS queued ON true
 ORDER BY ord`,
  };
}
