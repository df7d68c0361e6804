import { toStorable, type Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { ClientSelf, PrivateClient } from "./private-connections.ts";

/** Notes which clients are here. */
export interface Presence {
  /** A client polls. What cannot be stored is logged: no poll fails by it. */
  seen(client: PrivateClient, self: ClientSelf & { readonly manifest: string }): Promise<void>;
}

/** A client is noted at most so often: each time is a durable write. */
const everyMs = 10_000;
const maxTextLength = 128;
/** Clients of one environment that give themselves ever new names count as one beyond so many. */
const maxClients = 2_000;

export function createPresence(ports: {
  readonly storage: Pick<Storage, "invocations">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Log;
}): Presence {
  const { storage, workspace, clock, log } = ports;
  /** By environment, so that clients of one leave those of the other their names. */
  const notedIn = { sandbox: new Map<string, number>(), live: new Map<string, number>() };

  const forgetOld = (noted: Map<string, number>, nowMs: number): void => {
    for (const [key, atMs] of noted) {
      if (nowMs - atMs < everyMs) return;
      noted.delete(key);
    }
  };

  return {
    seen: async ({ environment, connectionId }, { manifest, clientId = "", version }) => {
      const nowMs = clock.monotonic();
      const noted = notedIn[environment];
      forgetOld(noted, nowMs);
      const id = noted.size < maxClients ? toStorable(clientId.slice(0, maxTextLength)) : "";
      const key = JSON.stringify([connectionId, manifest, id]);
      if (noted.has(key)) return;
      noted.set(key, nowMs);
      try {
        await storage.invocations.recordClient({
          scope: { workspace, environment },
          connectionId,
          manifest,
          clientId: id,
          ...(version !== undefined && { version: toStorable(version.slice(0, maxTextLength)) }),
        });
      } catch (error) {
        noted.delete(key);
        log.warn("That a client has polled could not be stored.", {
          connectionId,
          environment,
          error: errorText(error),
        });
      }
    },
  };
}
