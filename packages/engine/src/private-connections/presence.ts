import { toStorable, type Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { ClientSelf, PrivateClient } from "./private-client.ts";

/** Records which clients poll. */
export interface Presence {
  /** Records a client's poll. A failure to store it is logged, and fails no poll. */
  record(client: PrivateClient, self: ClientSelf & { readonly manifest: string }): Promise<void>;
}

/** A client is recorded at most this often, since each record is a durable write. */
const everyMs = 10_000;
const maxTextLength = 128;
/** Beyond this many clients of one environment, new ones are recorded without their id. */
const maxClients = 2_000;

export function createPresence(ports: {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
}): Presence {
  const { storage, workspace, clock, log } = ports;
  /** One map per environment, so that clients of one take no room from those of the other. */
  const recordedIn = { sandbox: new Map<string, number>(), live: new Map<string, number>() };

  const forgetOld = (recorded: Map<string, number>, nowMs: number): void => {
    for (const [key, atMs] of recorded) {
      if (nowMs - atMs < everyMs) return;
      recorded.delete(key);
    }
  };

  return {
    record: async ({ environment, connectionId }, { manifest, clientId = "", version }) => {
      const nowMs = clock.monotonic();
      const recorded = recordedIn[environment];
      forgetOld(recorded, nowMs);
      const id = recorded.size < maxClients ? toStorable(clientId.slice(0, maxTextLength)) : "";
      const key = JSON.stringify([connectionId, manifest, id]);
      if (recorded.has(key)) return;
      recorded.set(key, nowMs);
      try {
        await storage.invocations.recordClient({
          scope: { workspace, environment },
          connectionId,
          manifest,
          clientId: id,
          ...(version !== undefined && { version: toStorable(version.slice(0, maxTextLength)) }),
        });
      } catch (error) {
        recorded.delete(key);
        log.warn("A poll of a client could not be recorded.", {
          connectionId,
          environment,
          error: errorText(error),
        });
      }
    },
  };
}
