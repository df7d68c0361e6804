import { setImmediate as nextTurn } from "node:timers/promises";
import type { RunStore, RunTallyRequest, TallyCell } from "@procedo/storage";
import { cancelledError, dayOf, tallyRuns } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare, type Statement } from "./statement.ts";

/** Rows that are read in one turn of the event loop. */
const rowsAtOnce = 2_000;

/** Entries of an index that are counted in one turn. */
const entriesAtOnce = 20_000;

type Position = readonly [atMs: number, run: number];

interface ReadRun {
  readonly run: number;
  readonly procedureId: string;
  readonly createdAtMs: number;
}

interface OpenRun extends ReadRun {
  readonly status: "running" | "awaiting_review";
  readonly wakeAtMs: number | null;
}

interface FailedRun extends ReadRun {
  readonly endedAtMs: number;
  readonly isCancelled: 0 | 1;
}

/**
 * Counts runs in pieces, between which other calls proceed. All runs are counted before the open ones, and these before
 * the failed ones, so that the difference holds no run that has not completed. Runs that are created during the call
 * have larger numbers, and are not counted.
 */
export function sqliteRunTally({ db, reader, scopes }: SqliteContext): RunStore["tally"] {
  const selectNewest = prepare<{ run: number | null }>(db, "SELECT max(run) AS run FROM runs");
  const selectProcedure = prepare<{ procedureId: string | null }>(
    db,
    `SELECT min(procedure_id) AS "procedureId" FROM runs INDEXED BY runs_by_procedure
      WHERE scope = ? AND procedure_id > ?`,
  );
  const selectNewestOf = prepare<{ newestAtMs: number }>(
    db,
    `SELECT created_at_ms AS "newestAtMs" FROM runs INDEXED BY runs_by_procedure
      WHERE scope = ? AND procedure_id = ? ORDER BY created_at_ms DESC LIMIT 1`,
  );
  const ofDay = `FROM runs INDEXED BY runs_by_procedure
      WHERE scope = ?1 AND procedure_id = ?2 AND created_at_ms < ?3 AND (created_at_ms, run) > (?4, ?5) AND run <= ?6`;
  const selectPieceEnd = prepare<{ createdAtMs: number; run: number }>(
    db,
    `SELECT created_at_ms AS "createdAtMs", run ${ofDay}
      ORDER BY created_at_ms, run LIMIT 1 OFFSET ${entriesAtOnce - 1}`,
  );
  const countRest = prepare<{ count: number }>(db, `SELECT count(*) AS count ${ofDay}`);

  const open = `SELECT run, procedure_id AS "procedureId", created_at_ms AS "createdAtMs", status,
                       wake_at_ms AS "wakeAtMs"
      FROM runs INDEXED BY runs_open WHERE scope = ?1 AND ended_at_ms IS NULL AND run <= ?2`;
  const selectHeld = prepare<OpenRun>(db, `${open} AND worker_id IS NOT NULL`);
  const selectWaiting = prepare<OpenRun>(
    db,
    `${open} AND worker_id IS NULL AND wake_at_ms IS NULL AND run > ?4 AND ?3 = 0 ORDER BY run LIMIT ${rowsAtOnce}`,
  );
  const selectTimed = prepare<OpenRun>(
    db,
    `${open} AND worker_id IS NULL AND (wake_at_ms, run) > (?3, ?4)
      ORDER BY wake_at_ms, run LIMIT ${rowsAtOnce}`,
  );
  const selectFailed = prepare<FailedRun>(
    db,
    `SELECT run, procedure_id AS "procedureId", created_at_ms AS "createdAtMs", ended_at_ms AS "endedAtMs",
            coalesce(substr(error, 1, ${cancelledError.length}) = '${cancelledError}', 0) AS "isCancelled"
       FROM runs INDEXED BY runs_failed
      WHERE scope = ?1 AND status = 'failed' AND run <= ?2 AND (created_at_ms, run) > (?3, ?4)
      ORDER BY created_at_ms, run LIMIT ${rowsAtOnce}`,
  );

  /** The procedures of a scope that have runs. */
  async function* procedureIds(scope: number): AsyncGenerator<string> {
    for (let last = ""; ;) {
      const found = await reader.read(() => selectProcedure.get(scope, last)?.procedureId ?? undefined);
      if (found === undefined) return;
      yield found;
      last = found;
      await nextTurn();
    }
  }

  async function countStarted(
    scope: number,
    procedureId: string,
    [fromMs, toMs]: readonly [number, number],
    newest: number,
  ): Promise<number> {
    let after: Position = [fromMs, 0];
    for (let counted = 0; ; counted += entriesAtOnce) {
      const values = [scope, procedureId, toMs, ...after, newest];
      const end = await reader.read(() => selectPieceEnd.get(...values));
      if (end === undefined) return counted + (await reader.read(() => countRest.get(...values)?.count ?? 0));
      after = [end.createdAtMs, end.run];
      await nextTurn();
    }
  }

  /** Reads all rows of a statement, in pieces that begin after a position. */
  async function* readPieces<Row extends ReadRun>(
    statement: Statement<Row>,
    first: readonly number[],
    begin: Position,
    positionOf: (row: Row) => Position,
  ): AsyncGenerator<Row> {
    for (let after = begin; ;) {
      const rows = await reader.read(() => statement.all(...first, ...after));
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) return;
      after = positionOf(last);
      await nextTurn();
    }
  }

  return async (request) => {
    const cells: TallyCell[] = [];
    const scope = scopes.find(request.scope);
    const newest = await reader.read(() => selectNewest.get()?.run ?? 0);
    if (scope === undefined) return tallyRuns(request, cells, 0, []);
    const newestOf: (readonly [procedureId: string, newestAtMs: number])[] = [];
    const first = [scope, newest];
    const note = ({ procedureId, createdAtMs }: ReadRun, what: TallyCell["what"]): void => {
      cells.push({ procedureId, day: dayOf(request, createdAtMs), what, count: 1 });
    };

    for await (const procedureId of procedureIds(scope)) {
      const found = await reader.read(() => selectNewestOf.get(scope, procedureId));
      if (found !== undefined) newestOf.push([procedureId, found.newestAtMs]);
      for (const [day, between] of daysOf(request).entries()) {
        const count = await countStarted(scope, procedureId, between, newest);
        if (count > 0) cells.push({ procedureId, day, what: "any", count });
      }
    }
    for (const run of await reader.read(() => selectHeld.all(...first))) note(run, run.status);
    for await (const run of readPieces(selectWaiting, first, [0, 0], ({ run: number }) => [0, number])) {
      note(run, run.status);
    }
    const beginning: Position = [Number.MIN_SAFE_INTEGER, 0];
    for await (const run of readPieces(selectTimed, first, beginning, (row) => [row.wakeAtMs ?? 0, row.run])) {
      note(run, run.status);
    }
    let failedSince = 0;
    const firstDay: Position = [request.dayStartsMs[0] ?? Infinity, 0];
    for await (const run of readPieces(selectFailed, first, firstDay, (row) => [row.createdAtMs, row.run])) {
      note(run, run.isCancelled === 1 ? "cancelled" : "failed");
      if (run.isCancelled === 0 && run.endedAtMs >= request.sinceMs) failedSince += 1;
    }
    return tallyRuns(request, cells, failedSince, newestOf);
  };
}

function daysOf({ dayStartsMs }: RunTallyRequest): readonly (readonly [fromMs: number, toMs: number])[] {
  return dayStartsMs.map((fromMs, day) => [fromMs, dayStartsMs[day + 1] ?? Infinity]);
}
