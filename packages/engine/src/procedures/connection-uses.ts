import type { Environment } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import { draftDocuments } from "./drafts.ts";
import { namedCalls, type NamedCall } from "./named-calls.ts";

/** A procedure whose tool calls name a connection. */
export interface ConnectionUse {
  readonly procedureId: string;
  /** The default version of the environment; left out of the draft. */
  readonly version?: string;
  readonly calls: readonly Pick<NamedCall, "nodeId" | "action">[];
}

/** Who calls the connection of this name, among the default versions of the environment and the drafts. */
export type FindUses = (environment: Environment, connection: string) => Promise<readonly ConnectionUse[]>;

/** Versions whose calls are remembered: they never change. */
const maxKept = 5_000;
const pageSize = 100;

export function createUsesFinder(ports: {
  readonly storage: Pick<Storage, "procedures" | "records">;
  readonly workspace: string;
}): FindUses {
  const { storage, workspace } = ports;
  const kept = new Map<string, readonly NamedCall[]>();

  const callsOf = async (procedureId: string, version: string): Promise<readonly NamedCall[]> => {
    const key = `${procedureId}@${version}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const row = await storage.procedures.version({ workspace, procedureId, version });
    const calls = row === undefined ? [] : [...namedCalls(JSON.parse(row.document))];
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, calls);
    return calls;
  };

  const defaultsOf = async function* (environment: Environment) {
    for (let cursor: string | undefined; ;) {
      const page = await storage.procedures.list({
        workspace,
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
      });
      for (const { procedureId, defaults } of page.items) {
        const version = defaults[environment];
        if (version !== undefined) yield { procedureId, version, calls: await callsOf(procedureId, version) };
      }
      if (page.nextCursor === undefined) return;
      cursor = page.nextCursor;
    }
  };

  return async (environment, connection) => {
    const uses: ConnectionUse[] = [];
    const add = ({ calls, ...use }: Omit<ConnectionUse, "calls"> & { readonly calls: Iterable<NamedCall> }): void => {
      const own = [...calls].filter((call) => call.connection === connection);
      if (own.length > 0) uses.push({ ...use, calls: own.map(({ nodeId, action }) => ({ nodeId, action })) });
    };
    for await (const version of defaultsOf(environment)) add(version);
    for await (const { procedureId, document } of draftDocuments(storage.records, workspace)) {
      add({ procedureId, calls: namedCalls(document) });
    }
    return uses;
  };
}
