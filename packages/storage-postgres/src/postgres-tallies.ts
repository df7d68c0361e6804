import type { OpenReviews, ReviewStore, RunStore, TallyCell } from "@procedo/storage";
import { cancelledError, tallyReviews, tallyRuns } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Statement } from "./statement.ts";

interface FoundCell extends Omit<TallyCell, "what"> {
  /** `newest`: the count is the start of the procedure's newest run. */
  readonly what: TallyCell["what"] | "newest";
  /** Of failed runs, the number of those that failed at `sinceMs` or later. */
  readonly since: number;
}

export function postgresRunTally({ database }: PostgresContext): RunStore["tally"] {
  const runs = `${database.schema}.runs WHERE workspace = $1 AND environment = $2`;
  const day = "width_bucket(created_at_ms, $3::bigint[]) - 1";
  const open = (status: "running" | "awaiting_review"): string => `
    SELECT procedure_id, ${day}, '${status}', count(*), 0 FROM ${runs} AND status = '${status}' GROUP BY 1, 2`;
  // Finds each procedure by one look into the index, and reads only the entries of the days.
  const select: Statement = {
    name: "runs-tally",
    text: `
      WITH RECURSIVE procedures (procedure_id) AS (
        (SELECT procedure_id FROM ${runs} ORDER BY procedure_id LIMIT 1)
        UNION ALL
        SELECT (SELECT runs.procedure_id FROM ${runs} AND runs.procedure_id > procedures.procedure_id
                 ORDER BY runs.procedure_id LIMIT 1)
          FROM procedures WHERE procedures.procedure_id IS NOT NULL
      )
      SELECT procedures.procedure_id AS "procedureId", started.day, 'any' AS what, started.count, 0 AS since
        FROM procedures CROSS JOIN LATERAL (
          SELECT ${day} AS day, count(*) FROM ${runs} AND runs.procedure_id = procedures.procedure_id
             AND created_at_ms >= $4 GROUP BY 1
        ) AS started
       WHERE procedures.procedure_id IS NOT NULL
      UNION ALL
      SELECT procedures.procedure_id, -1, 'newest', newest.created_at_ms, 0
        FROM procedures CROSS JOIN LATERAL (
          SELECT created_at_ms FROM ${runs} AND runs.procedure_id = procedures.procedure_id
           ORDER BY created_at_ms DESC LIMIT 1
        ) AS newest
       WHERE procedures.procedure_id IS NOT NULL
      UNION ALL ${open("running")}
      UNION ALL ${open("awaiting_review")}
      UNION ALL
      SELECT procedure_id, ${day}, CASE WHEN starts_with(error, '${cancelledError}') THEN 'cancelled' ELSE 'failed' END,
             count(*), count(*) FILTER (WHERE ended_at_ms >= $5)
        FROM ${runs} AND status = 'failed' AND created_at_ms >= $4 GROUP BY 1, 2, 3`,
  };

  return async (request) => {
    const { scope, sinceMs, dayStartsMs } = request;
    const values = [
      scope.workspace,
      scope.environment,
      dayStartsMs,
      dayStartsMs[0] ?? Number.MAX_SAFE_INTEGER,
      sinceMs,
    ];
    const newest: (readonly [procedureId: string, newestAtMs: number])[] = [];
    const cells: TallyCell[] = [];
    let failedSince = 0;
    for (const { what, since, ...cell } of await database.query<FoundCell>(select, values)) {
      if (what === "newest") newest.push([cell.procedureId, cell.count]);
      else cells.push({ ...cell, what });
      if (what === "failed") failedSince += since;
    }
    return tallyRuns(request, cells, failedSince, newest);
  };
}

export function postgresReviewTally({ database }: PostgresContext): ReviewStore["tally"] {
  // In the order of the index of the scope's open reviews, so that no plan reads those of other scopes.
  const select: Statement = {
    name: "reviews-tally",
    text: `SELECT procedure_id AS "procedureId", kind, count(*) AS open,
                  count(*) FILTER (WHERE expires_at_ms < $3) AS expiring
             FROM (SELECT procedure_id, kind, expires_at_ms FROM ${database.schema}.reviews
                    WHERE workspace = $1 AND environment = $2 AND status = 'open'
                    ORDER BY opened_at_ms, review) AS listed
            GROUP BY 1, 2`,
  };

  return async ({ scope, expiresBeforeMs }) =>
    tallyReviews(await database.query<OpenReviews>(select, [scope.workspace, scope.environment, expiresBeforeMs]));
}
