/**
 * Called with `true` when a request begins to wait for something other than storage (a document's server, the addresses
 * of a name, the reading of a document or the lock for it), and with `false` when the wait ends. It may throw at the
 * beginning to refuse the wait.
 */
export type Outside = (isOutside: boolean) => void;

/** Option of functions that wait for other systems. */
export interface OutsideOptions {
  /** Called when the function begins and ends to wait for another system. @defaultValue none */
  readonly outside?: Outside;
}

/** Reports the beginning and the end of the work to `outside`. */
export async function whileOutside<T>(outside: Outside | undefined, work: () => Promise<T>): Promise<T> {
  outside?.(true);
  try {
    return await work();
  } finally {
    outside?.(false);
  }
}
