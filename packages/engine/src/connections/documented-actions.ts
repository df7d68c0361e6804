import { hash } from "node:crypto";
import type { Action, DocumentedIntegration } from "../integrations/integration.ts";
import { whileOutside, type Outside } from "../outgoing/outside.ts";
import type { ConnectionDocuments } from "./connection-documents.ts";
import type { ConnectionPlace } from "./connection-record.ts";
import { keyOf, type KeptVersion } from "./kept-versions.ts";
import type { Turns } from "./turns.ts";

/** The actions of documented connections: read out of their documents once in a process. */
export interface DocumentedActions {
  /**
   * Synchronous when they are known. Other changes of the connection do not matter.
   *
   * @param outside is told while the document is read or waits for its turn, not while storage gives it
   */
  of(
    integration: DocumentedIntegration,
    place: ConnectionPlace,
    version: KeptVersion,
    outside?: Outside,
  ): ReadonlyMap<string, Action> | Promise<ReadonlyMap<string, Action>>;
  /** Takes over what was read already. */
  keep(
    place: ConnectionPlace,
    version: KeptVersion,
    read: { readonly actions: ReadonlyMap<string, Action>; readonly document: string },
  ): void;
}

/** Actions that are being read, once for all who ask meanwhile. */
interface ComingActions {
  /** Resolves when storage has given the text. */
  readonly document: Promise<string>;
  readonly actions: Promise<ReadonlyMap<string, Action>>;
}

/** Documents whose actions are kept, by the length of their texts; the one used last always is. */
const maxKeptCharacters = 16 * 1024 * 1024;

export function createDocumentedActions(ports: {
  readonly documents: Pick<ConnectionDocuments, "read">;
  readonly turns: Turns;
}): DocumentedActions {
  const kept = new Map<string, { readonly actions: ReadonlyMap<string, Action>; readonly characters: number }>();
  const coming = new Map<string, ComingActions>();
  let characters = 0;

  const find = (key: string): ReadonlyMap<string, Action> | undefined => {
    const known = kept.get(key);
    if (known === undefined) return undefined;
    // The one used last goes last.
    kept.delete(key);
    kept.set(key, known);
    return known.actions;
  };

  const add = (key: string, actions: ReadonlyMap<string, Action>, length: number): void => {
    if (kept.has(key)) return;
    kept.set(key, { actions, characters: length });
    characters += length;
    for (const [oldest, one] of kept) {
      if (characters <= maxKeptCharacters || oldest === key) break;
      kept.delete(oldest);
      characters -= one.characters;
    }
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
      const turn = await ports.turns.take();
      try {
        const read = await integration.actions({ settings: version.settings, document });
        add(key, read, document.length);
        return read;
      } finally {
        turn.end();
      }
    })().finally(() => coming.delete(key));
    // The reader of the text gets the error.
    actions.catch(() => {});
    return { document: stored, actions };
  };

  return {
    of: (integration, place, version, outside) => {
      const key = keyOfVersion(place, version);
      const known = find(key);
      if (known !== undefined) return known;
      const reading = coming.get(key) ?? begin(key, integration, place, version);
      coming.set(key, reading);
      return reading.document.then(() => whileOutside(outside, () => reading.actions));
    },
    keep: (place, version, { actions, document }) => add(keyOfVersion(place, version), actions, document.length),
  };
}

function keyOfVersion({ environment, connectionId }: ConnectionPlace, version: KeptVersion): string {
  return hash("sha256", JSON.stringify([environment, connectionId, keyOf(version)]), "hex");
}
