import type { Environment } from "@procedo/contract";
import type { NewRecord, RecordRow, RecordStore, RecordUse } from "@procedo/storage";
import { assertGate, assertStorable } from "@procedo/storage";
import { holdNames } from "./advisory-lock.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { batchedLookup } from "./batched-lookups.ts";
import { auditChain } from "./postgres-audit.ts";
import { pageOf } from "./sql-page.ts";
import { triggerGates } from "./trigger-gates.ts";
import type { Statement } from "./statement.ts";

interface StoredRecord {
  readonly record: number;
  readonly workspace: string;
  readonly kind: string;
  readonly id: string;
  readonly environment: Environment | null;
  readonly body: string;
  readonly revision: number;
  readonly unique_keys: readonly string[];
  readonly keys: readonly string[];
}

type StoredUse = Omit<RecordUse, "address"> & { readonly address: string | null };

/**
 * A write holds the name of its workspace, so that no concurrent write invalidates its checks. It also holds the names
 * of its unique keys, which are unique across workspaces: an unused key has no row to lock.
 */
export function postgresRecords(context: PostgresContext): RecordStore {
  const { database } = context;
  const { schema } = database;
  const audit = auditChain(context);
  const gates = triggerGates(context);

  const select = `SELECT record, workspace, kind, id, environment, body, revision,
           ARRAY(SELECT unique_key FROM ${schema}.record_unique_keys AS held WHERE held.record = records.record
                  ORDER BY unique_key) AS unique_keys,
           ARRAY(SELECT record_key FROM ${schema}.record_keys AS held WHERE held.record = records.record
                  ORDER BY record_key) AS keys
      FROM ${schema}.records`;
  const selectOne: Statement = {
    name: "records-get",
    text: `${select} WHERE workspace = $1 AND kind = $2 AND id = $3`,
  };
  const selectByUniqueKey: Statement = {
    name: "records-find",
    text: `${select} WHERE record = ANY (ARRAY(SELECT record FROM ${schema}.record_unique_keys
                                               WHERE kind = $1 AND unique_key = ANY ($2::text[])))`,
  };
  const finders = new Map<string, (uniqueKey: string) => Promise<readonly StoredRecord[]>>();
  const selectPage: Statement = {
    name: "records-list",
    text: `${select} WHERE workspace = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4`,
  };
  // Reads a page of one environment without reading records of the other.
  const selectPageOfEnvironment: Statement = {
    name: "records-list-environment",
    text: `${select} WHERE workspace = $1 AND kind = $2 AND id > $3 AND environment = $5 ORDER BY id LIMIT $4`,
  };
  const selectTaken: Statement = {
    name: "records-taken",
    text: `SELECT unique_key FROM ${schema}.record_unique_keys
            WHERE kind = $1 AND unique_key = ANY ($2::text[]) AND record IS DISTINCT FROM $3::bigint`,
  };
  // Unchanged keys are kept, not replaced: within one statement, a deleted row still blocks an insert of the same key.
  const store: Statement = {
    name: "records-put",
    text: `WITH stored AS (
             INSERT INTO ${schema}.records (workspace, kind, id, environment, body, revision)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (workspace, kind, id) DO UPDATE
               SET environment = excluded.environment, body = excluded.body, revision = excluded.revision
             RETURNING record
           ), dropped_unique_keys AS (
             DELETE FROM ${schema}.record_unique_keys USING stored
              WHERE record_unique_keys.record = stored.record AND unique_key <> ALL ($7::text[])
           ), dropped_keys AS (
             DELETE FROM ${schema}.record_keys USING stored
              WHERE record_keys.record = stored.record AND record_key <> ALL ($8::text[])
           ), added_unique_keys AS (
             INSERT INTO ${schema}.record_unique_keys (kind, unique_key, record)
             SELECT $2, added.unique_key, stored.record FROM stored, unnest($7::text[]) AS added (unique_key)
              WHERE (SELECT held.record = stored.record FROM ${schema}.record_unique_keys AS held
                      WHERE held.kind = $2 AND held.unique_key = added.unique_key) IS NOT TRUE
           )
           INSERT INTO ${schema}.record_keys (kind, record_key, record)
           SELECT $2, added.record_key, stored.record FROM stored, unnest($8::text[]) AS added (record_key)
           ON CONFLICT DO NOTHING`,
  };
  const remove: Statement = { name: "records-remove", text: `DELETE FROM ${schema}.records WHERE record = $1` };

  // Holds the records, so that none is removed between its lookup and its use, in an order that two nodes share.
  const noteUses: Statement = {
    name: "records-note-uses",
    text: `WITH used AS (
             SELECT DISTINCT ON (id) id, used_at_ms, address
               FROM unnest($3::text[], $4::bigint[], $5::text[]) AS given (id, used_at_ms, address)
              ORDER BY id, used_at_ms DESC
           ), held AS (
             SELECT record, id FROM ${schema}.records
              WHERE workspace = $1 AND kind = $2 AND id = ANY ($3::text[]) ORDER BY id FOR KEY SHARE
           )
           INSERT INTO ${schema}.record_uses AS known (record, used_at_ms, address)
           SELECT record, used_at_ms, address FROM held JOIN used USING (id) ORDER BY id
           ON CONFLICT (record) DO UPDATE SET used_at_ms = excluded.used_at_ms, address = excluded.address
            WHERE excluded.used_at_ms > known.used_at_ms`,
  };
  const latestUses: Statement = {
    name: "records-latest-uses",
    text: `SELECT id, used_at_ms AS "usedAtMs", address
             FROM ${schema}.records JOIN ${schema}.record_uses USING (record)
            WHERE workspace = $1 AND kind = $2 AND id = ANY ($3::text[])`,
  };

  async function uniqueKeyTaken(
    tx: Transaction,
    { kind, uniqueKeys }: NewRecord,
    stored: StoredRecord | undefined,
  ): Promise<string | undefined> {
    if (uniqueKeys.length === 0) return undefined;
    const values = [kind, uniqueKeys, stored?.record ?? null];
    const taken = new Set((await tx.query<{ unique_key: string }>(selectTaken, values)).map((row) => row.unique_key));
    return uniqueKeys.find((uniqueKey) => taken.has(uniqueKey));
  }

  async function removeGate(tx: Transaction, stored: StoredRecord | undefined): Promise<void> {
    if (stored?.kind !== "trigger" || stored.environment === null) return;
    await gates.remove(tx, { workspace: stored.workspace, environment: stored.environment }, stored.id);
  }

  /** Returns the finder of a kind. There are only a few kinds. */
  function finderOf(kind: string): (uniqueKey: string) => Promise<readonly StoredRecord[]> {
    const known = finders.get(kind);
    if (known !== undefined) return known;
    const finder = batchedLookup({
      find: (uniqueKeys) => database.query<StoredRecord>(selectByUniqueKey, [kind, uniqueKeys]),
      keysOf: (row) => row.unique_keys,
      timeLimit: database.timeLimit,
    });
    finders.set(kind, finder);
    return finder;
  }

  return {
    async get({ workspace, kind, id }) {
      const [stored] = await database.query<StoredRecord>(selectOne, [workspace, kind, id]);
      return stored === undefined ? undefined : rowOf(stored);
    },

    async find({ kind, uniqueKey }) {
      const [stored] = await finderOf(kind)(uniqueKey);
      return stored === undefined ? undefined : rowOf(stored);
    },

    list: (request) => {
      const { workspace, environment, kind, after = "" } = request;
      return pageOf({
        ...request,
        query: ["records", workspace, environment, kind],
        shape: ["string"],
        rowsAfter: (position, count) => {
          const values = [workspace, kind, position?.[0] ?? after, count];
          if (environment === undefined) return database.query<StoredRecord>(selectPage, values);
          return database.query<StoredRecord>(selectPageOfEnvironment, [...values, environment]);
        },
        positionOf: (row) => [row.id],
        itemOf: rowOf,
      });
    },

    async put({ record, ifRevision, audit: entry }) {
      assertStorable([record, entry]);
      assertGate(record);
      const { workspace, kind, id, environment, body } = record;
      const [uniqueKeys, keys] = [[...new Set(record.uniqueKeys)], [...new Set(record.keys)]];
      return database.transaction(async (tx) => {
        const names = uniqueKeys.map((uniqueKey) => `unique-key/${kind}/${uniqueKey}`);
        await holdNames(tx, schema, [`managed/${workspace}`, ...names]);
        const [stored] = await tx.query<StoredRecord>(selectOne, [workspace, kind, id]);
        if ((stored?.revision ?? 0) !== ifRevision) return { status: "conflict" };
        const uniqueKey = await uniqueKeyTaken(tx, record, stored);
        if (uniqueKey !== undefined) return { status: "taken", uniqueKey };
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        const revision = ifRevision + 1;
        await tx.query(store, [workspace, kind, id, environment ?? null, body, revision, uniqueKeys, keys]);
        if (stored?.environment !== environment) await removeGate(tx, stored);
        await gates.put(tx, record, revision);
        tx.announce({ type: "record_changed", kind, id, environment });
        if (record.trigger !== undefined) tx.announce({ type: "fireable" });
        return { status: "stored", revision };
      });
    },

    async remove({ workspace, kind, id, ifRevision, audit: entry }) {
      assertStorable(entry);
      return database.transaction(async (tx) => {
        await holdNames(tx, schema, [`managed/${workspace}`]);
        const [stored] = await tx.query<StoredRecord>(selectOne, [workspace, kind, id]);
        if (stored === undefined) return "not_found";
        if (ifRevision !== undefined && stored.revision !== ifRevision) return "conflict";
        if ((await audit.append(tx, workspace, entry)) === "behind") return "audit_behind";
        await tx.query(remove, [stored.record]);
        await removeGate(tx, stored);
        tx.announce({ type: "record_changed", kind, id, environment: stored.environment ?? undefined });
        return "removed";
      });
    },

    async noteUses({ workspace, kind, uses }) {
      assertStorable(uses);
      const columns = [
        uses.map(({ id }) => id),
        uses.map(({ usedAtMs }) => usedAtMs),
        uses.map(({ address = null }) => address),
      ];
      await database.query(noteUses, [workspace, kind, ...columns]);
    },

    async latestUses({ workspace, kind, ids }) {
      return (await database.query<StoredUse>(latestUses, [workspace, kind, ids])).map(useOf);
    },
  };
}

function useOf({ address, ...use }: StoredUse): RecordUse {
  return { ...use, ...(address !== null && { address }) };
}

function rowOf({ record: _record, environment, unique_keys: uniqueKeys, ...row }: StoredRecord): RecordRow {
  return { ...row, environment: environment ?? undefined, uniqueKeys };
}
