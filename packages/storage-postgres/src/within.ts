import { driverErrorOf, timedOut } from "./postgres-error.ts";

/**
 * Waits for a promise of the driver.
 *
 * @param endsAt by `performance.now()`
 * @throws ProcedoError `storage_unavailable` when the time is up
 */
export function within<T>(endsAt: number, timeoutMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut(timeoutMs)), Math.max(0, endsAt - performance.now()));
    promise.then(resolve, (error: unknown) => reject(driverErrorOf(error))).finally(() => clearTimeout(timer));
  });
}
