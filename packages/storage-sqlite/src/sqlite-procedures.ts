import type { Environment } from "@procedo/contract";
import type { ProcedureRow, ProcedureStore, VersionRow, VersionSummary } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import { auditChain } from "./sqlite-audit.ts";
import { prepare } from "./statement.ts";

export function sqliteProcedures(context: SqliteContext): ProcedureStore {
  const { db, reader, writer } = context;
  const audit = auditChain(context);

  const selectProcedure = prepare<{ procedure: number }>(
    db,
    "SELECT procedure FROM procedures WHERE workspace = ? AND procedure_id = ?",
  );
  const selectHasVersion = prepare<{ found: 1 }>(
    db,
    "SELECT 1 AS found FROM versions WHERE procedure = ? AND version = ?",
  );
  const upsertProcedure = prepare<{ procedure: number }>(
    db,
    `INSERT INTO procedures (workspace, procedure_id, name) VALUES (?, ?, ?)
     ON CONFLICT (workspace, procedure_id) DO UPDATE SET name = excluded.name RETURNING procedure`,
  );
  const insertVersion = prepare(
    db,
    `INSERT INTO versions (procedure, version, name, document, published_by, published_at_ms, draft_revision)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const setDefault = prepare(
    db,
    `INSERT INTO default_versions (procedure, environment, version) VALUES (?, ?, ?)
     ON CONFLICT (procedure, environment) DO UPDATE SET version = excluded.version`,
  );

  const summary = `workspace, procedure_id AS "procedureId", version, versions.name,
                   published_by AS "publishedBy", published_at_ms AS "publishedAtMs", draft_revision AS "draftRevision"`;
  const selectVersion = prepare<Stored<VersionRow>>(
    db,
    `SELECT ${summary}, document FROM versions JOIN procedures USING (procedure)
      WHERE workspace = ? AND procedure_id = ? AND version = ?`,
  );
  const selectVersions = prepare<Stored<VersionSummary> & { readonly number: number }>(
    db,
    `SELECT ${summary}, number FROM versions JOIN procedures USING (procedure)
      WHERE workspace = ? AND procedure_id = ? AND number < ? ORDER BY number DESC LIMIT +?`,
  );
  const selectDefault = prepare<{ version: string }>(
    db,
    `SELECT version FROM default_versions JOIN procedures USING (procedure)
      WHERE workspace = ? AND procedure_id = ? AND environment = ?`,
  );
  const selectProcedures = prepare<StoredProcedure>(
    db,
    `SELECT procedure_id, name, sandbox.version AS sandbox, live.version AS live FROM procedures
       LEFT JOIN default_versions AS sandbox
         ON sandbox.procedure = procedures.procedure AND sandbox.environment = 'sandbox'
       LEFT JOIN default_versions AS live ON live.procedure = procedures.procedure AND live.environment = 'live'
      WHERE workspace = ? AND procedure_id > ? ORDER BY procedure_id LIMIT +?`,
  );

  return {
    async publish({ version: published, defaultIn, defaultIfFirst, audit: entry }) {
      assertStorable([published, entry]);
      const { workspace, procedureId, version, name, document, publishedBy, publishedAtMs, draftRevision } = published;
      return writer.write((turn) => {
        const known = selectProcedure.get(workspace, procedureId);
        if (known !== undefined && selectHasVersion.get(known.procedure, version) !== undefined) {
          return "version_exists";
        }
        if (!audit.follows(workspace, entry)) return "audit_behind";
        const procedure = upsertProcedure.get(workspace, procedureId, name)?.procedure ?? 0;
        insertVersion.run(procedure, version, name, document, publishedBy, publishedAtMs, draftRevision ?? null);
        const first = known === undefined && defaultIn.length === 0;
        audit.append(workspace, entry);
        for (const environment of new Set(first ? [defaultIfFirst] : defaultIn)) {
          setDefault.run(procedure, environment, version);
          turn.announce({ type: "default_changed", environment });
        }
        return "published";
      });
    },

    async setDefault({ workspace, procedureId, environment, version, audit: entry }) {
      assertStorable(entry);
      return writer.write((turn) => {
        const known = selectProcedure.get(workspace, procedureId);
        if (known === undefined || selectHasVersion.get(known.procedure, version) === undefined) {
          return "version_not_found";
        }
        if (!audit.follows(workspace, entry)) return "audit_behind";
        setDefault.run(known.procedure, environment, version);
        audit.append(workspace, entry);
        turn.announce({ type: "default_changed", environment });
        return "set";
      });
    },

    version: ({ workspace, procedureId, version }) =>
      reader.read(() => {
        const row = selectVersion.get(workspace, procedureId, version);
        return row === undefined ? undefined : versionOf(row);
      }),

    defaultVersion: ({ workspace, procedureId, environment }) =>
      reader.read(() => selectDefault.get(workspace, procedureId, environment)?.version),

    versions: (request) =>
      reader.read(() => {
        const { workspace, procedureId } = request;
        return pageOf({
          ...request,
          query: ["versions", workspace, procedureId],
          shape: ["number"],
          rowsAfter: (position, count) => selectVersions.all(workspace, procedureId, position?.[0] ?? Infinity, count),
          positionOf: (row) => [row.number],
          itemOf: ({ number: _number, ...row }): VersionSummary => versionOf(row),
        });
      }),

    list: (request) =>
      reader.read(() => {
        const { workspace, after = "" } = request;
        return pageOf({
          ...request,
          query: ["procedures", workspace],
          shape: ["string"],
          rowsAfter: (position, count) => selectProcedures.all(workspace, position?.[0] ?? after, count),
          positionOf: (row) => [row.procedure_id],
          itemOf: (row) => rowOf(workspace, row),
        });
      }),
  };
}

type Stored<Row extends VersionSummary> = Omit<Row, "draftRevision"> & { readonly draftRevision: number | null };

function versionOf<Row extends VersionSummary>({ draftRevision, ...row }: Stored<Row>) {
  return { ...row, ...(draftRevision !== null && { draftRevision }) };
}

interface StoredProcedure {
  readonly procedure_id: string;
  readonly name: string;
  readonly sandbox: string | null;
  readonly live: string | null;
}

function rowOf(workspace: string, { procedure_id, name, sandbox, live }: StoredProcedure): ProcedureRow {
  const defaults: { [environment in Environment]?: string } = {};
  if (sandbox !== null) defaults.sandbox = sandbox;
  if (live !== null) defaults.live = live;
  return { workspace, procedureId: procedure_id, name, defaults };
}
