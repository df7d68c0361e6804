import type { RunStore } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import { prepare } from "./statement.ts";

interface StoredHead {
  readonly run: number;
  readonly run_id: string;
  readonly ended_at_ms: number;
  readonly seq: number | null;
  readonly hash: string | null;
}

export function sqliteHeads({ db, reader, scopes }: SqliteContext): RunStore["heads"] {
  const after = "(ended_at_ms, runs.run) > (?2, ?3) AND ended_at_ms < ?4";
  const selectPage = prepare<StoredHead>(
    db,
    `SELECT runs.run AS run, run_id, ended_at_ms, head.seq AS seq, head.hash AS hash FROM runs INDEXED BY runs_ended
       LEFT JOIN journal AS head
         ON head.run = runs.run AND head.seq = (SELECT max(seq) FROM journal AS rows WHERE rows.run = runs.run)
      WHERE scope = ?1 AND ended_at_ms IS NOT NULL AND archived_at_ms IS NULL AND ${after}
     UNION ALL
     SELECT runs.run, run_id, ended_at_ms, stub.seq, stub.hash FROM runs INDEXED BY runs_archived
       JOIN archived_runs AS stub USING (run)
      WHERE scope = ?1 AND archived_at_ms IS NOT NULL AND ${after}
      ORDER BY ended_at_ms, run LIMIT +?5`,
  );

  return (request) =>
    reader.read(() => {
      const { scope, endedFromMs, endedToMs } = request;
      const number = scopes.find(scope);
      return pageOf({
        ...request,
        query: ["heads", scope.workspace, scope.environment, endedFromMs, endedToMs],
        shape: ["number", "number"],
        rowsAfter: (position, count) => {
          if (number === undefined) return [];
          // A position before every run that ended at `endedFromMs`: run numbers are positive.
          const [afterMs, afterRun] = position ?? [endedFromMs ?? -Infinity, 0];
          return selectPage.all(number, afterMs, afterRun, endedToMs ?? Infinity, count);
        },
        positionOf: (row) => [row.ended_at_ms, row.run],
        itemOf: (row) => ({
          runId: row.run_id,
          seq: row.seq ?? 0,
          hash: row.hash ?? "",
          endedAtMs: row.ended_at_ms,
        }),
      });
    });
}
