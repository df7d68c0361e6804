import { retryAfterMs } from "@procedo/contract/syntax";

/** The longest wait that a client accepts: a longer one would silence it for hours. */
const maxWaitMs = 600_000;

/**
 * The wait that an answer requests, in milliseconds. A date is measured from the answer's own `Date`, so that this
 * machine's clock does not matter.
 */
export function requestedWaitMs(header: (name: string) => string | undefined): number | undefined {
  const waitMs = retryAfterMs(header("retry-after"), Date.parse(header("date") ?? ""));
  return waitMs === undefined ? undefined : Math.min(waitMs, maxWaitMs);
}
