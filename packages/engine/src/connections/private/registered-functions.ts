import { connectedWindowMs, type Environment } from "@procedo/contract";
import type { ClientPresence, Scope, Storage } from "@procedo/storage";
import type { ConnectionPlace } from "../connection-record.ts";
import type { Action } from "../../integrations/integration.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Manifests } from "./manifests.ts";

/** The functions of a private connection, by the clients that polled recently. */
export interface RegisteredFunctions {
  /**
   * The functions of the clients that polled recently, by name. Where several serve a function, the manifest that was
   * registered last counts. Without a recent client, the functions are those of the last one.
   */
  of(place: ConnectionPlace): Promise<ReadonlyMap<string, Action>>;
  /** The clients that have polled, the last one first. */
  clients(place: ConnectionPlace): Promise<readonly ClientPresence[]>;
  /** Whether a client has polled within the last 60 seconds. */
  isConnected(clients: readonly ClientPresence[]): boolean;
}

/** A client that restarts polls again within this time, so that its functions stay known. */
const latelyMs = 5 * 60_000;

export function createRegisteredFunctions(ports: {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "now">;
  readonly manifests: Pick<Manifests, "list" | "read">;
}): RegisteredFunctions {
  const { storage, workspace, clock, manifests } = ports;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });

  const clients: RegisteredFunctions["clients"] = ({ environment, connectionId }) =>
    storage.invocations.listClients({ scope: scopeOf(environment), connectionId });

  return {
    clients,
    isConnected: ([last]) => last !== undefined && clock.now() - last.lastSeenMs <= connectedWindowMs,
    of: async (place) => {
      const { manifests: known } = await manifests.list(place);
      if (known.length === 0) return new Map();
      const polled = new Map(
        (await clients(place)).toReversed().map(({ manifest, lastSeenMs }) => [manifest, lastSeenMs]),
      );
      const seen = known.map(({ digest, registeredAtMs }) => ({
        digest,
        seenAtMs: Math.max(registeredAtMs, polled.get(digest) ?? 0),
      }));
      const lastMs = Math.max(...seen.map(({ seenAtMs }) => seenAtMs));
      const sinceMs = Math.min(lastMs, clock.now() - latelyMs);
      // The last manifest wins.
      const served = seen.filter(({ seenAtMs }) => seenAtMs >= sinceMs).toReversed();
      const read = await Promise.all(served.map(({ digest }) => manifests.read(place, digest)));
      const actions = new Map(read.flatMap((functions) => [...(functions ?? [])]));
      return new Map([...actions].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}
