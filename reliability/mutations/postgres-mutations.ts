import type { Edit, Mutation } from "./mutation.ts";

const folder = "storage-postgres/src";

function mutation(
  name: string,
  ...edits: readonly (readonly [file: string, search: string, replace: string])[]
): Mutation {
  return {
    name,
    edits: edits.map(([file, search, replace]): Edit => ({ file: `${folder}/${file}`, search, replace })),
  };
}

/** The seeded bugs of seeded-bugs-postgres: faults that appear only when other statements run in between. */
export const postgresMutations: readonly Mutation[] = [
  mutation("a commit is fenced by an old snapshot", [
    "commit-statement.ts",
    "runs.run_id = item.run_id FOR NO KEY UPDATE",
    "runs.run_id = item.run_id",
  ]),
  mutation("a claim does not lock due runs", [
    "postgres-queue.ts",
    "ORDER BY wake_at_ms, run LIMIT ${wanted} FOR UPDATE SKIP LOCKED",
    "ORDER BY wake_at_ms, run LIMIT ${wanted}",
  ]),
  mutation("a claim does not lock the runs of dead workers", [
    "postgres-queue.ts",
    "ORDER BY run LIMIT ${wanted} FOR UPDATE SKIP LOCKED) AS held",
    "ORDER BY run LIMIT ${wanted}) AS held",
  ]),
  mutation("a claim waits for locked rows", [
    "postgres-queue.ts",
    "ORDER BY wake_at_ms, run LIMIT ${wanted} FOR UPDATE SKIP LOCKED",
    "ORDER BY wake_at_ms, run LIMIT ${wanted} FOR UPDATE",
  ]),
  mutation("a claim returns the worker's own runs", ["postgres-queue.ts", "worker.worker_id <> $2 AND ", ""]),
  mutation("a claim keeps the epoch", ["postgres-queue.ts", "worker_id = $2, epoch = epoch + 1", "worker_id = $2"]),
  mutation("a decision does not lock the run", [
    "decide-statements.ts",
    "ORDER BY run_id FOR NO KEY UPDATE",
    "ORDER BY run_id",
  ]),
  mutation("a decision ignores an earlier notification of the run", [
    "decide-statements.ts",
    "run.ended OR inbox.notified IS TRUE AS too_late",
    "run.ended AS too_late",
  ]),
  mutation("a decision resumes a run with other notifications", ["next-rows.ts", "run.unread === 1", "run.unread > 0"]),
  mutation("a decision continues a run with other notifications", [
    "decide-and-continue.ts",
    " AND run.unread = 0",
    "",
  ]),
  mutation("a post does not lock the run", ["postgres-inbox.ts", "ORDER BY run_id FOR UPDATE", "ORDER BY run_id"]),
  mutation("a later notification replaces the first one", [
    "postgres-inbox.ts",
    "ON CONFLICT DO NOTHING RETURNING 1",
    "ON CONFLICT (run_id, effect_key) DO UPDATE SET body = excluded.body RETURNING 1",
  ]),
  mutation(
    "a post claims an owned run",
    ["postgres-queue.ts", "CASE WHEN worker_id IS NOT NULL THEN 'hot' WHEN", "CASE WHEN"],
    ["postgres-queue.ts", "epoch = CASE WHEN worker_id IS NULL AND ", "epoch = CASE WHEN "],
    ["postgres-queue.ts", "coalesce(worker_id, ${claimFor})", "coalesce(${claimFor}, worker_id)"],
  ),
  mutation("a claimed run keeps its epoch", [
    "postgres-queue.ts",
    "${claimFor} IS NOT NULL THEN epoch + 1 ELSE epoch END",
    "${claimFor} IS NOT NULL THEN epoch ELSE epoch END",
  ]),
  mutation("a run ends with unread notifications", [
    "commit-statement.ts",
    "WHERE ended_at_ms IS NULL OR unread = 0",
    "WHERE ended_at_ms IS NULL OR unread < 9",
  ]),
  mutation("a run that parks with notifications is not claimable", [
    "commit-statement.ts",
    "unread > 0 AND ended_at_ms IS NULL AND worker_id IS NULL",
    "unread > 9 AND ended_at_ms IS NULL AND worker_id IS NULL",
  ]),
  mutation("the same row counts again under an older epoch", [
    "unstored-results.ts",
    "found.row_hash === hash && found.epoch === epoch",
    "found.row_hash === hash",
  ]),
  mutation("a commit ignores the epoch", ["commit-statement.ts", " AND run.epoch = ${heldEpoch}", ""]),
  mutation("an idempotency key starts two runs at the same instant", [
    "commit-statement.ts",
    "WHERE held.expires_at_ms <= ${now}",
    "WHERE true",
  ]),
  mutation("a release takes runs from their current owner", [
    "postgres-workers.ts",
    "ORDER BY run_id FOR UPDATE))\n       AND worker_id = $1",
    "ORDER BY run_id))",
  ]),
  {
    name: "answers of a batch are mixed up",
    edits: [
      {
        file: "storage/src/group-commit.ts",
        search: "const result = results[index];",
        replace: "const result = results[0 * index];",
      },
    ],
  },
];
