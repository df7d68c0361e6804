import { sourceOf } from "@procedo/contract/syntax";
import type { Clock } from "@procedo/engine";
import { createRateLimiter } from "./rate-limiter.ts";

/** Limits the requests to inbound addresses. */
export interface InboundLimiter {
  /** Counts a request. Returns the time to wait in milliseconds when it is refused, otherwise `undefined`. */
  take(address: string, sender: string | undefined): number | undefined;
  /** Notes that a request did not prove its origin. */
  noteUnproven(address: string, sender: string | undefined): void;
}

const ofAddress = { perSecond: 100, burst: 500 };
/** Wrong signatures of one sender to one address, before it is slowed down. */
const unproven = { perSecond: 20 / 60, burst: 20 };
const ofSlowedSender = { perSecond: 1, burst: 1 };

export function createInboundLimiter(clock: Pick<Clock, "monotonic">): InboundLimiter {
  const requests = createRateLimiter(clock, ofAddress);
  const failures = createRateLimiter(clock, unproven);
  const slowed = createRateLimiter(clock, ofSlowedSender);
  // An embedding application that passes no address of senders has them slowed down together.
  const keyOf = (address: string, sender = ""): string => `${sourceOf(sender)} ${address}`;
  return {
    take: (address, sender) => {
      const key = keyOf(address, sender);
      const isSlowed = failures.waitMs(key) !== undefined;
      return (isSlowed ? slowed.take(key) : undefined) ?? requests.take(address);
    },
    noteUnproven: (address, sender) => void failures.take(keyOf(address, sender)),
  };
}
