import { ProcedoError } from "@procedo/contract";
import { sourceOf } from "@procedo/contract/syntax";
import { createUsageLimiter } from "./usage-limiter.ts";

/**
 * Limits the requests in progress of callers who have not signed in, and with them the memory of their bodies, which is
 * not taken from the share of callers with a key.
 */
export interface GuestLimiter {
  /**
   * Counts one more request in progress.
   *
   * @returns releases the place; idempotent
   * @throws ProcedoError `rate_limited` when the address, or all addresses together, are at their limit
   */
  take(address: string | undefined): () => void;
}

/** Per address; one reverse proxy is one address. */
export const guestsOfAddress = 128;
/** All together: 8 MiB of bodies at most. */
export const guestsOfAll = 512;
/** Maximum size of a guest's body, in bytes. */
export const maxGuestBytes = 16 * 1024;

const retryAfterMs = 1_000;

export function createGuestLimiter(): GuestLimiter {
  const begin = createUsageLimiter({ perKey: guestsOfAddress, perGroup: guestsOfAll });
  let unknown = 0;
  return {
    take: (address) => {
      // An embedding application that passes no address applies its own limits to addresses.
      const place = begin(address === undefined ? `unknown ${(unknown += 1)}` : sourceOf(address), "guests");
      if (place.set(1) === undefined) return place.release;
      const message =
        `The limit on requests in progress without a key or session was reached: ${guestsOfAddress} per address and ` +
        `${guestsOfAll} together. Retry this request shortly.`;
      throw new ProcedoError("rate_limited", message, { retryAfterMs });
    },
  };
}
