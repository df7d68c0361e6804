import type { RecordRow, RecordStore } from "@procedo/storage";
import { deciderOf, keyKind, type KeyBody } from "./key-record.ts";
import type { Principal } from "./principal.ts";
import { digestOfKey, hasFormOfKey } from "./raw-key.ts";

/** Who holds a raw key. */
export interface KeyHolders {
  readonly find: (key: string) => Promise<Principal | undefined>;
  /** Forgets what was read: a key may have been removed. */
  readonly forget: () => void;
}

/** Holders are remembered up to this many; the one remembered first goes first. */
const maxKept = 10_000;

/**
 * Remembers who holds a key until anything managed changes. That nobody holds one is not remembered: a flood of made-up
 * keys drives no real one out, and a key works as soon as it exists.
 */
export function createKeyHolders(records: Pick<RecordStore, "find">, workspace: string): KeyHolders {
  let kept = new Map<string, Principal>();

  return {
    find: async (key) => {
      if (!hasFormOfKey(key)) return undefined;
      const uniqueKey = digestOfKey(key);
      const known = kept.get(uniqueKey);
      if (known !== undefined) return known;
      // What is forgotten while storage answers stays forgotten.
      const into = kept;
      const row = await records.find({ kind: keyKind, uniqueKey });
      const holder = row?.workspace === workspace ? holderOf(row) : undefined;
      if (holder === undefined) return undefined;
      const [oldest] = into.keys();
      if (into.size >= maxKept && oldest !== undefined) into.delete(oldest);
      into.set(uniqueKey, holder);
      return holder;
    },
    forget: () => {
      kept = new Map();
    },
  };
}

function holderOf({ id, environment, body }: RecordRow): Principal | undefined {
  if (environment === undefined) return undefined;
  const key = JSON.parse(body) as KeyBody;
  return Object.freeze<Principal>({ ...deciderOf(key), via: id, permissions: key.permissions, environment });
}
