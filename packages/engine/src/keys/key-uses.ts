import { toStorable, type RecordStore, type RecordUse } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { keyKind } from "./key-record.ts";

/** The last uses of API keys. A use is written later and in a batch, so that no request waits for it. */
export interface KeyUses {
  /** Notes a use of a key at this time. */
  note(keyId: string, address: string | undefined): void;
  /** The last uses of these keys that any process has written. */
  of(keyIds: readonly string[]): Promise<ReadonlyMap<string, RecordUse>>;
  /** Writes the uses that are noted. Later ones are not written. Never rejects. */
  stop(): Promise<void>;
}

/** Interval between two writes of this process: at most one for each key. */
const writeMs = 60_000;

/** Uses in one write. */
const batchSize = 500;

/** Longer than any network address. */
const maxAddressLength = 100;

interface NotedUse {
  readonly usedAtMs: number;
  readonly address: string | undefined;
}

export function createKeyUses(
  records: Pick<RecordStore, "noteUses" | "latestUses">,
  workspace: string,
  clock: Pick<Clock, "now" | "after">,
): KeyUses {
  const noted = new Map<string, NotedUse>();
  let cancelNext: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  const write = async (): Promise<void> => {
    const uses = [...noted];
    noted.clear();
    for (let at = 0; at < uses.length; at += batchSize) {
      const batch = uses.slice(at, at + batchSize);
      await records.noteUses({ workspace, kind: keyKind, uses: batch.map(recordUse) }).catch(() => {
        // The next write includes them, unless the keys were used again.
        for (const [keyId, use] of batch) if (!noted.has(keyId)) noted.set(keyId, use);
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
    note: (keyId, address) => {
      if (isStopped) return;
      noted.set(keyId, { usedAtMs: clock.now(), address });
      writeSoon();
    },
    of: async (keyIds) => {
      const uses = await records.latestUses({ workspace, kind: keyKind, ids: keyIds });
      return new Map(uses.map((use) => [use.id, use]));
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
