import type { ArchivedHead, RetentionStore, RunStub, Scope } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import { sqliteArchive } from "./sqlite-archive.ts";
import { auditChain } from "./sqlite-audit.ts";
import { sqliteUnused } from "./sqlite-budgets.ts";
import { prepare } from "./statement.ts";

interface ArchivableRow {
  readonly run: number;
  readonly runId: string;
  readonly endedAtMs: number;
  readonly seq: number | null;
  readonly hash: string | null;
  readonly busy: 0 | 1;
}

interface StubRow extends ArchivedHead {
  readonly run: number;
}

export function sqliteRetention(context: SqliteContext): RetentionStore {
  const { db, now, reader, writer, scopes } = context;
  const archive = sqliteArchive(context);
  const unused = sqliteUnused(context);
  const chain = auditChain(context);

  // Reads the runs of a page even if they are busy, so that the next page starts after them.
  const selectArchivable = prepare<ArchivableRow>(
    db,
    `SELECT runs.run AS run, run_id AS "runId", ended_at_ms AS "endedAtMs", head.seq AS seq, head.hash AS hash,
            EXISTS (SELECT 1 FROM inbox WHERE inbox.run = runs.run AND consumed = 0)
              OR EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_of_run
                          WHERE deliveries.run = runs.run AND deliveries.status = 'pending') AS busy
       FROM runs INDEXED BY runs_ended
       LEFT JOIN journal AS head
         ON head.run = runs.run AND head.seq = (SELECT max(seq) FROM journal AS rows WHERE rows.run = runs.run)
      WHERE scope = ?1 AND ended_at_ms IS NOT NULL AND archived_at_ms IS NULL
        AND (ended_at_ms, runs.run) > (?2, ?3) AND ended_at_ms < ?4
      ORDER BY ended_at_ms, runs.run LIMIT +?5`,
  );
  const selectStub = prepare<Omit<RunStub, "output"> & { readonly output: string | null }>(
    db,
    `SELECT run_id AS "runId", seq, hash, ended_at_ms AS "endedAtMs", audit_seq AS "auditSeq", archived_runs.output
       FROM runs JOIN archived_runs USING (run) WHERE run_id = ? AND scope = ?`,
  );
  const selectStubs = prepare<StubRow>(
    db,
    `SELECT run, run_id AS "runId", seq, hash, ended_at_ms AS "endedAtMs", audit_seq AS "auditSeq"
       FROM runs INDEXED BY runs_archived JOIN archived_runs USING (run)
      WHERE scope = ?1 AND archived_at_ms IS NOT NULL AND (ended_at_ms, run) > (?2, ?3)
      ORDER BY ended_at_ms, run LIMIT +?4`,
  );
  // All keys have the same lifetime, so that the oldest keys expire first. Expiry needs no index.
  const deleteKeys = prepare(
    db,
    `DELETE FROM idempotency
      WHERE rowid IN (SELECT rowid FROM idempotency ORDER BY rowid LIMIT +?1) AND expires_at_ms <= ?2`,
  );
  const selectTests = prepare<{ delivery: number; payload: number }>(
    db,
    `SELECT delivery, payload FROM deliveries INDEXED BY deliveries_of_run
      WHERE run IS NULL AND scope = ? AND created_at_ms < ? AND status <> 'pending' ORDER BY delivery LIMIT +?`,
  );

  const beginning = [-Infinity, 0] as const;

  return {
    archivable: (request) =>
      reader.read(() => {
        const { scope, endedBeforeMs } = request;
        const number = scopes.find(scope);
        const page = pageOf({
          ...request,
          query: ["archivable", ...namesOf(scope), endedBeforeMs],
          shape: ["number", "number"],
          rowsAfter: (position = beginning, count) =>
            number === undefined ? [] : selectArchivable.all(number, ...position, endedBeforeMs, count),
          positionOf: (row) => [row.endedAtMs, row.run],
          itemOf: (row) => row,
        });
        const items = page.items.flatMap(({ runId, seq, hash, endedAtMs, busy }) =>
          busy === 1 || seq === null || hash === null ? [] : [{ runId, seq, hash, endedAtMs }],
        );
        return { ...page, items };
      }),

    async archive({ scope, runs, audit }) {
      assertStorable([runs, audit]);
      return writer.write(() => {
        const number = scopes.find(scope);
        const found = runs.map((stub) => ({ stub, run: number && archive.find(number, stub) }));
        const changed = found.filter(({ run }) => run === undefined).map(({ stub }) => stub.runId);
        if (changed.length > 0) return { status: "changed", runIds: changed };
        if (!chain.follows(scope.workspace, audit)) return { status: "audit_behind" };
        for (const { stub, run } of found) if (run !== undefined) archive.move(run, stub, audit.seq);
        chain.append(scope.workspace, audit);
        return { status: "archived" };
      });
    },

    stub: ({ scope, runId }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const found = number === undefined ? undefined : selectStub.get(runId, number);
        return found === undefined ? undefined : { ...found, output: found.output ?? undefined };
      }),

    stubs: (request) =>
      reader.read(() => {
        const number = scopes.find(request.scope);
        return pageOf({
          ...request,
          query: ["stubs", ...namesOf(request.scope)],
          shape: ["number", "number"],
          rowsAfter: (position = beginning, count) =>
            number === undefined ? [] : selectStubs.all(number, ...position, count),
          positionOf: (row) => [row.endedAtMs, row.run],
          itemOf: ({ run: _run, ...head }) => head,
        });
      }),

    removeExpired: ({ scope, beforeMs, budgetsBeforeMs, limit }) =>
      writer.write(() => {
        const keys = Number(deleteKeys.run(limit, now()).changes);
        const number = scopes.find(scope);
        const tests = number === undefined ? [] : selectTests.all(number, beforeMs, limit);
        for (const test of tests) archive.removeDelivery(test);
        const budgets = number === undefined ? 0 : unused.removeBudgets(number, budgetsBeforeMs, limit);
        return keys + tests.length + budgets;
      }),
  };
}

function namesOf({ workspace, environment }: Scope): readonly [string, string] {
  return [workspace, environment];
}
