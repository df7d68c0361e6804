import type { JournalRow } from "@procedo/storage";
import pg from "pg";
import { idempotencyKeyOf } from "../../packages/storage-postgres/src/idempotency-key.ts";
import { crashProcedure } from "../crash/crash-procedure.ts";
import type {
  DatabaseContent,
  StoredDecision,
  StoredDelivery,
  StoredReview,
  StoredRun,
} from "../crash/read-database.ts";

type RunRow = Omit<StoredRun, "journal" | "ended" | "cancelled" | "unread"> & {
  readonly endedAtMs: string | null;
  readonly unread: string;
  readonly cancels: string;
};

const crashScope = { workspace: "default", environment: "sandbox" } as const;

/**
 * Reads a database beside the processes that use it, in one transaction and without the product's code. The database
 * contains digests of idempotency keys, so only known keys can be looked up.
 *
 * @param keys - of starts of the crash procedure
 */
export async function readPostgres(url: string, keys: readonly string[] = []): Promise<DatabaseContent> {
  const client = new pg.Client({ connectionString: url, application_name: "proof" });
  client.on("error", () => {});
  await client.connect();
  const all = async <Row>(text: string): Promise<readonly Row[]> => (await client.query(text)).rows as readonly Row[];
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query("SET LOCAL search_path = procedo");
    const rows = await all<{ runId: string; seq: string | number; hash: string; body: string }>(
      `SELECT run_id AS "runId", seq, hash, body FROM journal ORDER BY run_id, journal.seq`,
    );
    const journals = new Map<string, JournalRow[]>();
    for (const { runId, seq, hash, body } of rows) {
      const journal = journals.get(runId) ?? [];
      journals.set(runId, journal);
      journal.push({ seq: Number(seq), hash, body });
    }
    const runs = await all<RunRow>(
      `SELECT run_id AS "runId", status, epoch, worker_id AS "workerId", error, ended_at_ms AS "endedAtMs",
              (SELECT count(*) FROM inbox WHERE inbox.run_id = runs.run_id AND NOT consumed) AS unread,
              (SELECT count(*) FROM inbox WHERE inbox.run_id = runs.run_id AND effect_key = 'cancel') AS cancels
         FROM runs ORDER BY created_at_ms, run_id`,
    );
    const reviews = await all<StoredReview>(
      `SELECT review_id AS "reviewId", run_id AS "runId", status, effect_key AS "effectKey" FROM reviews`,
    );
    const decisions = await all<Omit<StoredDecision, "approved"> & { readonly body: string }>(
      `SELECT review_id AS "reviewId", person, idempotency_key AS "idempotencyKey", decisions.body
         FROM decisions JOIN reviews USING (review) ORDER BY decision`,
    );
    const deliveries = await all<StoredDelivery>(
      `SELECT run_id AS "runId", event_id AS "eventId", event FROM deliveries WHERE run_id IS NOT NULL`,
    );
    const held = await all<{ key: string; runId: string }>(`SELECT key, run_id AS "runId" FROM idempotency`);
    const runOf = new Map(held.map(({ key, runId }) => [key, runId]));
    return {
      runs: runs.map(({ endedAtMs, unread, cancels, epoch, ...row }) => ({
        ...row,
        epoch: Number(epoch),
        ended: endedAtMs !== null,
        unread: Number(unread),
        cancelled: Number(cancels) > 0,
        journal: journals.get(row.runId) ?? [],
      })),
      reviews,
      decisions: decisions.map(({ body, ...row }) => ({
        ...row,
        approved: (JSON.parse(body) as { readonly approved: boolean }).approved,
      })),
      deliveries,
      keys: new Map(
        keys.flatMap((key) => {
          const runId = runOf.get(idempotencyKeyOf(crashScope, crashProcedure.procedureId, key));
          return runId === undefined ? [] : [[key, runId]];
        }),
      ),
      // Postgres checks its pages when it reads them.
      integrity: "ok",
    };
  } finally {
    await client.end();
  }
}
