import type { Principal } from "../access/principal.ts";

/**
 * Runs one piece of work at a time. Environments take turns, and so do the keys and people within an environment: a key
 * that sends many changes at once delays another key's change by only a few of them.
 */
export type FairTurns = <T>(who: Pick<Principal, "environment" | "via">, work: () => Promise<T>) => Promise<T>;

export function createFairTurns(): FairTurns {
  /** Waiting work by environment and by `via`. The one that was served last is at the end of each map. */
  const waiting = new Map<string, Map<string, (() => void)[]>>();
  let taken = false;

  const wait = (environment: string, via: string): Promise<void> =>
    new Promise((resolve) => {
      const its = waiting.get(environment) ?? new Map<string, (() => void)[]>();
      waiting.set(environment, its);
      const own = its.get(via);
      if (own === undefined) its.set(via, [resolve]);
      else own.push(resolve);
    });

  /** Returns the next in turn, and moves its environment and its `via` to the end of the queue. */
  const next = (): (() => void) | undefined => {
    const [environment, its] = firstOf(waiting);
    if (its === undefined) return undefined;
    const [via, own] = firstOf(its);
    if (own === undefined) return undefined;
    waiting.delete(environment);
    its.delete(via);
    const first = own.shift();
    if (own.length > 0) its.set(via, own);
    if (its.size > 0) waiting.set(environment, its);
    return first;
  };

  return async ({ environment = "", via = "" }, work) => {
    if (taken) await wait(environment, via);
    taken = true;
    try {
      return await work();
    } finally {
      const first = next();
      if (first === undefined) taken = false;
      else first();
    }
  };
}

function firstOf<K, V>(map: ReadonlyMap<K, V>): readonly [K, V] | readonly [undefined, undefined] {
  const [first = [undefined, undefined] as const] = map;
  return first;
}
