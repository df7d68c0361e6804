import type { Storage } from "@procedo/storage";
import type { ConnectionPlace } from "../connections/connection-record.ts";
import { grantKind, type GrantBody } from "../grants/grant-record.ts";
import type { Grants } from "../grants/grants.ts";
import type { Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { Integration } from "../integrations/integration.ts";
import type { OAuthConnection } from "./oauth-connection.ts";

export interface KeepAlivePorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly grants: Pick<Grants, "authorizationOf">;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly integrations: ReadonlyMap<string, Integration>;
  readonly log: Log;
  readonly find: (place: ConnectionPlace) => Promise<OAuthConnection>;
}

/** Uses refresh tokens that would lapse because no call needs them. */
export interface KeepAlive {
  start(): void;
  /** Waits for a look under way. */
  stop(): Promise<void>;
}

const lookEveryMs = 24 * 3_600_000;
/** A process that is restarted every day looks as well. */
const firstLookMs = 3_600_000;
const pageSize = 100;

/**
 * Renews the grants that were idle for a quarter of their refresh token's life. Each process looks once a day; the grant
 * itself says whether another one was first.
 */
export function createKeepAlive(ports: KeepAlivePorts): KeepAlive {
  const { storage, workspace, grants, clock, integrations, log, find } = ports;
  let cancel = (): void => {};
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();

  const renewIfIdle = async (place: ConnectionPlace, body: GrantBody): Promise<void> => {
    const { client } = await find(place);
    const idleMs = clock.now() - (body.obtainedAtMs ?? body.connectedAtMs);
    if (client.refreshTokenTtlMs === undefined || idleMs < client.refreshTokenTtlMs / 4) return;
    await grants.authorizationOf(place, client, []).ready();
  };

  const look = async (): Promise<void> => {
    let cursor: string | undefined;
    do {
      const page = { workspace, kind: grantKind, limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = await storage.records.list(page);
      for (const { id: connectionId, environment, body } of items) {
        const grant = JSON.parse(body) as GrantBody;
        if (isStopped || environment === undefined || grant.status !== "connected") continue;
        const place = { environment, connectionId };
        await renewIfIdle(place, grant).catch((error: unknown) => {
          log.warn("An idle authorization could not be renewed.", { ...place, error: errorText(error) });
        });
      }
      cursor = nextCursor;
    } while (cursor !== undefined && !isStopped);
  };

  const lookIn = (delayMs: number): void => {
    cancel = clock.after(delayMs, () => {
      looking = look()
        .catch((error: unknown) => log.warn("Authorizations could not be looked through.", { error: errorText(error) }))
        .finally(() => {
          if (!isStopped) lookIn(lookEveryMs);
        });
    });
  };

  return {
    start: () => {
      const isUsed = [...integrations.values()].some(({ oauth }) => oauth !== undefined);
      if (isUsed) lookIn(firstLookMs);
    },
    stop: async () => {
      isStopped = true;
      cancel();
      await looking;
    },
  };
}
