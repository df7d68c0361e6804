import { DatabaseSync } from "node:sqlite";
import type { JournalRow } from "@procedo/storage";

/** The stored data of all runs, read without the product's code. */
export interface DatabaseContent {
  readonly runs: readonly StoredRun[];
  readonly reviews: readonly StoredReview[];
  readonly decisions: readonly StoredDecision[];
  readonly deliveries: readonly StoredDelivery[];
  /** Run ids by idempotency key. */
  readonly keys: ReadonlyMap<string, string>;
  /** SQLite's integrity check: "ok" if the file is sound. */
  readonly integrity: string;
}

export interface StoredRun {
  readonly runId: string;
  readonly status: string;
  readonly epoch: number;
  readonly workerId: string | null;
  readonly error: string | null;
  readonly ended: boolean;
  readonly journal: readonly JournalRow[];
  /** Notifications that no row has consumed. */
  readonly unread: number;
  /** Whether its inbox ever contained a cancellation. */
  readonly cancelled: boolean;
}

export interface StoredReview {
  readonly reviewId: string;
  readonly runId: string;
  readonly status: string;
  readonly effectKey: string;
}

export interface StoredDecision {
  readonly reviewId: string;
  readonly person: string;
  readonly idempotencyKey: string;
  readonly approved: boolean;
}

export interface StoredDelivery {
  readonly runId: string;
  readonly eventId: string;
  readonly event: string;
}

/** Reads a database beside the process that uses it, in one transaction. */
export function readDatabase(path: string): DatabaseContent {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const all = <Row>(sql: string): Row[] => db.prepare(sql).all() as unknown as Row[];
  try {
    db.exec("BEGIN");
    const journals = Map.groupBy(
      all<{ run: number } & JournalRow>("SELECT run, seq, hash, body FROM journal ORDER BY run, seq"),
      ({ run }) => run,
    );
    const runs = all<
      { run: number; endedAtMs: number | null; cancels: number } & Omit<StoredRun, "journal" | "ended" | "cancelled">
    >(
      `SELECT run, run_id AS "runId", status, epoch, worker_id AS "workerId", error, ended_at_ms AS "endedAtMs",
              (SELECT count(*) FROM inbox WHERE inbox.run = runs.run AND consumed = 0) AS unread,
              (SELECT count(*) FROM inbox WHERE inbox.run = runs.run AND effect_key = 'cancel') AS cancels
         FROM runs ORDER BY run`,
    );
    const keys = all<{ key: string; runId: string }>(
      `SELECT idempotency_key AS key, run_id AS "runId" FROM idempotency JOIN runs USING (run)`,
    );
    return {
      runs: runs.map(({ run, endedAtMs, cancels, ...row }) => ({
        ...row,
        cancelled: cancels > 0,
        ended: endedAtMs !== null,
        journal: journals.get(run) ?? [],
      })),
      reviews: all(
        `SELECT review_id AS "reviewId", run_id AS "runId", reviews.status, effect_key AS "effectKey"
           FROM reviews JOIN runs USING (run)`,
      ),
      decisions: all<Omit<StoredDecision, "approved"> & { body: string }>(
        `SELECT review_id AS "reviewId", person, idempotency_key AS "idempotencyKey", decisions.body
           FROM decisions JOIN reviews USING (review) ORDER BY decision`,
      ).map(({ body, ...row }) => ({ ...row, approved: (JSON.parse(body) as { approved: boolean }).approved })),
      deliveries: all(`SELECT run_id AS "runId", event_id AS "eventId", event FROM deliveries JOIN runs USING (run)`),
      keys: new Map(keys.map(({ key, runId }) => [key, runId])),
      integrity: all<{ integrity_check: string }>("PRAGMA integrity_check")
        .map((row) => row.integrity_check)
        .join("; "),
    };
  } finally {
    db.close();
  }
}
