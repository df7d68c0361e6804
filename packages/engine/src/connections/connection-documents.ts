import { hash } from "node:crypto";
import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { ConnectionPlace } from "./connection-record.ts";
import type { Pause } from "./list-actions.ts";

/** The documents of connections. Each is a separate record, because it may have 20 MiB and is rarely read. */
export interface ConnectionDocuments {
  /** Stores a text under its digest and returns the digest. Storing the same text again changes nothing. */
  keep(place: ConnectionPlace, text: string): Promise<string>;
  /** @throws ProcedoError `internal` when the document is not in storage */
  read(place: ConnectionPlace, digest: string): Promise<string>;
  /** Removes all documents of a connection except those with these digests. */
  removeOthers(place: ConnectionPlace, digests: ReadonlySet<string>): Promise<void>;
}

const kind = "connection_document";

export function createConnectionDocuments(ports: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly pause: Pause;
}): ConnectionDocuments {
  const { workspace, pause } = ports;
  const { records } = ports.storage;
  const idOf = (connectionId: string, digest: string): string => `${connectionId}.${digest}`;

  return {
    keep: async ({ environment, connectionId }, text) => {
      // Each step takes 10 ms for a text of 6 MB.
      await pause();
      const digest = documentDigest(text);
      await pause();
      const body = JSON.stringify(text);
      await pause();
      const record = { workspace, environment, kind, id: idOf(connectionId, digest), body, uniqueKeys: [], keys: [] };
      // A conflict means that the same text is stored already.
      await records.put({ record, ifRevision: 0 });
      return digest;
    },
    read: async ({ environment, connectionId }, digest) => {
      const row = await records.get({ workspace, kind, id: idOf(connectionId, digest) });
      await pause();
      if (row?.environment === environment) return JSON.parse(row.body) as string;
      const message = `The document of connection "${connectionId}" is not in storage. Save the connection with its document again.`;
      throw new ProcedoError("internal", message);
    },
    removeOthers: async ({ environment, connectionId }, digests) => {
      const own = idOf(connectionId, "");
      // One record per page, because each is read with its whole text.
      for (let after = own; ;) {
        const [row] = (await records.list({ workspace, environment, kind, after, limit: 1 })).items;
        if (row === undefined || !row.id.startsWith(own)) return;
        if (!digests.has(row.id.slice(own.length))) await records.remove({ workspace, kind, id: row.id });
        after = row.id;
      }
    },
  };
}

/** SHA-256, in hex. */
export function documentDigest(text: string): string {
  return hash("sha256", text, "hex");
}
