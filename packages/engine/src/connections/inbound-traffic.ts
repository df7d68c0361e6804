import { LruCache } from "@procedo/contract/syntax";
import type { RecordStore } from "@procedo/storage";
import { createLastUses } from "../access/last-uses.ts";
import type { Clock } from "../ports/clock.ts";

/** The requests to the inbound addresses of connections, or of webhook triggers. */
export interface InboundTraffic {
  /** Notes a verified request. It is written later and in a batch. */
  received(id: string): void;
  /** Notes a refused request. Such requests can be sent by anyone, so they are counted in memory only. */
  refused(id: string): void;
  /** The traffic of these records. */
  of(ids: readonly string[]): Promise<ReadonlyMap<string, TrafficFacts>>;
  /** Writes the requests that are noted. Never rejects. */
  stop(): Promise<void>;
}

export interface TrafficFacts {
  readonly lastReceivedAtMs: number | undefined;
  readonly refusedLast24h: number;
}

const hourMs = 3_600_000;
const hours = 24;

/** Above this number of records, the one that refused nothing for longest is forgotten. */
const maxRecords = 10_000;

export function createInboundTraffic(ports: {
  readonly records: Pick<RecordStore, "noteUses" | "latestUses">;
  readonly workspace: string;
  /** That of the records with the addresses. */
  readonly kind: string;
  readonly clock: Pick<Clock, "now" | "after">;
}): InboundTraffic {
  const { records, workspace, kind, clock } = ports;
  const uses = createLastUses(records, { workspace, kind }, clock);
  /** By record, the number of refused requests in each hour since the epoch. */
  const refusals = new LruCache<string, Map<number, number>>(maxRecords);
  const hourNow = (): number => Math.floor(clock.now() / hourMs);

  return {
    received: (id) => uses.note(id),
    refused: (id) => {
      const now = hourNow();
      const counts = refusals.get(id) ?? new Map<number, number>();
      for (const hour of counts.keys()) if (hour <= now - hours) counts.delete(hour);
      refusals.set(id, counts.set(now, (counts.get(now) ?? 0) + 1));
    },
    of: async (ids) => {
      if (ids.length === 0) return new Map();
      const now = hourNow();
      const latest = await uses.of(ids);
      return new Map(
        ids.map((id) => {
          const counts = [...(refusals.get(id) ?? [])].filter(([hour]) => hour > now - hours);
          const refusedLast24h = counts.reduce((sum, [, count]) => sum + count, 0);
          return [id, { lastReceivedAtMs: latest.get(id)?.usedAtMs, refusedLast24h }];
        }),
      );
    },
    stop: () => uses.stop(),
  };
}
