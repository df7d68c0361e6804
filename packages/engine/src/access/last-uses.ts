import { toStorable, type RecordStore, type RecordUse } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";

/** The last uses of records, such as API keys. A use is written later and in a batch, so that no request waits for it. */
export interface LastUses {
  /** Notes a use of a record at this time. */
  note(id: string, address?: string): void;
  /** The last uses of these records that this process has noted or any process has written. */
  of(ids: readonly string[]): Promise<ReadonlyMap<string, RecordUse>>;
  /** Writes the uses that are noted. Later ones are not written. Never rejects. */
  stop(): Promise<void>;
}

/** Interval between two writes of this process: at most one for each record. */
const writeMs = 60_000;

/** Uses in one write. */
const batchSize = 500;

/** Longer than any network address. */
const maxAddressLength = 100;

interface NotedUse {
  readonly usedAtMs: number;
  readonly address: string | undefined;
}

export function createLastUses(
  records: Pick<RecordStore, "noteUses" | "latestUses">,
  { workspace, kind }: { readonly workspace: string; readonly kind: string },
  clock: Pick<Clock, "now" | "after">,
): LastUses {
  const noted = new Map<string, NotedUse>();
  let cancelNext: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const write = async (): Promise<void> => {
    const uses = [...noted];
    noted.clear();
    for (let at = 0; at < uses.length; at += batchSize) {
      const batch = uses.slice(at, at + batchSize);
      await records.noteUses({ workspace, kind, uses: batch.map(recordUse) }).catch(() => {
        // The next write includes them, unless the records were used again.
        for (const [id, use] of batch) if (!noted.has(id)) noted.set(id, use);
      });
    }
    if (noted.size > 0) writeSoon();
  };

  function writeSoon(): void {
    if (isStopped) return;
    cancelNext ??= clock.after(writeMs, () => {
      cancelNext = undefined;
      writing = write();
    });
  }

  return {
    note: (id, address) => {
      if (isStopped) return;
      noted.set(id, { usedAtMs: clock.now(), address });
      writeSoon();
    },
    of: async (ids) => {
      const latest = new Map((await records.latestUses({ workspace, kind, ids })).map((use) => [use.id, use]));
      for (const id of ids) {
        const own = noted.get(id);
        if (own !== undefined && own.usedAtMs >= (latest.get(id)?.usedAtMs ?? 0)) latest.set(id, recordUse([id, own]));
      }
      return latest;
    },
    stop: async () => {
      isStopped = true;
      cancelNext?.();
      await writing;
      await write();
    },
  };
}

function recordUse([id, { usedAtMs, address }]: readonly [string, NotedUse]): RecordUse {
  if (address === undefined) return { id, usedAtMs };
  return { id, usedAtMs, address: toStorable(address.slice(0, maxAddressLength)) };
}
