import { LruCache } from "@procedo/contract/syntax";
import type { Storage } from "@procedo/storage";
import type { ConnectionUse, ConnectionUses } from "../connections/connection-uses.ts";
import type { Slices } from "../journal/slices.ts";
import { draftDocuments } from "./drafts.ts";
import { namedCalls, type NamedCall } from "./named-calls.ts";

/**
 * Calls in the cache, for all versions together. Versions never change. A version counts as one call more than it has,
 * because it may have none.
 */
const maxKeptCalls = 20_000;
const pageSize = 100;

export function createConnectionUses(ports: {
  readonly storage: Pick<Storage, "procedures" | "records">;
  readonly workspace: string;
  readonly slices: Slices;
}): Omit<ConnectionUses, "ofTriggers"> {
  const { storage, workspace, slices } = ports;
  const kept = new LruCache<string, readonly NamedCall[]>(maxKeptCalls, (calls) => calls.length + 1);

  const callsOf = async (procedureId: string, version: string): Promise<readonly NamedCall[]> => {
    const key = `${procedureId}@${version}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    // A document may have one mebibyte, and there may be thousands of documents.
    await slices.next();
    const row = await storage.procedures.version({ workspace, procedureId, version });
    const calls = row === undefined ? [] : [...namedCalls(JSON.parse(row.document))];
    kept.set(key, calls);
    return calls;
  };

  const procedures = () => itemsOf((page) => storage.procedures.list({ workspace, ...page }));
  const versionsOf = (procedureId: string) =>
    itemsOf((page) => storage.procedures.versions({ workspace, procedureId, ...page }));

  const useOf = (
    { calls, ...use }: Omit<ConnectionUse, "calls"> & { readonly calls: Iterable<NamedCall> },
    connection: string,
  ): readonly ConnectionUse[] => {
    const own = [...calls].filter((call) => call.connection === connection);
    return own.length === 0 ? [] : [{ ...use, calls: own.map(({ nodeId, action }) => ({ nodeId, action })) }];
  };

  const ofDefaults: ConnectionUses["ofDefaults"] = async (environment, connection) => {
    const uses: ConnectionUse[] = [];
    for await (const { procedureId, defaults } of procedures()) {
      const version = defaults[environment];
      if (version === undefined) continue;
      uses.push(...useOf({ procedureId, version, calls: await callsOf(procedureId, version) }, connection));
    }
    return uses;
  };

  return {
    ofDefaults,

    counts: async (environment) => {
      const callers = new Map<string, Set<string>>();
      const add = (procedureId: string, calls: Iterable<NamedCall>): void => {
        for (const { connection } of calls) {
          const procedureIds = callers.get(connection) ?? new Set();
          callers.set(connection, procedureIds.add(procedureId));
        }
      };
      for await (const { procedureId, defaults } of procedures()) {
        const version = defaults[environment];
        if (version !== undefined) add(procedureId, await callsOf(procedureId, version));
      }
      for await (const { procedureId, document } of draftDocuments(storage.records, workspace, slices)) {
        add(procedureId, namedCalls(document));
      }
      return new Map([...callers].map(([connection, procedureIds]) => [connection, procedureIds.size]));
    },

    find: async (environment, connection) => {
      const uses = [...(await ofDefaults(environment, connection))];
      for await (const { procedureId, document } of draftDocuments(storage.records, workspace, slices)) {
        uses.push(...useOf({ procedureId, calls: namedCalls(document) }, connection));
      }
      return uses;
    },

    ofVersions: async (connection, limit) => {
      const uses: ConnectionUse[] = [];
      for await (const { procedureId } of procedures()) {
        for await (const { version } of versionsOf(procedureId)) {
          uses.push(...useOf({ procedureId, version, calls: await callsOf(procedureId, version) }, connection));
          if (uses.length === limit) return uses;
        }
      }
      return uses;
    },
  };

  async function* itemsOf<T>(
    read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<{
      readonly items: readonly T[];
      readonly nextCursor: string | undefined;
    }>,
  ): AsyncGenerator<T> {
    for (let cursor: string | undefined; ;) {
      const { items, nextCursor } = await read({ limit: pageSize, ...(cursor !== undefined && { cursor }) });
      yield* items;
      if (nextCursor === undefined) return;
      await slices.next();
      cursor = nextCursor;
    }
  }
}
