import type { RecordRow, RecordStore } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { deciderOf, keyKind, type KeyBody } from "./key-record.ts";
import type { Principal } from "../access/principal.ts";

/** Who holds a key, by the digest of the raw one. */
export interface KeyHolders {
  readonly find: (digest: string) => Promise<Principal | undefined>;
  /** The same, as storage has it now. */
  readonly reread: (digest: string) => Promise<Principal | undefined>;
  /** Forgets what was read: this key may have been removed; left out: any may. */
  readonly forget: (keyId?: string) => void;
}

/** Holders are remembered up to this many; the one remembered first goes first. */
const maxKept = 10_000;

/** The longest for which a deleted key is remembered where nothing told of its deletion. */
const keptForMs = 10_000;

interface Known {
  readonly holder: Principal;
  /** In monotonic time. */
  readonly untilMs: number;
}

/**
 * Remembers who holds a key until that key is removed, and for seconds where nothing tells of the removal. That no one holds
 * one is not remembered: a flood of made-up keys drives no real one out, and a key works as soon as it exists.
 */
export function createKeyHolders(
  records: Pick<RecordStore, "find">,
  workspace: string,
  clock: Pick<Clock, "monotonic">,
): KeyHolders {
  const kept = new Map<string, Known>();
  let timesForgotten = 0;

  const reread = async (uniqueKey: string): Promise<Principal | undefined> => {
    const before = timesForgotten;
    const untilMs = clock.monotonic() + keptForMs;
    const row = await records.find({ kind: keyKind, uniqueKey });
    const holder = row?.workspace === workspace ? holderOf(row) : undefined;
    kept.delete(uniqueKey);
    if (holder === undefined) return undefined;
    // An entry that is forgotten while storage answers stays forgotten.
    if (before !== timesForgotten) return holder;
    const [oldest] = kept.keys();
    if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
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
