import { environments as bothEnvironments, type Environment } from "@procedo/contract";
import type { ProcedureRow, ProcedureStore, VersionRow, VersionSummary } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import { holdNames } from "./advisory-lock.ts";
import type { PostgresContext } from "./context.ts";
import { auditChain } from "./postgres-audit.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

/** A write holds the name of its workspace, so that no concurrent write invalidates its checks. */
export function postgresProcedures(context: PostgresContext): ProcedureStore {
  const { database } = context;
  const { schema } = database;
  const audit = auditChain(context);

  const selectKnown: Statement = {
    name: "procedures-known",
    text: `SELECT procedure, EXISTS (SELECT FROM ${schema}.versions
                                      WHERE versions.procedure = procedures.procedure AND version = $3) AS "hasVersion"
             FROM ${schema}.procedures WHERE workspace = $1 AND procedure_id = $2`,
  };
  const insertVersion: Statement = {
    name: "procedures-publish",
    text: `WITH published AS (
             INSERT INTO ${schema}.procedures (workspace, procedure_id, name) VALUES ($1, $2, $4)
             ON CONFLICT (workspace, procedure_id) DO UPDATE SET name = excluded.name RETURNING procedure
           )
           INSERT INTO ${schema}.versions (procedure, version, name, document, published_by, published_at_ms, draft_revision)
           SELECT procedure, $3, $4, $5, $6, $7, $8 FROM published RETURNING procedure`,
  };
  const setDefaults: Statement = {
    name: "procedures-set-defaults",
    text: `INSERT INTO ${schema}.default_versions (procedure, environment, version)
           SELECT $1, environment, $3 FROM unnest($2::text[]) AS environment
           ON CONFLICT (procedure, environment) DO UPDATE SET version = excluded.version`,
  };

  const summary = `workspace, procedure_id AS "procedureId", version, versions.name,
                   published_by AS "publishedBy", published_at_ms AS "publishedAtMs", draft_revision AS "draftRevision"`;
  const versions = `${schema}.versions JOIN ${schema}.procedures USING (procedure)`;
  const selectVersion: Statement = {
    name: "procedures-version",
    text: `SELECT ${summary}, document FROM ${versions} WHERE workspace = $1 AND procedure_id = $2 AND version = $3`,
  };
  const selectVersions: Statement = {
    name: "procedures-versions",
    text: `SELECT ${summary}, number FROM ${versions}
            WHERE workspace = $1 AND procedure_id = $2 AND number < $3 ORDER BY number DESC LIMIT $4`,
  };
  const selectDefault: Statement = {
    name: "procedures-default",
    text: `SELECT version FROM ${schema}.default_versions JOIN ${schema}.procedures USING (procedure)
            WHERE workspace = $1 AND procedure_id = $2 AND environment = $3`,
  };
  const selectProcedures: Statement = {
    name: "procedures-list",
    text: `SELECT procedure_id, name, sandbox.version AS sandbox, live.version AS live FROM ${schema}.procedures
             LEFT JOIN ${schema}.default_versions AS sandbox
               ON sandbox.procedure = procedures.procedure AND sandbox.environment = 'sandbox'
             LEFT JOIN ${schema}.default_versions AS live
               ON live.procedure = procedures.procedure AND live.environment = 'live'
            WHERE workspace = $1 AND procedure_id > $2 ORDER BY procedure_id LIMIT $3`,
  };

  return {
    async publish({ version: published, defaultIn, defaultIfFirst, audit: entry }) {
      assertStorable([published, entry]);
      const { workspace, procedureId, version, name, document, publishedBy, publishedAtMs, draftRevision } = published;
      return database.transaction(async (tx) => {
        await holdNames(tx, schema, [`managed/${workspace}`]);
        const [known] = await tx.query<KnownProcedure>(selectKnown, [workspace, procedureId, version]);
        if (known?.hasVersion === true) return "version_exists";
        if ((await audit.append(tx, workspace, entry)) === "behind") return "audit_behind";
        const values = [
          workspace,
          procedureId,
          version,
          name,
          document,
          publishedBy,
          publishedAtMs,
          draftRevision ?? null,
        ];
        const [row] = await tx.query<{ procedure: number }>(insertVersion, values);
        const first = known === undefined && defaultIn.length === 0;
        // One statement cannot set the same default twice.
        const environments = [...new Set(first ? [defaultIfFirst] : defaultIn)];
        if (row !== undefined) await tx.query(setDefaults, [row.procedure, environments, version]);
        for (const environment of environments) tx.announce({ type: "default_changed", environment });
        for (const environment of bothEnvironments) {
          tx.announce({ type: "written", scope: { workspace, environment } });
        }
        return "published";
      });
    },

    async setDefault({ workspace, procedureId, environment, version, audit: entry }) {
      assertStorable(entry);
      return database.transaction(async (tx) => {
        await holdNames(tx, schema, [`managed/${workspace}`]);
        const [known] = await tx.query<KnownProcedure>(selectKnown, [workspace, procedureId, version]);
        if (known?.hasVersion !== true) return "version_not_found";
        if ((await audit.append(tx, workspace, entry)) === "behind") return "audit_behind";
        await tx.query(setDefaults, [known.procedure, [environment], version]);
        tx.announce({ type: "default_changed", environment });
        return "set";
      });
    },

    async version({ workspace, procedureId, version }) {
      const [row] = await database.query<Stored<VersionRow>>(selectVersion, [workspace, procedureId, version]);
      return row && versionOf(row);
    },

    async defaultVersion({ workspace, procedureId, environment }) {
      const [row] = await database.query<{ version: string }>(selectDefault, [workspace, procedureId, environment]);
      return row?.version;
    },

    versions: (request) => {
      const { workspace, procedureId } = request;
      return pageOf({
        ...request,
        query: ["versions", workspace, procedureId],
        shape: ["number"],
        rowsAfter: (position, count) => {
          const values = [workspace, procedureId, position?.[0] ?? Number.MAX_SAFE_INTEGER, count];
          return database.query<Stored<VersionSummary> & { readonly number: number }>(selectVersions, values);
        },
        positionOf: (row) => [row.number],
        itemOf: ({ number: _number, ...row }): VersionSummary => versionOf(row),
      });
    },

    list: (request) => {
      const { workspace, after = "" } = request;
      return pageOf({
        ...request,
        query: ["procedures", workspace],
        shape: ["string"],
        rowsAfter: (position, count) =>
          database.query<StoredProcedure>(selectProcedures, [workspace, position?.[0] ?? after, count]),
        positionOf: (row) => [row.procedure_id],
        itemOf: (row) => rowOf(workspace, row),
      });
    },
  };
}

type Stored<Row extends VersionSummary> = Omit<Row, "draftRevision"> & { readonly draftRevision: number | null };

function versionOf<Row extends VersionSummary>({ draftRevision, ...row }: Stored<Row>) {
  return { ...row, ...(draftRevision !== null && { draftRevision }) };
}

interface KnownProcedure {
  readonly procedure: number;
  readonly hasVersion: boolean;
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
