import type { Clock } from "../ports/clock.ts";
import type { KeyHolders } from "./key-holders.ts";
import type { Principal } from "../access/principal.ts";

/** A key that a request acts with, from the moment of asking until it is released. */
export interface HeldKey {
  /** Its `isRevoked` says whether the key was deleted since. */
  readonly principal: Principal;
  /** Whether the key was deleted since. */
  readonly isDeleted: boolean;
  /** Asks for the key again. Resolves to whether it exists. @throws ProcedoError `storage_unavailable` */
  stillExists(): Promise<boolean>;
  /**
   * Calls back once when the key was deleted: at once in the process that deletes it, elsewhere as soon as the change is
   * heard. Where it was deleted already, before this returns.
   */
  whenDeleted(callback: () => void): void;
  /** The request is over; nothing is called back any more. */
  release(): void;
}

/** The keys that requests are under way with. */
export interface HeldKeys {
  /** Holds the key, unless it does not exist. @throws ProcedoError `storage_unavailable` */
  hold(digest: string): Promise<HeldKey | undefined>;
  /** These keys are deleted. */
  deleted(digests: readonly string[]): void;
  /** This key may have been deleted: it is asked for where it is held. Left out: any key may. */
  recheck(keyId?: string): void;
}

/** While keys are held they are asked for so often, in case that nothing told of a change. */
export const recheckMs = 10_000;

/** Storage that did not answer is asked again after so long. */
const retryMs = 1_000;

interface HoldPorts extends Pick<KeyHolders, "find"> {
  readonly remove: (digest: string, hold: Hold) => void;
}

/** One request's hold. A class, as each request makes one. */
class Hold implements HeldKey {
  principal!: Principal;
  /** `undefined` until storage has told who holds the key. */
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
    // A timer with nothing to do would keep the process alive.
    cancelRecheck();
  };
  const ports: HoldPorts = { find, remove };
  const end = (digest: string): void => {
    const holds = held.get(digest);
    held.delete(digest);
    for (const hold of holds ?? []) hold.end();
  };

  /** @returns whether storage answered of each */
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
      const mayBeIt = (hold: Hold): boolean => hold.keyId === undefined || hold.keyId === keyId;
      if (keyId === undefined || [...holds].some(mayBeIt)) toAsk.add(digest);
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
      // Held before storage is asked: a deletion during the question reaches this hold.
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
