import type { Environment } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";
import type { HeldPrincipal, Holder } from "./held-principal.ts";
import type { Principal } from "./principal.ts";

/** The keys or the sessions of requests in progress. */
export interface HeldCredentials<H extends Holder> {
  /** Holds the credential; `undefined` when it does not exist. @throws ProcedoError `storage_unavailable` */
  hold(digest: string): Promise<Hold<H> | undefined>;
  /** Ends the holds of these credentials, which no longer exist. `holder` is `undefined` during the first lookup. */
  ended(matches: (digest: string, holder: H | undefined) => boolean): void;
  /** Looks up whether these credentials, if they are held, still exist with the same access; all when left out. */
  recheck(matches?: (holder: H) => boolean): void;
}

export interface CredentialLookup<H extends Holder> {
  readonly find: (digest: string) => Promise<H | undefined>;
  /** Like `find`, but always reads storage. */
  readonly reread: (digest: string) => Promise<H | undefined>;
}

/** Delay before the next attempt when storage failed. */
const retryMs = 1_000;

interface HoldPorts<H extends Holder> {
  readonly find: CredentialLookup<H>["find"];
  readonly remove: (digest: string, hold: Hold<H>) => void;
}

/** One request's hold. A class, as each request makes one. */
export class Hold<H extends Holder> implements HeldPrincipal {
  /** `undefined` until storage has returned the credential. */
  holder: H | undefined;
  /** Whether a change was announced during the first lookup, whose result may be older. */
  isStale = false;
  isDeleted = false;
  readonly #digest: string;
  readonly #ports: HoldPorts<H>;
  #callbacks: (() => void)[] | undefined;

  constructor(digest: string, ports: HoldPorts<H>) {
    this.#digest = digest;
    this.#ports = ports;
  }

  get environment(): Environment | undefined {
    return this.holder?.environment;
  }

  principalIn(environment?: Environment): Principal {
    if (this.holder === undefined) throw new Error("The credential has not been looked up.");
    return { ...this.holder.principalIn(environment), isRevoked: () => this.isDeleted };
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

/**
 * Observes credentials while requests hold them.
 *
 * @param recheckMs interval at which held credentials are looked up, in case a change notice was lost
 */
export function createHeldCredentials<H extends Holder>(
  clock: Pick<Clock, "after">,
  { find, reread }: CredentialLookup<H>,
  recheckMs: number,
): HeldCredentials<H> {
  const held = new Map<string, Set<Hold<H>>>();
  /** Digests of credentials that may have changed. */
  const toAsk = new Set<string>();
  let asking = false;
  let cancelNext: (() => void) | undefined;

  const add = (digest: string, hold: Hold<H>): void => {
    const holds = held.get(digest);
    if (holds === undefined) held.set(digest, new Set([hold]));
    else holds.add(hold);
    recheckIn(recheckMs);
  };
  const remove = (digest: string, hold: Hold<H>): void => {
    const holds = held.get(digest);
    if (holds?.delete(hold) !== true || holds.size > 0) return;
    held.delete(digest);
    if (held.size > 0) return;
    // An unneeded timer would keep the process alive.
    cancelRecheck();
  };
  const ports: HoldPorts<H> = { find, remove };
  const endThose = (digest: string, matches: (hold: Hold<H>) => boolean): void => {
    for (const hold of [...(held.get(digest) ?? [])].filter(matches)) {
      remove(digest, hold);
      hold.end();
    }
  };
  /** A hold without a holder is still being looked up, and then learns of the change itself. */
  const endOutdated = (digest: string, now: H | undefined): void => {
    endThose(digest, ({ holder }) => (holder === undefined ? now === undefined : holder.access !== now?.access));
  };

  /** @returns whether storage answered for every credential */
  const askAll = async (): Promise<boolean> => {
    let isKnown = true;
    asking = true;
    while (toAsk.size > 0) {
      const digests = [...toAsk];
      toAsk.clear();
      const answers = await Promise.allSettled(digests.map(reread));
      answers.forEach((answer, index) => {
        const digest = digests[index];
        if (answer.status === "fulfilled" && digest !== undefined) endOutdated(digest, answer.value);
      });
      isKnown &&= answers.every(({ status }) => status === "fulfilled");
    }
    // In the same step as the end of the loop: a change that is announced later has to be asked about anew.
    asking = false;
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

  function recheck(matches: (holder: H) => boolean = () => true): void {
    for (const [digest, holds] of held) {
      let mayMatch = false;
      for (const hold of holds) {
        hold.isStale ||= hold.holder === undefined;
        mayMatch ||= hold.holder === undefined || matches(hold.holder);
      }
      if (mayMatch) toAsk.add(digest);
    }
    if (toAsk.size === 0 || asking) return;
    void askAll().then((isKnown) => {
      if (!isKnown) cancelRecheck();
      if (held.size > 0) recheckIn(isKnown ? recheckMs : retryMs);
    });
  }

  /** Looks the credential up, again while a change is announced meanwhile. */
  const lookUp = async (digest: string, hold: Hold<H>): Promise<H | undefined> => {
    for (;;) {
      hold.isStale = false;
      const holder = await find(digest);
      if (!hold.isStale) return holder;
    }
  };

  return {
    hold: async (digest) => {
      // The hold begins before the lookup, so that a deletion during the lookup ends it.
      const hold = new Hold<H>(digest, ports);
      add(digest, hold);
      try {
        const holder = await lookUp(digest, hold);
        if (holder !== undefined && !hold.isDeleted) {
          hold.holder = holder;
          return hold;
        }
      } catch (error) {
        hold.release();
        throw error;
      }
      hold.release();
      return undefined;
    },
    ended: (matches) => {
      for (const digest of [...held.keys()]) endThose(digest, ({ holder }) => matches(digest, holder));
    },
    recheck,
  };
}
