import { hash } from "node:crypto";
import type { Environment } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { Action, DocumentedIntegration } from "../integrations/integration.ts";
import { whileOutside, type Outside } from "../egress/outside.ts";
import type { ConnectionDocuments } from "./connection-documents.ts";
import type { ConnectionPlace } from "./connection-record.ts";
import { keyOf, type KeptVersion } from "./kept-versions.ts";
import type { Mutex } from "./mutex.ts";

/** The actions of documented connections, cached in this process. */
export interface DocumentedActions {
  /**
   * Finds the actions of one version in the cache, or reads its document.
   *
   * @param outside covers the wait for the mutex and the reading of the document, not the storage read
   */
  of(
    integration: DocumentedIntegration,
    place: ConnectionPlace,
    version: KeptVersion,
    outside?: Outside,
  ): Promise<ReadonlyMap<string, Action>>;
  /** Caches actions that were read elsewhere. */
  keep(
    place: ConnectionPlace,
    version: KeptVersion,
    read: { readonly actions: ReadonlyMap<string, Action>; readonly document: string },
  ): void;
}

/** The actions of one version, with the length of its document. */
interface KeptActions {
  readonly actions: ReadonlyMap<string, Action>;
  readonly characters: number;
}

/** Actions that are being read. Concurrent callers share one read. */
interface ComingActions {
  /** Resolves when storage has returned the text. */
  readonly document: Promise<string>;
  readonly actions: Promise<ReadonlyMap<string, Action>>;
}

/** Total length of the documents whose actions are cached, per environment. */
const maxKeptCharacters = 16 * 1024 * 1024;

export function createDocumentedActions(ports: {
  readonly documents: Pick<ConnectionDocuments, "read">;
  readonly mutexes: Readonly<Record<Environment, Mutex>>;
}): DocumentedActions {
  const noneKept = () => new LruCache<string, KeptActions>(maxKeptCharacters, ({ characters }) => characters);
  const keptIn = { sandbox: noneKept(), live: noneKept() };
  const coming = new Map<string, ComingActions>();

  const add = (
    { environment }: ConnectionPlace,
    key: string,
    actions: ReadonlyMap<string, Action>,
    length: number,
  ): void => {
    const kept = keptIn[environment];
    if (kept.get(key) === undefined) kept.set(key, { actions, characters: length });
  };

  const begin = (
    key: string,
    integration: DocumentedIntegration,
    place: ConnectionPlace,
    version: KeptVersion,
  ): ComingActions => {
    const stored = ports.documents.read(place, version.document);
    const actions = (async () => {
      const document = await stored;
      const lock = await ports.mutexes[place.environment].acquire();
      try {
        const read = await integration.actions({ settings: version.settings, document });
        add(place, key, read, document.length);
        return read;
      } finally {
        lock.release();
      }
    })().finally(() => coming.delete(key));
    // If storage fails, the caller gets the error of `document`, and `actions` is never awaited.
    actions.catch(() => {});
    return { document: stored, actions };
  };

  return {
    of: async (integration, place, version, outside) => {
      const key = keyOfVersion(place, version);
      const known = keptIn[place.environment].get(key);
      if (known !== undefined) return known.actions;
      const reading = coming.get(key) ?? begin(key, integration, place, version);
      coming.set(key, reading);
      await reading.document;
      return await whileOutside(outside, () => reading.actions);
    },
    keep: (place, version, { actions, document }) => add(place, keyOfVersion(place, version), actions, document.length),
  };
}

function keyOfVersion({ environment, connectionId }: ConnectionPlace, version: KeptVersion): string {
  return hash("sha256", JSON.stringify([environment, connectionId, keyOf(version)]), "hex");
}
