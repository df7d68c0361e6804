import { LruCache, sourceOf } from "@procedo/contract/syntax";
import type { Clock, InboundAnswer } from "@procedo/engine";
import { createRateLimiter } from "./rate-limiter.ts";

/**
 * Limits the requests to inbound addresses. A sender without a proof is slowed down, and no other sender for it: by wrong
 * signatures and unreadable bodies at that address, by unknown addresses at every address that is not known to exist.
 */
export interface InboundLimiter {
  /** Counts a request. Returns the time to wait in milliseconds when it is refused, otherwise `undefined`. */
  take(address: string, sender: string | undefined): number | undefined;
  /** Notes the answer to a request. */
  note(address: string, sender: string | undefined, answer: Pick<InboundAnswer, "unproven">): void;
  /** Notes a body that could not be read. It proves nothing, and would use up the requests of the address. */
  noteUnread(address: string, sender: string | undefined): void;
}

const ofAddress = { perSecond: 100, burst: 500 };
/** Requests of one sender without a proof, before it is slowed down. */
const unproven = { perSecond: 20 / 60, burst: 20 };
const ofSlowedSender = { perSecond: 1, burst: 1 };
const maxAddresses = 10_000;

export function createInboundLimiter(clock: Pick<Clock, "monotonic">): InboundLimiter {
  const requests = createRateLimiter(clock, ofAddress);
  const wrongSignatures = createRateLimiter(clock, unproven);
  const unknownAddresses = createRateLimiter(clock, unproven);
  const slowed = createRateLimiter(clock, ofSlowedSender);
  /**
   * Addresses that exist. A service may go on sending to an address that was removed, from the source of its requests to
   * others.
   */
  const existing = new LruCache<string, true>(maxAddresses);
  const placeOf = (source: string, address: string): string => `${source} ${address}`;

  /** The share of a slowed sender that a request uses; `undefined` if its sender is not slowed down. */
  const slowedShare = (source: string, address: string): string | undefined => {
    const place = placeOf(source, address);
    if (wrongSignatures.waitMs(place) !== undefined) return place;
    return existing.get(address) === undefined && unknownAddresses.waitMs(source) !== undefined ? source : undefined;
  };

  return {
    take: (address, sender) => {
      // An embedding application that passes no address of senders applies its own limits to them.
      const share = sender === undefined ? undefined : slowedShare(sourceOf(sender), address);
      return (share === undefined ? undefined : slowed.take(share)) ?? requests.take(address);
    },
    note: (address, sender, { unproven: reason }) => {
      if (reason === "unknown_address") existing.delete(address);
      else existing.set(address, true);
      if (sender === undefined || reason === undefined) return;
      const source = sourceOf(sender);
      if (reason === "unknown_address") unknownAddresses.take(source);
      else wrongSignatures.take(placeOf(source, address));
    },
    noteUnread: (address, sender) => {
      if (sender === undefined) return;
      const source = sourceOf(sender);
      wrongSignatures.take(placeOf(source, address));
      // Nothing says that the address exists, and each made-up one would be a place of its own.
      if (existing.get(address) === undefined) unknownAddresses.take(source);
    },
  };
}
