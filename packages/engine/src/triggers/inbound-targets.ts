import type { Environment } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { RecordRow, Storage } from "@procedo/storage";
import { connectionKind } from "../connections/connection-record.ts";
import { environmentOfAddress, uniqueAddressOf } from "../integrations/inbound-address.ts";
import { inboundConnection } from "./inbound-connection.ts";
import type { InboundTarget } from "./inbound-target.ts";
import { inboundTrigger } from "./inbound-trigger.ts";
import { triggerKind } from "./trigger-record.ts";

/** The receivers of inbound addresses. Each is kept until a trigger or a connection changes. */
export interface InboundTargets {
  /**
   * `undefined` for an unknown address.
   *
   * @throws ProcedoError `storage_unavailable`, `decryption_failed`
   */
  find(address: string): Promise<InboundTarget | undefined>;
  /** Makes the next request to each address read it again. */
  forget(): void;
}

/** Unknown addresses are kept as well: otherwise a repeated request would take longer for them. */
const maxAddresses = 10_000;

export function createInboundTargets(
  ports: {
    readonly storage: Pick<Storage, "records">;
    readonly workspace: string;
  } & Parameters<typeof inboundTrigger>[0] &
    Parameters<typeof inboundConnection>[0],
): InboundTargets {
  const { storage, workspace } = ports;
  let known = new LruCache<string, Promise<InboundTarget | undefined>>(maxAddresses);

  const row = async (address: string): Promise<RecordRow | undefined> => {
    const uniqueKey = uniqueAddressOf(address);
    const found = await Promise.all(
      [triggerKind, connectionKind].map((kind) => storage.records.find({ kind, uniqueKey })),
    );
    return found.find((one) => one !== undefined);
  };

  const open = async (address: string, environment: Environment): Promise<InboundTarget | undefined> => {
    const found = await row(address);
    // Another engine with the same storage may serve another workspace.
    if (found?.environment !== environment || found.workspace !== workspace) return undefined;
    const scope = { workspace, environment };
    return found.kind === triggerKind ? inboundTrigger(ports, scope, found) : inboundConnection(ports, scope, found);
  };

  return {
    find: async (address) => {
      const environment = environmentOfAddress(address);
      // A text of another form costs neither a read nor a place.
      if (environment === undefined) return undefined;
      const kept = known.get(address);
      if (kept !== undefined) return await kept;
      const cache = known;
      const opening = open(address, environment);
      void cache.set(address, opening);
      // An address that could not be read is read again the next time.
      opening.catch(() => cache.delete(address));
      return await opening;
    },
    forget: () => {
      // A read that is in progress stays in the old cache, so that a stale target is never used.
      known = new LruCache(maxAddresses);
    },
  };
}
