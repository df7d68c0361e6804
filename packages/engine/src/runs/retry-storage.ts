import { ProcedoError } from "@procedo/contract";
import { sleep, type Clock } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";

interface RetryPorts {
  readonly clock: Clock;
  readonly log: Log;
}

const firstDelayMs = 50;
const maxDelayMs = 5_000;

/**
 * Repeats a storage operation that is safe to repeat until storage answers; `undefined` when `stopped` ends it first.
 * Whatever storage did not call passing is thrown: a mistake of ours or of an integration must not look like an outage.
 */
export async function retryUntilStored<T>(
  ports: RetryPorts,
  stopped: AbortSignal,
  operation: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await operation();
  } catch (error) {
    return await orRetryStorage(ports, stopped, operation)(error);
  }
}

/** The same for an operation that was tried once already: what becomes of its error. */
export function orRetryStorage<T>(
  ports: RetryPorts,
  stopped: AbortSignal,
  operation: () => T | Promise<T>,
): (error: unknown) => Promise<T | undefined> {
  return async (firstError) => {
    let error = firstError;
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
      if (!ProcedoError.isError(error) || !error.retryable) throw error;
      ports.log.warn("Storage failed; trying again.", { delayMs, error: errorText(error) });
      if (stopped.aborted) return undefined;
      await sleep(ports.clock, delayMs, stopped);
      try {
        return await operation();
      } catch (nextError) {
        error = nextError;
      }
    }
  };
}
