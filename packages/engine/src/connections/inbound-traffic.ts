import { LruCache } from "@procedo/contract/syntax";
import type { RecordStore } from "@procedo/storage";
import { createLastUses } from "../access/last-uses.ts";
import type { Clock } from "../ports/clock.ts";
import { connectionKind } from "./connection-record.ts";

/** The requests to the inbound addresses of connections. */
export interface InboundTraffic {
  /** Notes a verified request. It is written later and in a batch. */
  received(connectionId: string): void;
  /** Notes a refused request. Such requests can be sent by anyone, so they are counted in memory only. */
  refused(connectionId: string): void;
  /** The traffic of these connections. */
  of(connectionIds: readonly string[]): Promise<ReadonlyMap<string, TrafficFacts>>;
  /** Writes the requests that are noted. Never rejects. */
  stop(): Promise<void>;
}

export interface TrafficFacts {
  readonly lastReceivedAtMs: number | undefined;
  readonly refusedLast24h: number;
}

const hourMs = 3_600_000;
const hours = 24;

/** Above this number of connections, the one that refused nothing for longest is forgotten. */
const maxConnections = 10_000;

export function createInboundTraffic(ports: {
  readonly records: Pick<RecordStore, "noteUses" | "latestUses">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "now" | "after">;
}): InboundTraffic {
  const { records, workspace, clock } = ports;
  const uses = createLastUses(records, { workspace, kind: connectionKind }, clock);
  /** By connection, the number of refused requests in each hour since the epoch. */
  const refusals = new LruCache<string, Map<number, number>>(maxConnections);
  const hourNow = (): number => Math.floor(clock.now() / hourMs);

  return {
    received: (connectionId) => uses.note(connectionId),
    refused: (connectionId) => {
      const now = hourNow();
      const counts = refusals.get(connectionId) ?? new Map<number, number>();
      for (const hour of counts.keys()) if (hour <= now - hours) counts.delete(hour);
      refusals.set(connectionId, counts.set(now, (counts.get(now) ?? 0) + 1));
    },
    of: async (connectionIds) => {
      if (connectionIds.length === 0) return new Map();
      const now = hourNow();
      const latest = await uses.of(connectionIds);
      return new Map(
        connectionIds.map((id) => {
          const counts = [...(refusals.get(id) ?? [])].filter(([hour]) => hour > now - hours);
          const refusedLast24h = counts.reduce((sum, [, count]) => sum + count, 0);
          return [id, { lastReceivedAtMs: latest.get(id)?.usedAtMs, refusedLast24h }];
        }),
      );
    },
    stop: () => uses.stop(),
  };
}
