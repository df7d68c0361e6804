import type { Resolve } from "./name-resolver.ts";

interface Lookup {
  readonly addresses: Promise<readonly string[]>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Shares concurrent lookups of a name: all callers during a lookup receive its answer, and it stops when none of them
 * waits any more. The answer is not cached, so each new connection uses the current addresses of the name.
 */
export function shareLookups(resolve: Resolve): Resolve {
  const underWay = new Map<string, Lookup>();

  const begin = (hostname: string): Lookup => {
    const stop = new AbortController();
    const lookup: Lookup = { addresses: resolve(hostname, stop.signal), stop, waiting: 0 };
    const over = (): void => forget(hostname, lookup);
    lookup.addresses.then(over, over);
    underWay.set(hostname, lookup);
    return lookup;
  };

  const forget = (hostname: string, lookup: Lookup): void => {
    if (underWay.get(hostname) === lookup) underWay.delete(hostname);
  };

  return async (hostname, stop) => {
    const lookup = underWay.get(hostname) ?? begin(hostname);
    lookup.waiting++;
    const leave = (): void => {
      lookup.waiting--;
      if (lookup.waiting > 0) return;
      forget(hostname, lookup);
      lookup.stop.abort();
    };
    if (stop.aborted) leave();
    else stop.addEventListener("abort", leave, { once: true });
    return await lookup.addresses.finally(() => stop.removeEventListener("abort", leave));
  };
}
