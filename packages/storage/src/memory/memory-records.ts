import type { RecordAddress, RecordRow, RecordStore } from "../records.ts";
import { assertGate } from "../judge-gate.ts";
import { assertStorable } from "../storable.ts";
import { append, follows } from "./memory-audit.ts";
import { putGate, removeGate } from "./memory-gates.ts";
import { pageById } from "./page.ts";
import type { MemoryState } from "./state.ts";
import { keyOf } from "./state.ts";

export function memoryRecords(state: MemoryState): RecordStore {
  const holderOf = (kind: string, uniqueKey: string): RecordRow | undefined =>
    [...state.records.values()].find((row) => row.kind === kind && row.uniqueKeys.includes(uniqueKey));

  return {
    async get(address) {
      return state.records.get(placeOf(address));
    },

    async find({ kind, uniqueKey }) {
      return holderOf(kind, uniqueKey);
    },

    async list(request) {
      const { workspace, environment, kind } = request;
      const rows = [...state.records.values()].filter(
        (row) =>
          row.workspace === workspace &&
          row.kind === kind &&
          (environment === undefined || row.environment === environment),
      );
      return pageById(rows, {
        ...request,
        query: ["records", workspace, environment, kind],
        idOf: ({ id }) => id,
        itemOf: (row) => row,
      });
    },

    async put({ record, ifRevision, audit }) {
      assertStorable([record, audit]);
      assertGate(record);
      const place = placeOf(record);
      const stored = state.records.get(place);
      if ((stored?.revision ?? 0) !== ifRevision) return { status: "conflict" };
      for (const uniqueKey of record.uniqueKeys) {
        const holder = holderOf(record.kind, uniqueKey);
        if (holder !== undefined && holder !== stored) return { status: "taken", uniqueKey };
      }
      if (!follows(state, record.workspace, audit)) return { status: "audit_behind" };
      const revision = ifRevision + 1;
      const { workspace, kind, id, environment, body } = record;
      const uniqueKeys = [...new Set(record.uniqueKeys)].sort();
      const keys = [...new Set(record.keys)].sort();
      state.records.set(place, { workspace, kind, id, environment, body, uniqueKeys, keys, revision });
      if (record.trigger !== undefined && environment !== undefined) {
        putGate(state, { workspace, environment }, id, record.trigger, stored);
      }
      append(state, record.workspace, audit);
      state.feed.emit({ type: "record_changed", kind, id, environment });
      if (record.trigger !== undefined) state.feed.emit({ type: "fireable" });
      return { status: "stored", revision };
    },

    async remove({ ifRevision, audit, ...address }) {
      assertStorable(audit);
      const place = placeOf(address);
      const stored = state.records.get(place);
      if (stored === undefined) return "not_found";
      if (ifRevision !== undefined && stored.revision !== ifRevision) return "conflict";
      if (!follows(state, address.workspace, audit)) return "audit_behind";
      state.records.delete(place);
      state.failing.delete(place);
      state.recordUses.delete(place);
      if (stored.kind === "trigger") removeGate(state, stored);
      append(state, address.workspace, audit);
      const { kind, id, environment } = stored;
      state.feed.emit({ type: "record_changed", kind, id, environment });
      return "removed";
    },

    async noteUses({ workspace, kind, uses }) {
      assertStorable(uses);
      for (const { id, usedAtMs, address } of uses) {
        const place = placeOf({ workspace, kind, id });
        const isLater = usedAtMs > (state.recordUses.get(place)?.usedAtMs ?? -Infinity);
        if (!isLater || !state.records.has(place)) continue;
        state.recordUses.set(place, { id, usedAtMs, ...(address !== undefined && { address }) });
      }
    },

    async latestUses({ workspace, kind, ids }) {
      return [...new Set(ids)].flatMap((id) => state.recordUses.get(placeOf({ workspace, kind, id })) ?? []);
    },
  };
}

function placeOf({ workspace, kind, id }: RecordAddress): string {
  return keyOf(workspace, kind, id);
}
