import type { Environment } from "@procedo/contract";
import { LruCache } from "@procedo/contract/syntax";
import type { RecordRow, RecordStore } from "@procedo/storage";
import type { Holder } from "../access/held-principal.ts";
import type { Principal } from "../access/principal.ts";
import type { Roster } from "../people/roster.ts";
import type { Clock } from "../ports/clock.ts";
import { limitedKey } from "./key-limits.ts";
import { keyKind, type KeyBody } from "./key-record.ts";

/** The principal of a key, as its person may act now. */
export interface KeyHolder extends Holder {
  readonly keyId: string;
  readonly environment: Environment;
  readonly principal: Principal;
}

/** The holders of keys, by the digest of the raw key. */
export interface KeyHolders {
  readonly find: (digest: string) => Promise<KeyHolder | undefined>;
  /** Like `find`, but always reads storage. */
  readonly reread: (digest: string) => Promise<KeyHolder | undefined>;
  /** Discards the cached holder of a key that may have been removed, or all when it is left out. */
  readonly forget: (keyId?: string) => void;
}

/** Number of cached holders. */
const maxKept = 10_000;

/** Maximum time for which a deleted key stays cached when no change notice arrives. */
const keptForMs = 5_000;

interface Known {
  readonly holder: KeyHolder;
  /** Expiry, in monotonic milliseconds. */
  readonly untilMs: number;
}

/**
 * Caches the holder of a key until the key or a person changes, or for seconds when no notice of the change arrives. A
 * failed lookup is not cached: a flood of invalid keys evicts no valid one, and a new key works immediately.
 */
export function createKeyHolders(
  records: Pick<RecordStore, "find">,
  roster: Pick<Roster, "joined">,
  workspace: string,
  clock: Pick<Clock, "monotonic">,
): KeyHolders {
  const kept = new LruCache<string, Known>(maxKept);
  let timesForgotten = 0;

  const reread = async (uniqueKey: string): Promise<KeyHolder | undefined> => {
    const before = timesForgotten;
    const untilMs = clock.monotonic() + keptForMs;
    const row = await records.find({ kind: keyKind, uniqueKey });
    const holder = row?.workspace === workspace ? await holderOf(row) : undefined;
    kept.delete(uniqueKey);
    if (holder === undefined) return undefined;
    // After a `forget` during the read, the result may be stale and is not cached.
    if (before !== timesForgotten) return holder;
    kept.set(uniqueKey, { holder, untilMs });
    return holder;
  };

  const holderOf = async ({ id, environment, body }: RecordRow): Promise<KeyHolder | undefined> => {
    if (environment === undefined) return undefined;
    const key = JSON.parse(body) as KeyBody;
    const limited = limitedKey(key, environment, await roster.joined(key.person));
    if (limited === undefined) return undefined;
    const principal = Object.freeze<Principal>({ ...limited, via: id, environment });
    const access = JSON.stringify([limited.permissions, limited.roles]);
    return { keyId: id, environment, principal, access, principalIn: () => principal };
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
      else for (const [digest, { holder }] of kept) if (holder.keyId === keyId) kept.delete(digest);
    },
  };
}
