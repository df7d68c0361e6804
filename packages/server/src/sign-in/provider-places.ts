import { sourceOf } from "@procedo/contract/syntax";

/**
 * Takes a place of a sign-in that waits for the provider. Returns the release of the place; `undefined` when all places,
 * or those of the network address, are taken.
 */
export type ProviderPlaces = (address: string | undefined) => (() => void) | undefined;

/** Further sign-ins fail at once, so that a slow provider does not hold all guests. */
const most = 64;
/** One network address leaves places for others. */
const mostOfAddress = 16;

export function createProviderPlaces(): ProviderPlaces {
  const ofAddresses = new Map<string, number>();
  let taken = 0;

  return (address) => {
    const source = address === undefined ? undefined : sourceOf(address);
    const own = source === undefined ? 0 : (ofAddresses.get(source) ?? 0);
    if (taken >= most || own >= mostOfAddress) return undefined;
    taken += 1;
    if (source === undefined) return () => void (taken -= 1);
    ofAddresses.set(source, own + 1);
    return () => {
      taken -= 1;
      const left = (ofAddresses.get(source) ?? 1) - 1;
      if (left === 0) ofAddresses.delete(source);
      else ofAddresses.set(source, left);
    };
  };
}
