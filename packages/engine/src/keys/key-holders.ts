import { LruCache } from "@procedo/contract/syntax";
import type { RecordRow, RecordStore } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { deciderOf, keyKind, type KeyBody } from "./key-record.ts";
import type { Principal } from "../access/principal.ts";

/** The principals of keys, by the digest of the raw key. */
export interface KeyHolders {
  readonly find: (digest: string) => Promise<Principal | undefined>;
  /** Like `find`, but always reads storage. */
  readonly reread: (digest: string) => Promise<Principal | undefined>;
  /** Discards the cached principal of a key that may have been removed, or all when it is left out. */
  readonly forget: (keyId?: string) => void;
}

/** Number of cached principals. */
const maxKept = 10_000;

/** Maximum time for which a deleted key stays cached when no change notice arrives. */
const keptForMs = 10_000;

interface Known {
  readonly holder: Principal;
  /** Expiry, in monotonic milliseconds. */
  readonly untilMs: number;
}

/**
 * Caches the principal of a key until the key is removed, or for seconds when no notice of the removal arrives. A
 * failed lookup is not cached: a flood of invalid keys evicts no valid one, and a new key works immediately.
 */
export function createKeyHolders(
  records: Pick<RecordStore, "find">,
  workspace: string,
  clock: Pick<Clock, "monotonic">,
): KeyHolders {
  const kept = new LruCache<string, Known>(maxKept);
  let timesForgotten = 0;

  const reread = async (uniqueKey: string): Promise<Principal | undefined> => {
    const before = timesForgotten;
    const untilMs = clock.monotonic() + keptForMs;
    const row = await records.find({ kind: keyKind, uniqueKey });
    const holder = row?.workspace === workspace ? holderOf(row) : undefined;
    kept.delete(uniqueKey);
    if (holder === undefined) return undefined;
    // After a `forget` during the read, the result may be stale and is not cached.
    if (before !== timesForgotten) return holder;
    kept.set(uniqueKey, { holder, untilMs });
    return holder;
  };

  return {
    find: async (uniqueKey) => {
      const known = kept.get(uniqueKey);
      return known !== undefined && clock.monotonic() < known.untilMs ? known.holder : await reread(uniqueKey);
    },
    reread,
    forget: (keyId) => {
      timesForgotten++;
      if (keyId === undefined) kept.clear();
      else for (const [digest, { holder }] of kept) if (holder.via === keyId) kept.delete(digest);
    },
  };
}

function holderOf({ id, environment, body }: RecordRow): Principal | undefined {
  if (environment === undefined) return undefined;
  const key = JSON.parse(body) as KeyBody;
  return Object.freeze<Principal>({ ...deciderOf(key), via: id, permissions: key.permissions, environment });
}
