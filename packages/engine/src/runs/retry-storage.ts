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
 * Repeats an idempotent operation until storage answers. Resolves to `undefined` if `stopped` aborts first. An error
 * that is not retryable is thrown, so that a bug of the engine or of an integration does not look like an outage.
 *
 * @param onFailure called after each attempt that is repeated
 */
export async function retryUntilStored<T>(
  ports: RetryPorts,
  stopped: AbortSignal,
  operation: () => Promise<T>,
  onFailure?: () => void,
): Promise<T | undefined> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      return await operation();
    } catch (error) {
      if (!ProcedoError.isError(error) || !error.retryable) throw error;
      ports.log.warn("Storage failed; trying again.", { delayMs, error: errorText(error) });
      onFailure?.();
      if (stopped.aborted) return undefined;
    }
    await sleep(ports.clock, delayMs, stopped);
  }
}
