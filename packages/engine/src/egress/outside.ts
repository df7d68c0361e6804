/**
 * Is told when a request begins to wait for something outside (a document's server, a name's addresses, a document that is read
 * or waits for its turn), and when that is over: as long as that takes, storage is not what keeps it waiting. It may refuse the
 * wait with an error before it begins.
 */
export type Outside = (isOutside: boolean) => void;

/** Option of functions that wait for other systems. */
export interface OutsideOptions {
  /** @defaultValue none */
  readonly outside?: Outside;
}

/** Does what is waited for outside. */
export async function whileOutside<T>(outside: Outside | undefined, work: () => Promise<T>): Promise<T> {
  outside?.(true);
  try {
    return await work();
  } finally {
    outside?.(false);
  }
}
