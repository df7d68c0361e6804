import type { Clock } from "../ports/clock.ts";
import type { KeyHolders } from "./key-holders.ts";
import type { Principal } from "../access/principal.ts";

/** A request's hold on its key, from the lookup of the key until the request releases it. */
export interface HeldKey {
  /** Its `isRevoked` tells whether the key has been deleted. */
  readonly principal: Principal;
  /** Whether the key has been deleted. */
  readonly isDeleted: boolean;
  /** Looks the key up again and returns whether it exists. @throws ProcedoError `storage_unavailable` */
  stillExists(): Promise<boolean>;
  /**
   * Calls back once when the key is deleted: immediately in the process that deletes it, in others when the change
   * notice arrives. If the key has been deleted already, it calls back before it returns.
   */
  whenDeleted(callback: () => void): void;
  /** Ends the hold with the request. No callback follows. */
  release(): void;
}

/** The keys of requests in progress. */
export interface HeldKeys {
  /** Holds the key; `undefined` when it does not exist. @throws ProcedoError `storage_unavailable` */
  hold(digest: string): Promise<HeldKey | undefined>;
  /** Ends the holds of these keys, which have been deleted. */
  deleted(digests: readonly string[]): void;
  /** Looks up whether this key, if it is held, still exists; all held keys when it is left out. */
  recheck(keyId?: string): void;
}

/** Interval at which held keys are looked up, in case a change notice was lost. */
export const recheckMs = 10_000;

/** Delay before the next attempt when storage failed. */
const retryMs = 1_000;

interface HoldPorts extends Pick<KeyHolders, "find"> {
  readonly remove: (digest: string, hold: Hold) => void;
}

/** One request's hold. A class, as each request makes one. */
class Hold implements HeldKey {
  principal!: Principal;
  /** `undefined` until storage has returned the key. */
  keyId: string | undefined;
  isDeleted = false;
  readonly #digest: string;
  readonly #ports: HoldPorts;
  #callbacks: (() => void)[] | undefined;

  constructor(digest: string, ports: HoldPorts) {
    this.#digest = digest;
    this.#ports = ports;
  }

  of(principal: Principal): this {
    this.principal = { ...principal, isRevoked: () => this.isDeleted };
    this.keyId = principal.via;
    return this;
  }

  async stillExists(): Promise<boolean> {
    return (await this.#ports.find(this.#digest)) !== undefined && !this.isDeleted;
  }

  whenDeleted(callback: () => void): void {
    if (this.isDeleted) callback();
    else (this.#callbacks ??= []).push(callback);
  }

  release(): void {
    this.#ports.remove(this.#digest, this);
  }

  end(): void {
    this.isDeleted = true;
    for (const callback of this.#callbacks ?? []) callback();
  }
}

export function createHeldKeys(
  clock: Pick<Clock, "after">,
  { find, reread }: Pick<KeyHolders, "find" | "reread">,
): HeldKeys {
  const held = new Map<string, Set<Hold>>();
  /** Digests of keys that may have been deleted. */
  const toAsk = new Set<string>();
  let asking = false;
  let cancelNext: (() => void) | undefined;

  const add = (digest: string, hold: Hold): void => {
    const holds = held.get(digest);
    if (holds === undefined) held.set(digest, new Set([hold]));
    else holds.add(hold);
    recheckIn(recheckMs);
  };
  const remove = (digest: string, hold: Hold): void => {
    const holds = held.get(digest);
    if (holds?.delete(hold) !== true || holds.size > 0) return;
    held.delete(digest);
    if (held.size > 0) return;
    // An unneeded timer would keep the process alive.
    cancelRecheck();
  };
  const ports: HoldPorts = { find, remove };
  const end = (digest: string): void => {
    const holds = held.get(digest);
    held.delete(digest);
    for (const hold of holds ?? []) hold.end();
  };

  /** @returns whether storage answered for every key */
  const askAll = async (): Promise<boolean> => {
    let isKnown = true;
    while (toAsk.size > 0) {
      const digests = [...toAsk];
      toAsk.clear();
      const answers = await Promise.allSettled(digests.map(reread));
      answers.forEach((answer, index) => {
        const digest = digests[index];
        if (answer.status === "fulfilled" && answer.value === undefined && digest !== undefined) end(digest);
      });
      isKnown &&= answers.every(({ status }) => status === "fulfilled");
    }
    return isKnown;
  };

  function cancelRecheck(): void {
    cancelNext?.();
    cancelNext = undefined;
  }

  function recheckIn(delayMs: number): void {
    cancelNext ??= clock.after(delayMs, () => {
      cancelNext = undefined;
      recheck();
    });
  }

  function recheck(keyId?: string): void {
    for (const [digest, holds] of held) {
      const mayMatch = (hold: Hold): boolean => hold.keyId === undefined || hold.keyId === keyId;
      if (keyId === undefined || [...holds].some(mayMatch)) toAsk.add(digest);
    }
    if (toAsk.size === 0 || asking) return;
    asking = true;
    void askAll().then((isKnown) => {
      asking = false;
      if (!isKnown) cancelRecheck();
      if (held.size > 0) recheckIn(isKnown ? recheckMs : retryMs);
    });
  }

  return {
    hold: async (digest) => {
      // The hold begins before the lookup, so that a deletion during the lookup ends it.
      const hold = new Hold(digest, ports);
      add(digest, hold);
      try {
        const principal = await find(digest);
        if (principal !== undefined && !hold.isDeleted) return hold.of(principal);
      } catch (error) {
        hold.release();
        throw error;
      }
      hold.release();
      return undefined;
    },
    deleted: (digests) => digests.forEach(end),
    recheck,
  };
}
