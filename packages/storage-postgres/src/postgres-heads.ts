import type { RunStore } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

interface StoredHead {
  readonly run: number;
  readonly run_id: string;
  readonly ended_at_ms: number;
  readonly seq: number | null;
  readonly hash: string | null;
}

export function postgresHeads({ database }: PostgresContext): RunStore["heads"] {
  const { schema } = database;
  const page = "workspace = $1 AND environment = $2 AND (ended_at_ms, run) > ($3, $4) AND ended_at_ms < $5";
  const selectPage: Statement = {
    name: "runs-heads",
    text: `(SELECT run, runs.run_id, ended_at_ms, head.seq, head.hash FROM ${schema}.runs
              LEFT JOIN LATERAL (SELECT seq, hash FROM ${schema}.journal WHERE journal.run_id = runs.run_id
                                  ORDER BY seq DESC LIMIT 1) AS head ON true
             WHERE ${page} AND archived_at_ms IS NULL ORDER BY ended_at_ms, run LIMIT $6)
           UNION ALL
           (SELECT run, run_id, ended_at_ms, seq, hash FROM ${schema}.archived_runs
             WHERE ${page} ORDER BY ended_at_ms, run LIMIT $6)
           ORDER BY ended_at_ms, run LIMIT $6`,
  };

  return (request) => {
    const { scope, endedFromMs, endedToMs } = request;
    const { workspace, environment } = scope;
    return pageOf({
      ...request,
      query: ["heads", workspace, environment, endedFromMs, endedToMs],
      shape: ["number", "number"],
      rowsAfter: (position, count) => {
        // A position before every run that ended at `endedFromMs`: run numbers are positive.
        const after = position ?? [endedFromMs ?? Number.MIN_SAFE_INTEGER, 0];
        const values = [workspace, environment, ...after, endedToMs ?? Number.MAX_SAFE_INTEGER, count];
        return database.query<StoredHead>(selectPage, values);
      },
      positionOf: (row) => [row.ended_at_ms, row.run],
      itemOf: (row) => ({ runId: row.run_id, seq: row.seq ?? 0, hash: row.hash ?? "", endedAtMs: row.ended_at_ms }),
    });
  };
}
