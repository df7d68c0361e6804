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

/** The seeded bugs of seeded-bugs-postgres: what a port on Postgres gets wrong when nothing else happens between its statements. */
export const postgresMutations: readonly Mutation[] = [
  mutation("a commit is fenced by what it saw when it began", [
    "commit-statement.ts",
    "runs.run_id = item.run_id FOR NO KEY UPDATE",
    "runs.run_id = item.run_id",
  ]),
  mutation("a claim does not lock what is due", [
    "postgres-queue.ts",
    "ORDER BY wake_at_ms, run LIMIT ${wanted} FOR UPDATE SKIP LOCKED",
    "ORDER BY wake_at_ms, run LIMIT ${wanted}",
  ]),
  mutation("a claim does not lock what was left behind", [
    "postgres-queue.ts",
    "ORDER BY run LIMIT ${wanted} FOR UPDATE SKIP LOCKED) AS held",
    "ORDER BY run LIMIT ${wanted}) AS held",
  ]),
  mutation("a claim waits for what others hold", [
    "postgres-queue.ts",
    "ORDER BY wake_at_ms, run LIMIT ${wanted} FOR UPDATE SKIP LOCKED",
    "ORDER BY wake_at_ms, run LIMIT ${wanted} FOR UPDATE",
  ]),
  mutation("a claim hands out what the worker itself holds", ["postgres-queue.ts", "worker.worker_id <> $2 AND ", ""]),
  mutation("a claim keeps the epoch", ["postgres-queue.ts", "worker_id = $2, epoch = epoch + 1", "worker_id = $2"]),
  mutation("a decision does not hold the run", [
    "decide-statements.ts",
    "ORDER BY run_id FOR NO KEY UPDATE",
    "ORDER BY run_id",
  ]),
  mutation("a decision overlooks that the run was notified already", [
    "decide-statements.ts",
    "run.ended OR inbox.notified IS TRUE AS too_late",
    "run.ended AS too_late",
  ]),
  mutation("a decision has a run go on that has other news", ["next-rows.ts", "run.unread === 1", "run.unread > 0"]),
  mutation("a decision has a run go on at once that has other news", [
    "decide-and-continue.ts",
    " AND run.unread = 0",
    "",
  ]),
  mutation("a post does not hold the run", ["postgres-inbox.ts", "ORDER BY run_id FOR UPDATE", "ORDER BY run_id"]),
  mutation("a later notification takes the place of the first", [
    "postgres-inbox.ts",
    "ON CONFLICT DO NOTHING RETURNING 1",
    "ON CONFLICT (run_id, effect_key) DO UPDATE SET body = excluded.body RETURNING 1",
  ]),
  mutation(
    "a post hands over a run that somebody holds",
    ["postgres-queue.ts", "CASE WHEN worker_id IS NOT NULL THEN 'hot' WHEN", "CASE WHEN"],
    ["postgres-queue.ts", "epoch = CASE WHEN worker_id IS NULL AND ", "epoch = CASE WHEN "],
    ["postgres-queue.ts", "coalesce(worker_id, ${claimFor})", "coalesce(${claimFor}, worker_id)"],
  ),
  mutation("a run that is handed over keeps its epoch", [
    "postgres-queue.ts",
    "${claimFor} IS NOT NULL THEN epoch + 1 ELSE epoch END",
    "${claimFor} IS NOT NULL THEN epoch ELSE epoch END",
  ]),
  mutation("a run ends with news that it has not read", [
    "commit-statement.ts",
    "WHERE ended_at_ms IS NULL OR unread = 0",
    "WHERE ended_at_ms IS NULL OR unread < 9",
  ]),
  mutation("a run that parks with news sleeps on", [
    "commit-statement.ts",
    "unread > 0 AND ended_at_ms IS NULL AND worker_id IS NULL",
    "unread > 9 AND ended_at_ms IS NULL AND worker_id IS NULL",
  ]),
  mutation("the same row counts again under an older epoch", [
    "refusals.ts",
    "found.row_hash === hash && found.epoch === epoch",
    "found.row_hash === hash",
  ]),
  mutation("a commit does not look at the epoch", ["commit-statement.ts", " AND run.epoch = ${heldEpoch}", ""]),
  mutation("an idempotency key starts two runs at the same instant", [
    "commit-statement.ts",
    "WHERE held.expires_at_ms <= ${now}",
    "WHERE true",
  ]),
  mutation("what a worker lets go is taken from whoever has it now", [
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
