import type { Environment } from "@procedo/contract";
import type { NewRecord, RecordRow, RecordStore, RecordUse } from "@procedo/storage";
import { assertGate, assertStorable } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import { auditChain } from "./sqlite-audit.ts";
import type { SqliteGates } from "./sqlite-gates.ts";
import { prepare } from "./statement.ts";

interface StoredRecord {
  readonly record: number;
  readonly workspace: string;
  readonly kind: string;
  readonly id: string;
  readonly environment: Environment | null;
  readonly body: string;
  readonly revision: number;
}

type StoredUse = Omit<RecordUse, "address"> & { readonly address: string | null };

export function sqliteRecords(context: SqliteContext, gates: SqliteGates): RecordStore {
  const { db, reader, writer } = context;
  const audit = auditChain(context);

  const select = "SELECT record, workspace, kind, id, environment, body, revision FROM records";
  const selectOne = prepare<StoredRecord>(db, `${select} WHERE workspace = ? AND kind = ? AND id = ?`);
  const selectByUniqueKey = prepare<StoredRecord>(
    db,
    `${select} WHERE record = (SELECT record FROM record_unique_keys WHERE kind = ? AND unique_key = ?)`,
  );
  const selectPage = prepare<StoredRecord>(
    db,
    `${select} WHERE workspace = ?1 AND kind = ?2 AND id > ?3 ORDER BY id LIMIT +?4`,
  );
  // Reads a page of one environment without reading records of the other.
  const selectPageOfEnvironment = prepare<StoredRecord>(
    db,
    `${select} INDEXED BY records_of_environment
      WHERE workspace = ?1 AND kind = ?2 AND environment = ?5 AND id > ?3 ORDER BY id LIMIT +?4`,
  );
  const selectUniqueKeys = prepare<{ key: string }>(
    db,
    "SELECT unique_key AS key FROM record_unique_keys WHERE record = ?",
  );
  const selectKeys = prepare<{ key: string }>(db, "SELECT record_key AS key FROM record_keys WHERE record = ?");

  const upsert = prepare<{ record: number }>(
    db,
    `INSERT INTO records (workspace, kind, id, environment, body, revision) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (workspace, kind, id)
     DO UPDATE SET environment = excluded.environment, body = excluded.body, revision = excluded.revision
     RETURNING record`,
  );
  const remove = prepare(db, "DELETE FROM records WHERE record = ?");
  const dropUniqueKeys = prepare(db, "DELETE FROM record_unique_keys WHERE record = ?");
  const dropKeys = prepare(db, "DELETE FROM record_keys WHERE record = ?");
  const insertUniqueKey = prepare(db, "INSERT INTO record_unique_keys (kind, unique_key, record) VALUES (?, ?, ?)");
  const insertKey = prepare(db, "INSERT INTO record_keys (kind, record_key, record) VALUES (?, ?, ?)");

  const insertUse = prepare(
    db,
    `INSERT INTO record_uses (record, used_at_ms, address)
     SELECT record, ?4, ?5 FROM records WHERE workspace = ?1 AND kind = ?2 AND id = ?3
     ON CONFLICT (record) DO UPDATE SET used_at_ms = excluded.used_at_ms, address = excluded.address
      WHERE excluded.used_at_ms > used_at_ms`,
  );
  const selectUse = prepare<StoredUse>(
    db,
    `SELECT id, used_at_ms AS "usedAtMs", address FROM records JOIN record_uses USING (record)
      WHERE workspace = ? AND kind = ? AND id = ?`,
  );

  const rowOf = ({ record, environment, ...row }: StoredRecord): RecordRow => ({
    ...row,
    environment: environment ?? undefined,
    uniqueKeys: keysOf(selectUniqueKeys.all(record)),
    keys: keysOf(selectKeys.all(record)),
  });

  function store(record: NewRecord, revision: number, before: StoredRecord | undefined): void {
    const { workspace, kind, id, environment, body } = record;
    const number = upsert.get(workspace, kind, id, environment ?? null, body, revision)?.record ?? 0;
    dropUniqueKeys.run(number);
    dropKeys.run(number);
    for (const key of new Set(record.uniqueKeys)) insertUniqueKey.run(kind, key, number);
    for (const key of new Set(record.keys)) insertKey.run(kind, key, number);
    if (record.trigger !== undefined) gates.put(number, record, before?.environment ?? null);
  }

  return {
    get: ({ workspace, kind, id }) =>
      reader.snapshot(() => {
        const stored = selectOne.get(workspace, kind, id);
        return stored === undefined ? undefined : rowOf(stored);
      }),

    find: ({ kind, uniqueKey }) =>
      reader.snapshot(() => {
        const stored = selectByUniqueKey.get(kind, uniqueKey);
        return stored === undefined ? undefined : rowOf(stored);
      }),

    list: (request) =>
      reader.snapshot(() => {
        const { workspace, environment, kind, after = "" } = request;
        return pageOf({
          ...request,
          query: ["records", workspace, environment, kind],
          shape: ["string"],
          rowsAfter: (position, count) => {
            const values = [workspace, kind, position?.[0] ?? after, count];
            if (environment === undefined) return selectPage.all(...values);
            return selectPageOfEnvironment.all(...values, environment);
          },
          positionOf: (row) => [row.id],
          itemOf: rowOf,
        });
      }),

    async put({ record, ifRevision, audit: entry }) {
      assertStorable([record, entry]);
      assertGate(record);
      return writer.write((turn) => {
        const stored = selectOne.get(record.workspace, record.kind, record.id);
        if ((stored?.revision ?? 0) !== ifRevision) return { status: "conflict" };
        for (const uniqueKey of record.uniqueKeys) {
          const holder = selectByUniqueKey.get(record.kind, uniqueKey);
          if (holder !== undefined && holder.record !== stored?.record) return { status: "taken", uniqueKey };
        }
        if (!audit.follows(record.workspace, entry)) return { status: "audit_behind" };
        const revision = ifRevision + 1;
        store(record, revision, stored);
        audit.append(record.workspace, entry);
        const { kind, id, environment } = record;
        turn.announce({ type: "record_changed", kind, id, environment });
        if (record.trigger !== undefined) turn.announce({ type: "fireable" });
        return { status: "stored", revision };
      });
    },

    async remove({ workspace, kind, id, ifRevision, audit: entry }) {
      assertStorable(entry);
      return writer.write((turn) => {
        const stored = selectOne.get(workspace, kind, id);
        if (stored === undefined) return "not_found";
        if (ifRevision !== undefined && stored.revision !== ifRevision) return "conflict";
        if (!audit.follows(workspace, entry)) return "audit_behind";
        const { environment } = stored;
        if (kind === "trigger" && environment !== null) gates.remove({ workspace, environment }, id);
        remove.run(stored.record);
        audit.append(workspace, entry);
        turn.announce({ type: "record_changed", kind, id, environment: environment ?? undefined });
        return "removed";
      });
    },

    async noteUses({ workspace, kind, uses }) {
      assertStorable(uses);
      await writer.write(() => {
        for (const { id, usedAtMs, address = null } of uses) insertUse.run(workspace, kind, id, usedAtMs, address);
      });
    },

    latestUses: ({ workspace, kind, ids }) =>
      reader.read(() =>
        [...new Set(ids)].flatMap((id) => {
          const stored = selectUse.get(workspace, kind, id);
          return stored === undefined ? [] : [useOf(stored)];
        }),
      ),
  };
}

function useOf({ address, ...use }: StoredUse): RecordUse {
  return { ...use, ...(address !== null && { address }) };
}

function keysOf(rows: readonly { readonly key: string }[]): readonly string[] {
  return rows.map(({ key }) => key).sort();
}
