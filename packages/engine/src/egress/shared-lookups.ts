import type { Resolve } from "./name-resolver.ts";

interface Lookup {
  readonly addresses: Promise<readonly string[]>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Looks a name up once at a time: all who ask while the lookup is under way get its answer. It is stopped when the last of
 * them waits no longer. Nothing is kept afterwards, so each new connection goes where the name leads at that time.
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
