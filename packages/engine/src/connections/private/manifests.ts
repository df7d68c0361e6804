import { hash } from "node:crypto";
import { environments, type ParsedFunctionDeclaration } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { Storage } from "@procedo/storage";
import type { ConnectionPlace } from "../connection-record.ts";
import type { Action } from "../../integrations/integration.ts";
import { functionAction } from "./function-action.ts";
import type { KnownManifest } from "./known-manifest.ts";

/** The manifests of clients. Each is a record named by the digest of its content, so it never changes. */
export interface Manifests {
  keep(place: ConnectionPlace, digest: string, functions: readonly ParsedFunctionDeclaration[]): Promise<void>;
  /** The functions as actions, by name; `undefined` when the manifest is not stored. */
  read(place: ConnectionPlace, digest: string): Promise<ReadonlyMap<string, Action> | undefined>;
  remove(place: ConnectionPlace, digest: string): Promise<void>;
  /** The manifests that clients of one environment have registered. */
  list(place: ConnectionPlace): Promise<ManifestList>;
  /** Replaces the list if it still has this revision. Returns whether it had. */
  putList(place: ConnectionPlace, manifests: readonly KnownManifest[], ifRevision: number): Promise<boolean>;
  /** Removes all manifests of a connection. */
  removeAll(connectionId: string): Promise<void>;
}

/**
 * One record per environment, so that clients that write it conflict neither with clients of the other environment nor with
 * people who change the connection.
 */
export interface ManifestList {
  /** The most recently registered one first. */
  readonly manifests: readonly KnownManifest[];
  /** 0 when there is no list yet. */
  readonly revision: number;
}

/** Number of manifests that are kept for a connection in one environment. */
export const maxManifests = 20;

const kind = "private_manifest";
/** The record kind of a connection's list of manifests in one environment. */
export const manifestListKind = "private_manifest_list";
/** Number of manifests that are cached for one environment. */
const maxRead = 200;

export function createManifests({
  storage,
  workspace,
}: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
}): Manifests {
  const { records } = storage;
  /** One cache per environment, so that neither evicts manifests of the other. */
  const read = {
    sandbox: new LruCache<string, ReadonlyMap<string, Action>>(maxRead),
    live: new LruCache<string, ReadonlyMap<string, Action>>(maxRead),
  };
  const idOf = ({ environment, connectionId }: ConnectionPlace, digest: string): string =>
    `${connectionId}.${environment}.${digest}`;
  const listIdOf = ({ environment, connectionId }: ConnectionPlace): string => `${connectionId}.${environment}`;

  return {
    keep: async (place, digest, functions) => {
      const { environment } = place;
      const id = idOf(place, digest);
      const record = { workspace, environment, kind, id, body: JSON.stringify(functions), uniqueKeys: [], keys: [] };
      // A conflict means that the same manifest is stored already.
      await records.put({ record, ifRevision: 0 });
    },
    read: async (place, digest) => {
      const id = idOf(place, digest);
      const known = read[place.environment];
      const kept = known.get(id);
      if (kept !== undefined) return kept;
      const row = await records.get({ workspace, kind, id });
      if (row === undefined) return undefined;
      const functions = JSON.parse(row.body) as readonly ParsedFunctionDeclaration[];
      const actions = new Map(functions.map((declared) => [declared.name, functionAction(declared)]));
      known.set(id, actions);
      return actions;
    },
    remove: async (place, digest) => {
      await records.remove({ workspace, kind, id: idOf(place, digest) });
    },
    list: async (place) => {
      const row = await records.get({ workspace, kind: manifestListKind, id: listIdOf(place) });
      if (row === undefined) return { manifests: [], revision: 0 };
      return { manifests: JSON.parse(row.body) as readonly KnownManifest[], revision: row.revision };
    },
    putList: async (place, manifests, ifRevision) => {
      const { environment } = place;
      const body = JSON.stringify(manifests);
      const keys = { uniqueKeys: [], keys: [] };
      const record = { workspace, environment, kind: manifestListKind, id: listIdOf(place), body, ...keys };
      return (await records.put({ record, ifRevision })).status === "stored";
    },
    removeAll: async (connectionId) => {
      for (const environment of environments) {
        await records.remove({ workspace, kind: manifestListKind, id: listIdOf({ environment, connectionId }) });
      }
      const own = `${connectionId}.`;
      // One record per page, because each is read with its whole text.
      for (let after = own; ;) {
        const [row] = (await records.list({ workspace, kind, after, limit: 1 })).items;
        if (row === undefined || !row.id.startsWith(own)) return;
        await records.remove({ workspace, kind, id: row.id });
        after = row.id;
      }
    },
  };
}

/** The connection whose list has this id. */
export function connectionOfManifestList(id: string): string {
  return id.slice(0, id.lastIndexOf("."));
}

/** SHA-256, in hex. It does not depend on the order of the functions. */
export function manifestDigest(functions: readonly ParsedFunctionDeclaration[]): string {
  const sorted = functions.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const facts = sorted.map(({ name, description, input, requiresReview, idempotent }) => [
    name,
    description,
    input,
    requiresReview,
    idempotent,
  ]);
  return hash("sha256", JSON.stringify(facts), "hex");
}
