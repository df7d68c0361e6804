import { afterPrefix, wantedStatuses } from "@procedo/storage";
import type { RunQuery } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { filteredRows } from "./filtered-rows.ts";
import { needsAttention, runColumns, type StoredRun } from "./sqlite-run-pages.ts";
import type { FoundRows } from "./sqlite-search.ts";

/** Reads the run with an id, and the runs whose reference begins with a text. Must be called within a snapshot. */
export type RunSearch = (
  scope: number,
  query: RunQuery,
  search: string,
) => { readonly byId: FoundRows<StoredRun>; readonly byReference: FoundRows<StoredRun> };

/** SQLite sorts a blob behind all texts. */
const behindAllTexts = new Uint8Array();

export function runSearch({ db }: SqliteContext): RunSearch {
  const read = filteredRows<StoredRun>(db);

  return (scope, query, search) => {
    const { procedureId = null, startedBy = null, version = null, fromMs = -Infinity, toMs = Infinity } = query;
    const statuses = wantedStatuses(query);
    const filters = [
      "created_at_ms >= ?6 AND created_at_ms < ?7",
      ...(query.procedureId === undefined ? [] : ["procedure_id = ?8"]),
      ...(query.startedBy === undefined ? [] : ["started_by = ?9"]),
      ...(query.version === undefined ? [] : ["procedure_version = ?10"]),
      ...(query.attention === undefined ? [] : [needsAttention("?11", "?12")]),
      ...(query.triggerId === undefined ? [] : ["(SELECT trigger_id FROM run_triggers WHERE run = listed.run) = ?13"]),
      ...(statuses === undefined ? [] : [`status IN (${statuses.map((status) => `'${status}'`).join(", ")})`]),
    ];
    const { failedSinceMs = null, startedSinceMs = null } = query.attention ?? {};
    const values = [
      fromMs,
      toMs,
      procedureId,
      startedBy,
      version,
      failedSinceMs,
      startedSinceMs,
      query.triggerId ?? null,
    ];
    return {
      byId: (after, count) => {
        if (after !== undefined) return [];
        const ordered = (limit: string): string =>
          `SELECT ${runColumns} FROM runs WHERE run_id = ?2 AND scope = ?1 LIMIT ${limit}`;
        return read({ ordered, filters }, [scope, search, null, null, null, ...values], count);
      },
      byReference: (after, count) => {
        const [, ...position] = after ?? [1, afterPrefix(search) ?? behindAllTexts, -Infinity, 0];
        const list = { ordered: byReference, filters: ["run_id <> ?2", ...filters] };
        return read(list, [scope, search, ...position, ...values], count);
      },
    };
  };
}

function byReference(limit: string): string {
  return `SELECT ${runColumns} FROM runs INDEXED BY runs_by_reference
    WHERE scope = ?1 AND reference IS NOT NULL AND reference >= ?2 AND (reference, created_at_ms, run) < (?3, ?4, ?5)
    ORDER BY reference DESC, created_at_ms DESC, run DESC LIMIT ${limit}`;
}
